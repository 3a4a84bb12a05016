"""The file system of a sandboxed process: its visible files, read-only, and a small scratch folder."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Sequence

from ludoteca.players.sandbox import syscalls

SCRATCH = "/scratch"
"""Where a sandboxed process may write. It is empty at first and ends with it. It is also /tmp and the home folder."""
SCRATCH_MIB = 16
MAX_COPIED_MIB = 64
"""MiB of files that are copied because only root may read them: see `_show`."""
_OLD = "/.before"
_DEVICES = ("null", "full", "random", "urandom")
"""Not /dev/zero, which makes shared memory; the kernel numbers it for the whole machine."""


def build_root(visible: Sequence[str], user: int, group: int) -> None:
    """Gives this process a new root that holds only the visible paths, read-only. Raises OSError.

    It must have its own mount namespace. user, group: the owners of the scratch folder.
    """
    os.umask(0o022)  # ours may hide what we make from the sandbox's user
    syscalls.keep_mounts_private()
    safe = syscalls.NO_SUID | syscalls.NO_DEVICES
    syscalls.mount("tmpfs", "/tmp", safe, f"size={MAX_COPIED_MIB + 1}m,mode=755")
    os.mkdir("/tmp" + _OLD)
    syscalls.pivot_root("/tmp", "/tmp" + _OLD)
    os.chdir("/")
    for path in visible:
        _show(path, user)
    os.makedirs("/dev", exist_ok=True)
    for name in _DEVICES:
        if os.path.exists(f"{_OLD}/dev/{name}"):
            _bind(f"{_OLD}/dev/{name}", f"/dev/{name}")
    for folder in ("/proc", "/tmp", SCRATCH):
        os.makedirs(folder, exist_ok=True)
    quiet = safe | syscalls.NO_EXEC
    # Only its own processes, not the counters of the machine, which agents could use to send each other messages.
    # An ordinary user may mount /proc only where a complete one is visible. In containers it stays empty.
    with contextlib.suppress(PermissionError):
        syscalls.mount("proc", "/proc", quiet, "subset=pid")
    syscalls.unmount(_OLD)
    os.rmdir(_OLD)
    syscalls.make_read_only("/")
    syscalls.mount("tmpfs", SCRATCH, quiet, f"size={SCRATCH_MIB}m,nr_inodes=4096,mode=700,uid={user},gid={group}")
    if not os.listdir("/tmp"):
        syscalls.bind(SCRATCH, "/tmp")
    os.chdir(SCRATCH)


def _show(path: str, user: int) -> None:
    """Makes a file or folder visible at its own path and at the path that its links lead to."""
    before = _OLD + path
    if os.path.islink(before) or os.path.realpath(before) != before:
        real = _real(path)
        if real != path and not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(real, path)
        path, before = real, _OLD + real
    if os.path.lexists(path) or not os.path.exists(before):
        return
    if _is_readable(before, user):
        _bind(before, path)
    else:
        _copy(before, path)


def _real(path: str) -> str:
    """Resolves a path with the links of the old root instead of those of the new root."""
    parts, real, steps = path.split("/")[1:], "", 0
    while parts:
        part = parts.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            real = real.rpartition("/")[0]
            continue
        here = f"{real}/{part}"
        if os.path.islink(_OLD + here) and (steps := steps + 1) < 40:
            target = os.readlink(_OLD + here)
            real = "" if target.startswith("/") else real
            parts = target.split("/") + parts
        else:
            real = here
    return real or "/"


def _is_readable(path: str, user: int) -> bool:
    """Whether this user can read a file or list a folder; the contents of a folder are not checked."""
    about = os.stat(path)
    if user == os.geteuid() or about.st_uid == user:
        return True  # the sandbox keeps our own user
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(about.st_mode) else 0)
    return about.st_mode & wanted == wanted


def _bind(before: str, path: str) -> None:
    if os.path.isdir(before):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
    syscalls.bind(before, path)


def _copy(before: str, path: str) -> None:
    """Copies files that only their owner may read, when root runs the sandbox; everybody may read the copies.

    Raises OSError when they do not fit.
    """
    if os.path.isdir(before):
        os.makedirs(path, mode=0o755, exist_ok=True)
        for name in os.listdir(before):
            if not os.path.islink(f"{before}/{name}"):
                _copy(f"{before}/{name}", f"{path}/{name}")
    elif os.path.isfile(before):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(before, path)
        os.chmod(path, 0o444)
