"""``requirements.txt`` beside a file: what it asks for and what is missing. Nothing is ever installed from here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ludoteca.agents.files.places import encoding_hint
from ludoteca.messages import Message, say

FILE = "requirements.txt"
LINE = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^\]]*\])?\s*(?P<version>[^;#]*)")
LONGEST = 200
"""Lines that are read."""
MODULES = {"cv2": "opencv-python", "sklearn": "scikit-learn", "PIL": "pillow", "yaml": "pyyaml"}
"""Packages that are not called as the modules in them."""


@dataclass(frozen=True)
class Requirement:
    """A line of the file."""

    package: str
    wanted: str
    """The version that it asks for, as it is written there; mostly empty."""
    line: int
    found: str
    """The version that is installed here; empty where it is missing."""


def required(file: Path) -> list[Requirement]:
    """What the file beside `file` asks for; nothing where there is none. Lines that are options say nothing."""
    try:
        lines = (file.parent / FILE).read_text(encoding="utf-8", errors="replace").splitlines()[:LONGEST]
    except OSError:
        return []
    found = []
    for number, line in enumerate(lines, start=1):
        if (match := LINE.match(line.strip())) is not None:
            name = match["name"].lower().replace("_", "-")
            found.append(Requirement(name, match["version"].strip(), number, _installed(name)))
    return found


def hint_for(error: BaseException, file: Path) -> Message | None:
    """What to do about an exception that a file raised when it was imported; None where its text says enough."""
    if isinstance(error, SyntaxError):
        return encoding_hint(Path(error.filename) if error.filename and Path(error.filename).is_file() else file)
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return None
    top = error.name.partition(".")[0]
    package = MODULES.get(top, top).lower().replace("_", "-")
    line = next((each.line for each in required(file) if each.package == package), None)
    if line is not None:
        return say(
            "{package} stands in requirements.txt, line {line}, but is not installed here; before the "
            "matches it must be installed: pip install {package}",
            package=package,
            line=line,
        )
    return say(
        "{module} is neither installed here nor part of what was handed in: a package is named in requirements.txt; a "
        "module of your own is handed in with the file, both in a folder",
        module=error.name,
    )


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
