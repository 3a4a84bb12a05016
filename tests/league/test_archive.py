"""What students upload is unpacked within limits, and refused with a reason."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from ludoteca.errors import InvalidAgent
from ludoteca.league.archive import unpack
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


def unpacked(data: bytes, name: str, folder: Path) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    unpack(data, name, folder, QUOTA)
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_a_file_from_windows_and_a_folder_as_a_zip(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbfclass A:\r\n    pass\r\n"
    assert unpacked(text, "C:\\tareas\\peña.py", tmp_path / "a") == {"peña.py": "class A:\n    pass\n"}
    assert [*unpacked(b"x = 1", "pasted", tmp_path / "b")] == ["solution.py"]
    windows = zipped({"Luis\\solution.py": "x = 1", "Luis\\src\\ai.py": "y = 2", "__MACOSX/._a.py": "", ".git/x": ""})
    assert [*unpacked(windows, "entrega.zip", tmp_path / "c")] == ["Luis/solution.py", "Luis/src/ai.py"]


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
        folder = tmp_path / name / "in"
        folder.mkdir(parents=True)
        with pytest.raises(InvalidAgent, match=reason):
            unpack(data, "a.zip", folder, QUOTA)
        assert not [*tmp_path.rglob("outside*")], name


def test_links_in_a_zip_are_left_out(tmp_path: Path) -> None:
    assert [*unpacked(zipped({"a.py": "x"}, link="/etc/passwd"), "a.zip", tmp_path / "a")] == ["a.py"]
