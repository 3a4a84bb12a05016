"""Leaves marks in the kernel for its next match: on every open file description, and on files that all can see."""

import array
import contextlib
import ctypes
import fcntl
import os
import socket
import stat
import struct

from attempts import LIBRARY, call, checked, first_free

OFD_GETLK, OFD_SETLK, SETSIG, GETSIG, SETLEASE, GETLEASE, NOTIFY = 36, 37, 10, 11, 1024, 1025, 1026
GET_HINT, SET_HINT = 1035, 1036
PLACE, SIGNAL, LONG = 77_777, 34, 4
READ, SHARED, ANONYMOUS, FAILED = 1, 1, 32, 2**64 - 1
FILE = next(path for path in (os.__file__, "/etc/ld.so.cache") if os.access(path, os.R_OK))
ALL_SEE = [FILE, "/dev/null", os.path.dirname(FILE)]
MACHINE = ["meminfo", "stat", "vmstat", "loadavg", "uptime", "locks", "sys/fs/dentry-state", "sys/fs/inode-nr"]


def inherited():
    for fd in range(256):
        with contextlib.suppress(OSError):
            if not stat.S_ISSOCK(os.fstat(fd).st_mode):
                yield fd


GIVEN = list(inherited())
OPENED = [os.open(path, os.O_RDONLY) for path in ALL_SEE]


def tried(ask, *arguments):
    """What a call returns; None where it is refused."""
    try:
        return ask(*arguments)
    except OSError:
        return None


def lock_of(kind):
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, PLACE, 1, 0)


def locks_are_there(fd):
    """Asked of another open file description of the same file."""
    answer = tried(fcntl.fcntl, fd, OFD_GETLK, lock_of(fcntl.F_WRLCK))
    return answer is not None and struct.unpack_from("h", answer)[0] != fcntl.F_UNLCK


def flag(fd):
    return (tried(fcntl.fcntl, fd, fcntl.F_GETFL) or 0) & os.O_APPEND


def marks():
    """The marks of an earlier match."""
    found = set()
    for fd in GIVEN:
        if tried(fcntl.fcntl, fd, GETSIG) == SIGNAL:
            found.add("signal")
        if tried(fcntl.fcntl, fd, fcntl.F_GETOWN):
            found.add("owner")
        if flag(fd):
            found.add("status flags")
        if tried(fcntl.fcntl, fd, GETLEASE) == fcntl.F_RDLCK:
            found.add("lease")
    for fd in (*GIVEN, *OPENED):
        if locks_are_there(fd):
            found.add("locks")
    for path in ALL_SEE:
        fd = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found.add("flock")
        except OSError:
            pass
        os.close(fd)
    return found


def leave():
    for fd in (*GIVEN, *OPENED):
        if tried(fcntl.fcntl, fd, OFD_SETLK, lock_of(fcntl.F_WRLCK)) is None:
            tried(fcntl.fcntl, fd, OFD_SETLK, lock_of(fcntl.F_RDLCK))
        tried(fcntl.flock, fd, fcntl.LOCK_SH)
        tried(fcntl.fcntl, fd, SETSIG, SIGNAL)
        tried(fcntl.fcntl, fd, fcntl.F_SETOWN, os.getpid())
        tried(fcntl.fcntl, fd, fcntl.F_SETFL, tried(fcntl.fcntl, fd, fcntl.F_GETFL) | os.O_APPEND)
        tried(fcntl.fcntl, fd, SETLEASE, fcntl.F_RDLCK)


def times(place):
    about = os.stat(place)
    return about.st_atime_ns, about.st_mtime_ns, about.st_ctime_ns


def changes():
    """What it can change now of files that all see, which is still so in its next match."""
    found = set()
    for place in (*GIVEN, *OPENED, *ALL_SEE):
        if isinstance(place, int) and stat.S_ISFIFO(os.fstat(place).st_mode):
            continue  # its own
        before = times(place)
        if isinstance(place, int):
            tried(lambda fd: checked(LIBRARY.futimens(fd, None)), place)
        else:
            tried(os.utime, place)
        tried(os.utime, place)
        if times(place) != before:
            found.add("times")
        if isinstance(place, int) and tried(fcntl.fcntl, place, SET_HINT, struct.pack("Q", LONG)) is not None:
            found.add("write hint")
        if isinstance(place, int) and tried(fcntl.fcntl, place, NOTIFY, 1) is not None:
            found.add("notification")
    before = os.stat(FILE).st_atime_ns
    with open(FILE, "rb") as file:
        file.read()
    if os.stat(FILE).st_atime_ns != before:
        found.add("access time")
    return found


def sees_the_cache():
    """Ways to ask whether a page of a file is in memory, which costs no time and so is never wrong."""
    found = set()
    with open(FILE, "rb") as file:
        LIBRARY.mmap.restype = ctypes.c_void_p
        page = LIBRARY.mmap(None, ctypes.c_size_t(4096), READ, SHARED, file.fileno(), ctypes.c_long(0))
        resident = array.array("B", [0])
        if tried(call, "mincore", page, 4096, resident.buffer_info()[0]) is not None:
            found.add("mincore")
        extent, answer = array.array("Q", [0, 4096]), array.array("Q", [0] * 8)
        if tried(call, "cachestat", file.fileno(), extent.buffer_info()[0], answer.buffer_info()[0], 0) is not None:
            found.add("cachestat")
        if tried(os.preadv, file.fileno(), [bytearray(16)], 0, os.RWF_NOWAIT) is not None:
            found.add("preadv2")
    return found


def counters():
    """Numbers of the whole machine, which it can change by what it does."""
    found = {f"/proc/{name}" for name in MACHINE if tried(open, f"/proc/{name}") is not None}
    room = array.array("q", [0] * 64)
    if tried(call, "sysinfo", room.buffer_info()[0]) is not None:
        found.add("sysinfo")
    if tried(os.statvfs, FILE) is not None:
        found.add("statfs")
    if tried(os.pipe) is not None:
        found.add("numbers of pipes")
    LIBRARY.mmap.restype = ctypes.c_void_p
    if LIBRARY.mmap(None, ctypes.c_size_t(4096), READ, SHARED | ANONYMOUS, -1, ctypes.c_long(0)) != FAILED:
        found.add("numbers of shared memory")
    if tried(os.open, "/dev/zero", os.O_RDONLY) is not None:
        found.add("/dev/zero")
    try:
        socket.socketpair(socket.AF_UNIX)
    except OSError:
        pass
    else:
        found.add("numbers of sockets")
    return found


class Marks:
    def __init__(self, me):
        found = marks() | changes() | sees_the_cache() | counters()
        leave()
        if found:
            raise RuntimeError(f"ESCAPED by {', '.join(sorted(found))}")

    def play(self, board):
        return first_free(board)
