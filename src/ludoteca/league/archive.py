"""Unpacks what a student uploaded: one file, or a zip of a folder. Untrusted bytes; nothing of them runs.

An archive can be made to take gigabytes, hours, or names that lead outside. So it is read in a process of its own with
limits on time and memory (``python -m ludoteca.league.archive``), which writes plain files into an empty folder.
"""

from __future__ import annotations

import io
import json
import os
import resource
import stat
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

from ludoteca.agents.files.places import IGNORED
from ludoteca.agents.registry import path_of_children
from ludoteca.errors import InvalidAgent
from ludoteca.league.settings import Quota
from ludoteca.messages import Message, from_json, printable, say, to_json

CPU_SECONDS, MEMORY, WALL_SECONDS = 10, 512 << 20, 120.0
"""What unpacking may take: processor seconds, bytes beyond Python's own, and seconds on a busy machine."""
DEEPEST = 20
"""Folders within each other."""
SKIPPED = {*IGNORED, "__MACOSX"}


def unpack(data: bytes, name: str, folder: Path, quota: Quota) -> None:
    """Write the files of an upload into an empty folder, in a process of its own. Raises InvalidAgent with the reason.

    A zip is known by its first bytes, whatever it is called. Anything else must be UTF-8 text: one Python file.
    """
    most = quota.kilobytes * 1000
    if len(data) > most:
        raise InvalidAgent("it has {size} kB; at most {most} are allowed", size=len(data) // 1000, most=quota.kilobytes)
    setup = {"name": name[:200], "folder": str(folder), "most": most, "files": quota.files, "path": path_of_children()}
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "ludoteca.league.archive", json.dumps(setup)],
            input=data, capture_output=True, timeout=WALL_SECONDS, check=False,
        )  # fmt: skip
        reason = from_json(json.loads(done.stdout)) if done.returncode == 1 else ""
    except (subprocess.TimeoutExpired, ValueError):
        done, reason = None, ""
    if done is None or done.returncode != 0:
        raise InvalidAgent(reason or say("it takes too long or too much memory to unpack"))


class _Refused(Exception):
    """Its argument is the reason."""


def _unpack(data: bytes, name: str, folder: Path, most: int, files: int) -> None:
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        _unzip(data, folder, most, files)
        return
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _Refused(say("it is neither a zip nor a Python file in UTF-8")) from None
    if "\0" in text or not text.strip():
        raise _Refused(say("it is empty, or no text"))
    plain = unicodedata.normalize("NFC", PurePosixPath(name.replace("\\", "/")).name)
    plain = plain if plain.endswith(".py") and plain.isprintable() else "solution.py"
    (folder / plain).write_text(text.replace("\r\n", "\n"), encoding="utf-8")


def _unzip(data: bytes, folder: Path, most: int, files: int) -> None:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise _Refused(say("the zip cannot be read: {why}", why=printable(str(error))[:100])) from None
    size, written = 0, set[str]()
    for entry in entries:
        inner = _inner_path(entry)
        if inner is None:
            continue
        if len(written) == files:
            raise _Refused(say("it has more than {most} files", most=files))
        if str(inner).casefold() in written:
            raise _Refused(say("it has two files called {name}", name=printable(str(inner))[:100]))
        written.add(str(inner).casefold())
        target = folder / inner
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with archive.open(entry) as source, target.open("xb") as file:
                while piece := source.read(1 << 16):
                    size += len(piece)
                    if size > most:
                        raise _Refused(say("unpacked it has more than {most} kB", most=most // 1000))
                    file.write(piece)
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError) as error:
            why = printable(str(error))[:100]
            raise _Refused(
                say("{name} in the zip cannot be read: {why}", name=printable(str(inner))[:100], why=why)
            ) from None
    if not written:
        raise _Refused(say("the zip is empty"))


def _inner_path(entry: zipfile.ZipInfo) -> PurePosixPath | None:
    """Where a file of a zip goes; None for what is left out. Windows writes backslashes. Raises _Refused."""
    name = unicodedata.normalize("NFC", entry.filename.replace("\\", "/"))
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts or name.startswith("/") or ":" in name or not name.isprintable():
        raise _Refused(
            say("a name in the zip leads elsewhere or cannot be printed: {name}", name=printable(name)[:100])
        )
    if len(parts) > DEEPEST or any(len(os.fsencode(part)) > 200 for part in parts):
        raise _Refused(say("a name in the zip is too long: {name}", name=printable(name)[:100]))
    if any(part in SKIPPED or part.startswith(".") for part in parts):
        return None
    mode = entry.external_attr >> 16
    if mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
        return None  # links and devices
    return PurePosixPath(*parts)


def _main() -> int:
    setup = json.loads(sys.argv[1])
    sys.path[:] = setup["path"]
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (setup["most"] + 4096, setup["most"] + 4096))
    os.nice(10)
    try:
        _unpack(sys.stdin.buffer.read(), setup["name"], Path(setup["folder"]), setup["most"], setup["files"])
    except _Refused as error:
        reason: Message = error.args[0]
        sys.stdout.write(json.dumps(to_json(reason)))
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(_main())
