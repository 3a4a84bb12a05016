"""The system calls that a sandboxed process may make: a BPF program for the kernel's seccomp filter.

It refuses calls that start a process or a program, reach another process or the network, change the system or its
mounts, use memory that no limit counts, choose another core, leave a mark in the kernel that a later process finds, or
tell about the whole machine. Threads are allowed.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable

from ludoteca.players.sandbox.syscalls import MACHINE, prctl

_REFUSED = {  # by name: the number on x86-64 and on aarch64; None where there is no such call
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "unshare": (272, 97), "setns": (308, 268), "chroot": (161, 51), "pivot_root": (155, 41),
    "mount": (165, 40), "umount2": (166, 39), "open_tree": (428, 428), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "mount_setattr": (442, 442), "statmount": (457, 457), "listmount": (458, 458),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "kcmp": (312, 272), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "socket": (41, 198), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    "connect": (42, 203),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semctl": (66, 191),
    "semop": (65, 193), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280),
    "perf_event_open": (298, 241), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "reboot": (169, 142), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "quotactl_fd": (443, 443), "syslog": (103, 116), "vhangup": (153, 58),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "personality": (135, 92), "lookup_dcookie": (212, 18),
    "sched_setaffinity": (203, 122), "move_pages": (279, 239), "migrate_pages": (256, 238), "nfsservctl": (180, 42),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    "open_tree_attr": (467, 467), "io_setup": (206, 0), "sysinfo": (99, 179), "statfs": (137, 43), "fstatfs": (138, 44),
    "pipe": (22, None), "pipe2": (293, 59), "socketpair": (53, 199), "ustat": (136, None),
    "sync": (162, 81), "syncfs": (306, 267), "mincore": (27, 232), "cachestat": (451, 451),
}  # fmt: skip
_IGNORED = {
    "flock": (73, 32), "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "fadvise64": (221, 223), "readahead": (187, 213),
}  # fmt: skip
"""Calls that return success and do nothing. Honest code makes them, and a process that is alone does not need them.

On files that all sandboxes see, they would leave locks, times and cached pages for others to find.
"""
_CLONE, _MMAP, _IOCTL, _PRCTL = (56, 220), (9, 222), (16, 29), (157, 167)
_FCNTL, _MADVISE, _PREADV2, _GETSOCKOPT = (72, 25), (28, 233), (327, 286), (55, 209)
_CLONE3, _OPENAT2, _NEWEST = 435, 437, 470
"""clone3 and openat2 hide their flags from the filter, so they return ENOSYS; so do all calls newer than this table."""
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000

_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_EPERM, _ENOSYS, _NOTHING = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS, 0x00050000
"""The call fails with this error; with `_NOTHING` it returns 0."""
_LOAD, _EQUAL, _LESS_EQUAL_NOT, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_THREAD = 0x00010000
_NAMESPACES = 0x7E020000
_SHARED_ANONYMOUS = 0x21
"""Flags of mmap(2). The kernel numbers shared anonymous memory, like pipes and sockets, for the whole machine."""
_ALLOWED_IOCTLS = (0x5401, 0x802C542A, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TCGETS2, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: what Python asks of a file."""
_REFUSED_PRCTLS = (1, 4, 67)
"""The parent death signal and dumpable, which a sandbox must not take back, and memory merging."""
_ALLOWED_FCNTLS = (0, 1, 2, 3, 4, 1030, 1032, 1034)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_GET_SEALS."""
_IGNORED_FCNTLS = (6, 7, 37, 38)
"""F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW."""
_IGNORED_ADVICE = (3, 12, 20, 21, 25)
"""Advice of madvise(2) that changes which pages others find: WILLNEED, MERGEABLE, COLD, PAGEOUT, COLLAPSE."""
_RWF_NOWAIT = 8
_COOKIES = (57, 71)
"""SO_COOKIE and SO_NETNS_COOKIE: the kernel counts them for the whole machine."""
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


def program(machine: str = MACHINE) -> bytes:
    """The filter as BPF instructions of eight bytes. Raises KeyError for an unknown machine."""
    column = {"x86_64": 0, "aarch64": 1}[machine]
    code = [_if_not(_AUDIT[machine], _KILL, load=_MACHINE), _load(_NUMBER)]
    if machine == "x86_64":  # the x32 numbers of the same calls
        code.append(_step(_LESS_EQUAL_NOT, _X32 - 1, 0, 1) + _return(_KILL))
    code.append(_step(_LESS_EQUAL_NOT, _NEWEST, 0, 1) + _return(_ENOSYS))
    code.append(_any_of((_CLONE3, _OPENAT2), _ENOSYS))
    for calls, outcome in ((_REFUSED, _EPERM), (_IGNORED, _NOTHING)):
        numbers = (each[column] for each in calls.values())
        code.append(_any_of((number for number in numbers if number is not None), outcome))
    code.append(
        _when(_CLONE[column], _load(_argument(0)) + _unless_any(_THREAD, _EPERM) + _if_any(_NAMESPACES, _EPERM))
    )
    anonymous = _load(_argument(3)) + _step(_AND, _SHARED_ANONYMOUS) + _any_of([_SHARED_ANONYMOUS], _EPERM)
    code.append(_when(_MMAP[column], anonymous))
    code.append(_when(_IOCTL[column], _load(_argument(1)) + _any_of(_ALLOWED_IOCTLS, _ALLOW) + _return(_EPERM)))
    code.append(_when(_PRCTL[column], _load(_argument(0)) + _any_of(_REFUSED_PRCTLS, _EPERM)))
    commands = _any_of(_ALLOWED_FCNTLS, _ALLOW) + _any_of(_IGNORED_FCNTLS, _NOTHING) + _return(_EPERM)
    code.append(_when(_FCNTL[column], _load(_argument(1)) + commands))
    code.append(_when(_MADVISE[column], _load(_argument(2)) + _any_of(_IGNORED_ADVICE, _NOTHING)))
    code.append(_when(_PREADV2[column], _load(_argument(5)) + _if_any(_RWF_NOWAIT, _EPERM)))
    code.append(_when(_GETSOCKOPT[column], _load(_argument(2)) + _any_of(_COOKIES, _EPERM)))
    code.append(_return(_ALLOW))
    return b"".join(code)


def _step(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", operation, if_true, if_false, value)


def _return(what: int) -> bytes:
    return _step(_RETURN, what)


def _load(place: int) -> bytes:
    return _step(_LOAD, place)


def _argument(index: int) -> int:
    """The offset of the lower half of an argument."""
    return _ARGUMENTS + 8 * index


def _any_of(values: Iterable[int], outcome: int) -> bytes:
    return b"".join(_step(_EQUAL, each, 0, 1) + _return(outcome) for each in values)


def _if_not(value: int, outcome: int, load: int) -> bytes:
    return _load(load) + _unless_equal(value, outcome)


def _unless_equal(value: int, outcome: int) -> bytes:
    return _step(_EQUAL, value, 1, 0) + _return(outcome)


def _unless_any(bits: int, outcome: int) -> bytes:
    return _step(_ANY_BIT, bits, 1, 0) + _return(outcome)


def _if_any(bits: int, outcome: int) -> bytes:
    return _step(_ANY_BIT, bits, 0, 1) + _return(outcome)


def _when(number: int, rules: bytes) -> bytes:
    """Rules for one call; what they do not refuse is allowed."""
    body = rules + _return(_ALLOW)
    return _step(_EQUAL, number, 0, len(body) // 8) + body


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def install() -> None:
    """Installs the filter for this process and everything that it starts. Call `no_new_privileges` before."""
    code = program()
    bpf = _Program(len(code) // 8, ctypes.c_char_p(code))
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(bpf))
