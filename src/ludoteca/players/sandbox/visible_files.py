"""The files that a sandboxed agent sees: Python, our package and the agent's own files."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludoteca.agents import registry
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import outermost, visible_paths

_LIBRARIES = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
"""The C library and other system libraries. Nothing else of /etc is visible."""

MOST_LINKS = 200
"""Links to files of a submission in the sandbox's current folder, for each of its folders."""


def python_paths() -> list[str]:
    """Python with its packages, and our package. A project or home folder that is on `sys.path` is not visible."""
    folders = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(registry.PACKAGE)]
    folders += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    folders += [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    private = {os.path.expanduser("~"), os.getcwd(), "/"}  # a prefix may contain these, but they stay hidden
    wanted = {os.path.normpath(each) for each in folders if os.path.isabs(each)}
    visible = {each for each in wanted if not any(_is_within(folder, each) for folder in private)} | {*_LIBRARIES}
    return outermost({each for each in visible if os.path.exists(each)})


@dataclass(frozen=True)
class VisibleFiles:
    """The files of an agent that its sandbox sees."""

    paths: tuple[str, ...] = ()
    """Absolute paths of files and folders."""
    link: str = ""
    """One of them, or a folder above, to which a symbolic link in the sandbox's current folder points.

    So a path relative to our current folder works there, too.
    """
    beside: tuple[str, ...] = ()
    """The visible files in the submission's own folder. The sandbox's current folder has a link to each.

    So a submission that opens ``weights.json`` finds it as it does when its author starts it in that folder.
    """

    @classmethod
    def of(cls, spec: str) -> VisibleFiles:
        """The files of an agent, found without running its code. Raises InvalidAgent."""
        paths = tuple(visible_paths(spec))
        if not registry.is_file(spec):
            return cls(paths)
        submission = Submission.of(spec)
        first = "" if os.path.isabs(spec) else submission.path.split(os.sep)[0]
        link = os.path.abspath(first) if first not in ("", ".", "..", "~") else ""
        return cls(paths, link, tuple(_beside(submission, paths)))


def _beside(submission: Submission, visible: Sequence[str]) -> Iterator[str]:
    """What is visible in the folder of a submission's file, and in the folder that was handed in."""
    folders = [submission.file.absolute().parent]
    folders += [] if submission.folder is None else [submission.folder.absolute()]
    for folder in dict.fromkeys(folders):
        entries = sorted(os.listdir(folder))[:MOST_LINKS]
        paths = (os.path.normpath(folder / name) for name in entries if not name.startswith("."))
        yield from (path for path in paths if any(_is_within(path, each) for each in visible))


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
