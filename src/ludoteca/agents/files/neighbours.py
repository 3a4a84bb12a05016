"""Whether a file beside a submission is its own helper or belongs to another submission.

The texts decide; nothing of them runs. A **folder** with a ``solution.py`` is one submission, and everything in it is
its own. A file of another name may lie **flat** among others: a neighbour that has a player in it is a submission of
its own and not a helper.
"""

from __future__ import annotations

import ast
from pathlib import Path

from ludoteca.agents.files.classes import is_left_open, lineage, methods
from ludoteca.agents.files.modules import COURSE
from ludoteca.agents.files.places import Places
from ludoteca.agents.files.player_finder import SOLUTION

COURSE_FILE = "course.toml"
"""The file beside the submissions of a course."""
ASKED = frozenset({"play", "act", "think"})
"""The methods by which a player is known."""


class Neighbours:
    """What lies around one submission."""

    def __init__(self, places: Places) -> None:
        self._places, self._file = places, places.file
        file = places.file
        self._own = places.project
        if self._own is None and file.name == SOLUTION and not (file.parent / COURSE_FILE).exists():
            self._own = file.parent

    def is_own(self, path: Path) -> bool:
        """Whether a module or data file that the submission names is part of it, and not of another one.

        A link that leads out of its folder is not: its author did not write what is there.
        """
        real = path.resolve()
        if not real.is_relative_to(path.parent.resolve()):
            return False
        path = real
        if path == self._file or (self._own is not None and path.is_relative_to(self._own)):
            return True
        if any(self._is_submission(each) or self._is_of_others(path, each) for each in path.parents):
            return False
        if path.suffix == ".py":
            return path.name != SOLUTION and (path.stem in COURSE or not self._has_player(path))
        return self._has_name(path)

    def _is_submission(self, folder: Path) -> bool:
        """Whether a folder is another submission."""
        return not self._file.is_relative_to(folder) and (folder / SOLUTION).exists()

    def _is_of_others(self, path: Path, folder: Path) -> bool:
        """Whether a folder is a course's, and the path in it lies in another entry than the submission's file."""
        if not (folder / COURSE_FILE).exists():
            return False
        mine = self._file.relative_to(folder).parts[:1] if self._file.is_relative_to(folder) else ()
        return path.relative_to(folder).parts[:1] != mine

    def _has_name(self, data: Path) -> bool:
        """Whether a data file is named after this submission or after none: ``ana_weights.npz`` is ana.py's."""
        named = [path for path in data.parent.glob("*.py") if data.name.startswith(path.stem)]
        nearest = max(named, key=lambda path: len(path.stem), default=None)
        return nearest is None or nearest == self._file or not self._has_player(nearest)

    def _has_player(self, file: Path) -> bool:
        """Whether a file has a class that can play: one that answers, and not only says that a subclass must.

        What is no Python may have one.
        """
        tree = self._places.tree(file)
        if tree is None:
            return True
        bodies = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        return any(_answers(each) for body in bodies.values() for each in lineage(body, bodies))


def _answers(body: ast.ClassDef) -> bool:
    given = {node.id for each in body.body for node in ast.walk(each)
             if isinstance(each, ast.Assign | ast.AnnAssign) and isinstance(node, ast.Name)}  # fmt: skip
    return not ASKED.isdisjoint(given) or any(
        name in ASKED and not is_left_open(method) and not _does_nothing(method)
        for name, method in methods(body).items()
    )


def _does_nothing(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return all(
        isinstance(each, ast.Pass) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in method.body
    )
