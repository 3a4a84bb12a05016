"""What a sandboxed agent gets to see of the file system: Python, our package, and of strangers' files its own."""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from ludoteca.agents import registry
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import outermost, visible_paths

__all__ = ["Sight", "of_python"]

_LIBRARIES = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/localtime")
"""Where the C library and its like are. Of /etc nothing else."""


def of_python() -> list[str]:
    """Python with its packages, and our own package. Nothing of a project or home that merely is on its path."""
    places = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(registry.PACKAGE)]
    places += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    places += [*site.getsitepackages(), site.getusersitepackages()]
    places += [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    private = {os.path.expanduser("~"), os.getcwd(), "/"}  # a prefix may be anything, but must not open these
    wanted = {os.path.normpath(each) for each in places if os.path.isabs(each)}
    shown = {each for each in wanted if not any(_is_within(place, each) for place in private)} | {*_LIBRARIES}
    return outermost({each for each in shown if os.path.exists(each)})


@dataclass(frozen=True)
class Sight:
    """What a sandbox gets to see of strangers' files."""

    shown: tuple[str, ...] = ()
    """Files and folders, absolute."""
    link: str = ""
    """One of them, or a folder above, that is also found under its last name where the sandbox's process stands.

    So a name that was relative to our current folder means the same there.
    """

    @classmethod
    def of(cls, spec: str) -> Sight:
        """For an agent. Runs nothing of it. Raises InvalidAgent."""
        link = ""
        if registry.is_file(spec) and not os.path.isabs(spec):
            first = Submission.of(spec).path.split(os.sep)[0]
            link = os.path.abspath(first) if first not in ("", ".", "..", "~") else ""
        return cls(tuple(visible_paths(spec)), link)


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
