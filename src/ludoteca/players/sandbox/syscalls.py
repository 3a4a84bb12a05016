"""The system calls of a sandbox that Python's library lacks. Linux only.

Each raises OSError when it fails; its `filename` names the call.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import signal
import sys
from typing import Any

MACHINE = platform.machine()
NAMESPACES = {
    "mount": 0x00020000, "uts": 0x04000000, "ipc": 0x08000000, "user": 0x10000000, "pid": 0x20000000,
    "net": 0x40000000,
}  # fmt: skip
"""Flags of clone(2) for new namespaces."""

READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC = 1, 2, 4, 8
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_DETACH = 2
_SIGCHLD = 17
_AT_RECURSIVE = 0x8000
_AT_HERE = -100

_CLONE, _PIVOT_ROOT, _CAPSET = {"x86_64": (56, 155, 126), "aarch64": (220, 41, 91)}.get(MACHINE, (-1, -1, -1))
_MOUNT_SETATTR = 442
_SET_CHILD_TID = 0x01000000
_PDEATHSIG, _DUMPABLE, _CAPBSET_DROP, _NO_NEW_PRIVS, _GET_TID_ADDRESS, _CAP_AMBIENT = 1, 4, 24, 38, 40, 47
_CAP_AMBIENT_CLEAR_ALL = 4

_libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


def syscall(number: int, *arguments: object, what: str = "") -> int:
    """Makes a system call by its number. Integers are passed as longs."""
    if _libc is None or number < 0:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), what)
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), what)


def prctl(option: int, value: int = 0, third: int = 0) -> None:
    """Sets an attribute of this process."""
    _checked(_libc.prctl(option, *map(ctypes.c_ulong, (value, third, 0, 0))), f"prctl {option}")


user_before_clone = (os.geteuid(), os.getegid())
"""The uid and the gid of this process before `clone`. In a new user namespace they cannot be asked for: until they are
mapped, every user is 65534 there."""


def clone(flags: int) -> int:
    """Forks into new namespaces: returns 0 in the child, whose pid is 1 in a new pid namespace.

    The calling process must have one thread. The C library does not know of this fork, so the kernel writes the child's
    tid to where the library keeps it, and we call Python's fork handlers.
    """
    global user_before_clone
    user_before_clone = (os.geteuid(), os.getegid())
    python = ctypes.pythonapi
    address = ctypes.c_void_p()
    if _libc.prctl(_GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0) == 0 and address.value:
        flags |= _SET_CHILD_TID
    tid = address.value or 0
    # On aarch64 the last two arguments are in the other order.
    last = (None, ctypes.c_void_p(tid)) if MACHINE == "aarch64" else (ctypes.c_void_p(tid), None)
    python.PyOS_BeforeFork()
    pid = _libc.syscall(ctypes.c_long(_CLONE), ctypes.c_ulong(flags | _SIGCHLD), None, None, *last)
    if pid == 0:
        python.PyOS_AfterFork_Child()
        return 0
    failed = ctypes.get_errno()
    python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(failed, os.strerror(failed), "clone")
    return int(pid)


def mount(kind: str, where: str, flags: int = 0, options: str = "") -> None:
    """Mounts a new file system of this kind, such as tmpfs."""
    _mount(kind, where, kind, flags, options)


def bind(what: str, where: str) -> None:
    """Bind-mounts a folder or file, with everything mounted below it."""
    _mount(what, where, None, _BIND | _RECURSIVE, None)


def keep_mounts_private() -> None:
    """Hides later mounts from other mount namespaces."""
    _mount("none", "/", None, _RECURSIVE | _PRIVATE, None)


def _mount(what: str, where: str, kind: str | None, flags: int, options: str | None) -> None:
    texts = [None if text is None else os.fsencode(text) for text in (what, where, kind, options)]
    done = _libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3])
    _checked(done, f"mount {what} on {where}")


def unmount(where: str) -> None:
    """Unmounts what is mounted there and below."""
    _checked(_libc.umount2(os.fsencode(where), _DETACH), f"unmount {where}")


def pivot_root(new: str, old: str) -> None:
    """Makes a mounted folder the root, and moves the old root to a folder below it."""
    syscall(_PIVOT_ROOT, ctypes.c_char_p(os.fsencode(new)), ctypes.c_char_p(os.fsencode(old)), what="pivot_root")


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def make_read_only(where: str) -> None:
    """Makes everything mounted there and below read-only and nosuid."""
    wanted = _MountAttributes(READ_ONLY | NO_SUID, 0, 0, 0)
    syscall(
        _MOUNT_SETATTR, _AT_HERE, ctypes.c_char_p(os.fsencode(where)), _AT_RECURSIVE, ctypes.byref(wanted),
        ctypes.sizeof(wanted), what="mount_setattr (Linux 5.12)",
    )  # fmt: skip


def set_dumpable(whether: bool) -> None:
    """Sets whether other processes of the same user, and this one through /proc, may read this process."""
    prctl(_DUMPABLE, int(whether))


def drop_bounding_set() -> None:
    """Empties the capability bounding set, so that no program can give capabilities back. Needs CAP_SETPCAP."""
    for number in range(64):
        if _libc.prctl(_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0) < 0:
            break  # no such capability


def drop_capabilities() -> None:
    """Gives up all capabilities."""
    _libc.prctl(_CAP_AMBIENT, ctypes.c_ulong(_CAP_AMBIENT_CLEAR_ALL), 0, 0, 0)
    head = (ctypes.c_uint32 * 2)(0x20080522, 0)
    none = (ctypes.c_uint32 * 6)()
    syscall(_CAPSET, ctypes.byref(head), ctypes.byref(none), what="capset")


def die_first() -> None:
    """Makes the kernel kill this process first when memory runs out, before its fork server and the referee."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")


def die_with_parent() -> None:
    """Makes the kernel kill this process when its parent ends, even while it is suspended.

    A change of user resets this, so change the user before. It does not notice a parent that has ended already.
    """
    prctl(_PDEATHSIG, signal.SIGKILL)


def no_new_privileges() -> None:
    """Sets no_new_privs: no program that this process runs gets more rights."""
    prctl(_NO_NEW_PRIVS, 1)


def start_session() -> None:
    """Makes this process the leader of a new session, and gives the session's autogroup the niceness of the process.

    Linux may first share the cores among sessions and only then within a session by niceness (see autogroups in ``man 7
    sched``). A nice process that is alone in its session would get as much time as all of another session.
    """
    os.setsid()
    if sys.platform == "linux" and (nice := os.getpriority(os.PRIO_PROCESS, 0)):
        # Not every kernel has autogroups, and only root may write twice in a tenth of a second.
        with contextlib.suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as group:
            group.write(str(nice))
