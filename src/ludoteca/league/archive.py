"""Reads what a student uploaded: one file, or a zip of a folder. Untrusted bytes; nothing of them runs.

An archive can be made to take gigabytes, hours, or names that lead outside, and a Python file minutes to parse. So each
upload is read in a process of its own with limits on time and memory (see `upload_reader`)::

    bytes ── unpacked into an empty folder ── copied beside the league's file ── parsed: which class plays?
"""

from __future__ import annotations

import atexit
import io
import json
import os
import resource
import stat
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ludoteca.agents.files.places import IGNORED
from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.course.submissions import take
from ludoteca.errors import InvalidAgent
from ludoteca.league import settings as league_settings
from ludoteca.league.settings import Quota
from ludoteca.league.upload_reader import UploadReader
from ludoteca.messages import Message, from_json, printable, say, to_json

MEMORY = 512 << 20
"""Bytes that reading an upload may take beyond Python's own."""
DEEPEST = 20
"""Folders within each other."""
SKIPPED = {*IGNORED, "__MACOSX"}
READER = UploadReader(__name__, "unpacked_and_stored")
atexit.register(READER.close)


class Upload(NamedTuple):
    """What was uploaded, unpacked and stored."""

    digest: str
    """Of all its files."""
    spec: str
    """From what its agent is made; empty where no file can play."""
    problem: str
    """Why it cannot play, if that can be seen without running it."""


def read(data: bytes, name: str, ident: str, league: Path, quota: Quota) -> Upload:
    """Store the files of an upload beside a league's file, in a process of its own. Raises InvalidAgent.

    name: what the browser calls the file. ident: whose it is. A zip is known by its first bytes, whatever it is called.
    Anything else must be UTF-8 text: one Python file.
    """
    most = quota.kilobytes * 1000
    if len(data) > most:
        raise InvalidAgent("it has {size} kB; at most {most} are allowed", size=len(data) // 1000, most=quota.kilobytes)
    with TemporaryDirectory(prefix="ludoteca-hand-in-") as folder:
        setup = {
            "name": name[:200], "ident": ident, "folder": folder, "league": str(league.absolute()),
            "most": most, "files": quota.files,
        }  # fmt: skip
        try:
            answer = json.loads(READER.ask(json.dumps(setup).encode(), data))
        except ValueError:  # it was killed before it had an answer
            raise InvalidAgent(say("it takes too long or too much memory to unpack")) from None
    if "refused" in answer:
        raise InvalidAgent(from_json(answer["refused"]))
    return Upload(answer["digest"], answer["spec"], from_json(answer["problem"]))


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


def _stored(folder: Path, ident: str, league: Path) -> Upload:
    """Copy what was unpacked beside the league's file, and look for the player in it."""
    settings = league_settings.read(league / league_settings.FILE).course
    handed_in = take(league.joinpath(*HANDED_IN), settings, ident, _root(folder))
    if handed_in.submission is None:
        return Upload(handed_in.digest, "", handed_in.problem or say("no file in it can play"))
    return Upload(handed_in.digest, handed_in.submission.spec, handed_in.problem or "")


def _root(folder: Path) -> Path:
    """The folder that holds the player: a zip often has one folder around everything."""
    inside = list(folder.iterdir())
    while len(inside) == 1 and inside[0].is_dir():
        folder = inside[0]
        inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 else folder


def unpacked_and_stored(given: bytes, data: bytes) -> bytes:
    """What `read` does, in the process of its own; its answer as JSON."""
    setup = json.loads(given)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (setup["most"] + 4096, setup["most"] + 4096))
    folder = Path(setup["folder"]) / setup["ident"]
    folder.mkdir()
    try:
        _unpack(data, setup["name"], folder, setup["most"], setup["files"])
    except _Refused as error:
        reason: Message = error.args[0]
        return json.dumps({"refused": to_json(reason)}).encode()
    upload = _stored(folder, setup["ident"], Path(setup["league"]))
    return json.dumps(upload._asdict() | {"problem": to_json(upload.problem)}).encode()
