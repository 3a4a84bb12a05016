"""What the hostile submissions beside this file share: they import it, as any submission imports its modules."""

import ctypes
import os
import platform
import socket
import stat
import struct

LIBRARY = ctypes.CDLL(None, use_errno=True)
COLUMN = 0 if platform.machine() == "x86_64" else 1


def all_refused(*attempts):
    """Makes every attempt; complains of the first that succeeds, and raises the last refusal if none does."""
    refusal = None
    for number, attempt in enumerate(attempts):
        try:
            result = attempt()
        except (OSError, ValueError, MemoryError) as error:
            refusal = error
        else:
            raise RuntimeError(f"ESCAPED by attempt {number}: {result!r:.200}")
    raise refusal


def call(name, *arguments):
    """A system call by its number on x86-64 and aarch64; raises OSError where it fails."""
    return checked(LIBRARY.syscall(NUMBERS[name][COLUMN], *map(ctypes.c_long, arguments)))


NUMBERS = {
    "mount": (165, 40), "unshare": (272, 97), "chroot": (161, 51), "ptrace": (101, 117), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "memfd_create": (319, 279),
    "process_vm_readv": (310, 270), "pidfd_open": (434, 434), "shmget": (29, 194), "open_by_handle_at": (304, 265),
    "userfaultfd": (323, 282), "clone3": (435, 435), "setns": (308, 268), "kexec_load": (246, 104),
    "add_key": (248, 217), "sethostname": (170, 161), "init_module": (175, 105), "reboot": (169, 142),
    "sched_setaffinity": (203, 122), "inotify_init1": (294, 26), "mincore": (27, 232), "cachestat": (451, 451),
    "sysinfo": (99, 179), "shmctl": (31, 195),
}  # fmt: skip


def checked(result):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def fork():
    """Forks; the new process ends at once, so that nothing is played twice where forking is possible."""
    if os.fork() == 0:
        os._exit(0)


def maker(fd):
    """The pid of the process that made a socket, 0 for one outside; None for what is no socket."""
    try:
        if not stat.S_ISSOCK(os.fstat(fd).st_mode):
            return None
    except OSError:
        return None
    with socket.socket(fileno=os.dup(fd)) as same:
        return struct.unpack("3i", same.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]


def wire():
    """The wire of this process: the socket that it did not make itself."""
    return next(fd for fd in range(256) if maker(fd) == 0)


def frame(kind, number, payload):
    return struct.pack("<cII", kind, number, len(payload)) + payload


def first_free(board):
    """A legal move."""
    return board.get_possible_moves()[0]
