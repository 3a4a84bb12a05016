"""What students upload is unpacked within limits, and refused with a reason."""

from __future__ import annotations

import io
import socket
import stat
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludoteca.agents.files.submission import HANDED_IN
from ludoteca.errors import InvalidAgent
from ludoteca.league.archive import READER, read
from ludoteca.league.settings import Quota

QUOTA = Quota(kilobytes=200, files=5)


def zipped(files: Mapping[str, bytes | str], **links: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for name, target in links.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, target)
    return buffer.getvalue()


def league(folder: Path) -> Path:
    """The folder of a league, as far as uploads need it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "league.toml").write_text('game = "hex"\n')
    return folder


def stored(data: bytes, name: str, folder: Path) -> dict[str, str]:
    """The files of an upload as they are stored for ana."""
    upload = read(data, name, "ana", league(folder), QUOTA)
    copy = folder.joinpath(*HANDED_IN, upload.digest, "ana")
    return {path.relative_to(copy).as_posix(): path.read_text() for path in sorted(copy.rglob("*")) if path.is_file()}


def test_a_file_from_windows_and_a_folder_as_a_zip(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbfclass A:\r\n    pass\r\n"
    assert stored(text, "C:\\tareas\\peña.py", tmp_path / "a") == {"peña.py": "class A:\n    pass\n"}
    assert [*stored(b"x = 1", "pasted", tmp_path / "b")] == ["solution.py"]
    windows = zipped({"Luis\\solution.py": "x = 1", "Luis\\src\\ai.py": "y = 2", "__MACOSX/._a.py": "", ".git/x": ""})
    assert [*stored(windows, "entrega.zip", tmp_path / "c")] == ["solution.py", "src/ai.py"]


def test_hostile_uploads_are_refused_and_leave_nothing_outside(tmp_path: Path) -> None:
    hostile: dict[str, tuple[bytes, str]] = {
        "slip": (zipped({"../../outside.py": "x"}), "elsewhere"),
        "absolute": (zipped({"/outside.py": "x"}), "elsewhere"),
        "drive": (zipped({"C:\\outside.py": "x"}), "elsewhere"),
        "bomb": (zipped({"a.py": b"0" * 50_000_000}), "more than 200 kB"),
        "many": (zipped({f"{number}.py": "x" for number in range(9)}), "more than 5 files"),
        "twice": (zipped({"A.py": "x", "a.py": "y"}), "two files"),
        "truncated": (zipped({"a.py": "x" * 1000})[:-30], "cannot be read"),
        "empty zip": (zipped({}), "empty"),
        "binary": (b"\x7fELF\x00\xff\xfe", "neither a zip nor"),
        "nothing": (b"  \n", "empty"),
        "long name": (zipped({"x" * 300 + ".py": "x"}), "too long"),
        "large": (b"#" * 300_000, "at most 200"),
    }
    for name, (data, reason) in hostile.items():
        with pytest.raises(InvalidAgent, match=reason):
            read(data, "a.zip", "ana", league(tmp_path / name), QUOTA)
        assert not [*tmp_path.rglob("outside*")], name


def test_links_in_a_zip_are_left_out(tmp_path: Path) -> None:
    assert [*stored(zipped({"a.py": "x"}, link="/etc/passwd"), "a.zip", tmp_path / "a")] == ["a.py"]


def test_a_file_that_breaks_the_parser_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    """It is parsed in the process that unpacks, so not even a crash of Python's parser reaches the page."""
    deep = b"x = " + b"-" * 100_000 + b"1\n"
    upload = read(deep, "a.py", "ana", league(tmp_path), QUOTA)
    assert upload.problem


def test_an_upload_after_the_reader_was_killed_is_read_by_another(tmp_path: Path) -> None:
    assert stored(b"x = 1", "a.py", tmp_path / "a")
    assert READER._running is not None
    READER._running[1].kill()
    READER._running[1].wait()
    assert stored(b"x = 1", "a.py", tmp_path / "b")


def test_uploads_are_read_beside_one_that_takes_long(tmp_path: Path) -> None:
    slow = socket.socketpair()
    READER._send(slow[1])  # an upload that never comes
    with ThreadPoolExecutor(4) as threads:
        jobs = [threads.submit(stored, b"x = 1", "a.py", tmp_path / str(number)) for number in range(4)]
        assert all([*job.result()] == ["a.py"] for job in jobs)
    for each in slow:
        each.close()
