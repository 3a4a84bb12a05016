"""The system calls that a sandboxed process may make: a BPF program for the kernel's seccomp filter.

It refuses calls that start a process or a program, reach another process or the network, change the system or its
mounts, use memory that no limit counts, or choose another core. Threads are allowed.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from ludoteca.players.sandbox.syscalls import MACHINE, prctl

__all__ = ["install", "program"]

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
}  # fmt: skip
_CLONE, _SOCKETPAIR, _IOCTL, _PRCTL = (56, 220), (53, 199), (16, 29), (157, 167)
_CLONE3, _NEWEST = 435, 470
"""clone3 hides its flags from the filter, so it returns ENOSYS; so do all calls newer than this table."""
_AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32 = 0x40000000

_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_EPERM, _ENOSYS = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
_LOAD, _EQUAL, _LESS_EQUAL_NOT, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_THREAD = 0x00010000
_NAMESPACES = 0x7E020000
_STREAM, _KIND = 1, 0xF
_TERMINAL_INPUT = (0x5412, 0x541C)
"""ioctls that type into a terminal: TIOCSTI and TIOCLINUX."""
_PDEATHSIG = 1
"""The option of prctl(2) that sets the parent death signal: a sandbox must not take it back."""
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


def program(machine: str = MACHINE) -> bytes:
    """The filter as BPF instructions of eight bytes. Raises KeyError for an unknown machine."""
    column = {"x86_64": 0, "aarch64": 1}[machine]
    code = [_if_not(_AUDIT[machine], _KILL, load=_MACHINE), _load(_NUMBER)]
    if machine == "x86_64":  # the x32 numbers of the same calls
        code.append(_step(_LESS_EQUAL_NOT, _X32 - 1, 0, 1) + _return(_KILL))
    code.append(_step(_LESS_EQUAL_NOT, _NEWEST, 0, 1) + _return(_ENOSYS))
    code.append(_step(_EQUAL, _CLONE3, 0, 1) + _return(_ENOSYS))
    for name in sorted(_REFUSED):
        number = _REFUSED[name][column]
        if number is not None:
            code.append(_step(_EQUAL, number, 0, 1) + _return(_EPERM))
    code.append(
        _when(_CLONE[column], _load(_argument(0)) + _unless_any(_THREAD, _EPERM) + _if_any(_NAMESPACES, _EPERM))
    )
    code.append(_when(_SOCKETPAIR[column], _load(_argument(1)) + _step(_AND, _KIND) + _unless_equal(_STREAM, _EPERM)))
    terminal_input = b"".join(_step(_EQUAL, each, 0, 1) + _return(_EPERM) for each in _TERMINAL_INPUT)
    code.append(_when(_IOCTL[column], _load(_argument(1)) + terminal_input))
    death_signal = _step(_EQUAL, _PDEATHSIG, 0, 1) + _return(_EPERM)
    code.append(_when(_PRCTL[column], _load(_argument(0)) + death_signal))
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
