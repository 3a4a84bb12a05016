"""The file system of a sandboxed process: what it may see, read-only, and a small scratch folder. Nothing else."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Sequence

from ludoteca.players.sandbox import syscalls as calls

__all__ = ["COPIED", "SCRATCH", "SCRATCH_MIB", "build"]

SCRATCH = "/scratch"
"""Where a sandboxed process may write; empty at first, gone with it. It is /tmp too, and what it calls its home."""
SCRATCH_MIB = 16
COPIED = 64
"""MiB of its own files that a submission may have where they must be copied: see `_show`."""
_OLD = "/.before"
_DEVICES = ("null", "zero", "full", "random", "urandom")


def build(shown: Sequence[str], user: int, group: int) -> None:
    """Gives this process, which has a mount namespace of its own, a root with nothing but what is shown, read-only.

    user, group: who it will be from then on, and so whose the scratch folder is. Raises OSError.
    """
    calls.keep_mounts_private()
    safe = calls.NO_SUID | calls.NO_DEVICES
    calls.mount("tmpfs", "/tmp", safe, f"size={COPIED + 1}m,mode=755")
    os.mkdir("/tmp" + _OLD)
    calls.pivot_root("/tmp", "/tmp" + _OLD)
    os.chdir("/")
    for path in shown:
        _show(path, user)
    os.makedirs("/dev", exist_ok=True)
    for name in _DEVICES:
        if os.path.exists(f"{_OLD}/dev/{name}"):
            _bind(f"{_OLD}/dev/{name}", f"/dev/{name}")
    for folder in ("/proc", "/tmp", SCRATCH):
        os.makedirs(folder, exist_ok=True)
    quiet = safe | calls.NO_EXEC
    # Only while a whole /proc is in sight may an ordinary user mount one; in containers none is: then it stays empty.
    with contextlib.suppress(PermissionError):
        calls.mount("proc", "/proc", quiet)
    calls.unmount(_OLD)
    os.rmdir(_OLD)
    calls.make_read_only("/")
    calls.mount("tmpfs", SCRATCH, quiet, f"size={SCRATCH_MIB}m,nr_inodes=4096,mode=700,uid={user},gid={group}")
    if not os.listdir("/tmp"):
        calls.bind(SCRATCH, "/tmp")
    os.chdir(SCRATCH)


def _show(path: str, user: int) -> None:
    """Shows a file or folder where it was, under its own name and under the one that its links lead to."""
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
    """Where a path of the old root leads, followed by its own links and not by those of the new root."""
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
    """Whether it can be read by whom this process will be. Of a folder it is asked itself, not what is in it."""
    about = os.stat(path)
    if user == os.geteuid() or about.st_uid == user:
        return True  # it is as it was: an ordinary user, who reads what it can
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(about.st_mode) else 0)
    return about.st_mode & wanted == wanted


def _bind(before: str, path: str) -> None:
    if os.path.isdir(before):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o444))
    calls.bind(before, path)


def _copy(before: str, path: str) -> None:
    """For files that only their owner may read, run by root: the copy is what everybody may read, and as large as fits.

    Raises OSError where there is no room for all of them.
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
