"""What a file's text says of its player. Nothing of it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ludoteca.agents.files.choosing import Candidate, Choice, choose
from ludoteca.agents.files.places import Places
from ludoteca.agents.files.submission import Submission

__all__ = ["Outline", "games", "is_left_open", "lineage", "methods", "outline"]

Body = ast.ClassDef
DEEPEST = 8
"""A class is looked for through at most this many imports."""


@dataclass(frozen=True)
class Outline:
    """A player as its text shows it."""

    choice: Choice
    constructor: str
    """The parameters of its constructor, as they are written; empty where it writes none itself."""
    method: str
    """``play(board, seconds)``, as it is written."""
    line: int
    """Where the class stands."""


def games(submission: Submission) -> frozenset[str] | None:
    """The games that the player of a file plays, as far as its text shows; None for all.

    A course's player plays Hex; any other agent, and a file whose game is unknown before it runs, may play any.
    """
    candidates = [_candidate(each, known) for each, known in _classes(submission.places)]
    if any(each.is_agent for each in candidates) or not any("play" in each.methods for each in candidates):
        return None
    return frozenset({"hex"})


def outline(submission: Submission) -> Outline:
    """The player of a file. Raises InvalidAgent where its text shows none; it may still have one when it runs."""
    found = [*_classes(submission.places)]
    choice = choose([_candidate(each, known) for each, known in found], submission)
    body, known = next((each, known) for each, known in found if each.name == choice.player.name)
    line = lineage(body, known)
    asked = "play" if choice.player.plays_course else "act" if "act" in choice.player.methods else "think"
    return Outline(choice, _signature(line, "__init__"), asked + _signature(line, asked), body.lineno)


Known = dict[str, Body]
"""The classes that a text can name, by the name under which it does."""


def _classes(places: Places, depth: int = 0) -> Iterator[tuple[Body, Known]]:
    """The classes of a file and those that it imports from its places, each with what its text can name."""
    file, tree = places.file, places.tree()
    if tree is None:
        return
    known: Known = {}
    others: list[tuple[Body, Known]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and depth < DEEPEST:
            start = file.parents[node.level - 1] if node.level else None
            source = places.own_module(node.module, start)
            if source is None or source == file:
                continue
            theirs = {body.name: (body, named) for body, named in _classes(places.at(source.resolve()), depth + 1)}
            for each in node.names:
                wanted = [*theirs] if each.name == "*" else [each.name]
                for name in wanted:
                    if name in theirs:
                        known[each.asname or name] = theirs[name][0]
                        others.append(theirs[name])
    own = [node for node in tree.body if isinstance(node, Body)]
    known |= {node.name: node for node in own}
    yield from others
    yield from ((node, known) for node in own)


def lineage(body: Body, known: Known) -> list[Body]:
    """The class and those that it extends, nearest first, as far as the text shows them."""
    line, waiting = [body], [body]
    while waiting:
        for base in waiting.pop(0).bases:
            found = known.get(_last_name(base))
            if found is not None and found not in line:
                line.append(found)
                waiting.append(found)
    return line


def _candidate(body: Body, known: Known) -> Candidate:
    line = lineage(body, known)
    written: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for each in reversed(line):
        written |= methods(each)
    empty = {name for name, method in written.items() if is_left_open(method)}
    asked = {"play", "act", "think"} & written.keys()
    abstract = (bool(empty & asked) and asked <= empty) or any(_is_abstract(written[name]) for name in empty)
    ancestors = {each.name for each in line[1:]} | {_last_name(base) for each in line for base in each.bases}
    return Candidate(
        body.name,
        frozenset(written.keys() - empty),
        frozenset(ancestors - {"", "ABC", "object"}),
        abstract,
        body.lineno,
    )


def methods(body: Body) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Those that a class writes itself."""
    return {each.name: each for each in body.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def is_left_open(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method only says that a subclass must write it."""
    rest = [each for each in method.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    raises = [each for each in rest if isinstance(each, ast.Raise) and each.exc is not None]
    return _is_abstract(method) or (
        len(rest) == 1
        and len(raises) == 1
        and _last_name(raises[0].exc.func if isinstance(raises[0].exc, ast.Call) else raises[0].exc)
        == "NotImplementedError"
    )


def _is_abstract(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(_last_name(each) == "abstractmethod" for each in method.decorator_list)


def _signature(line: list[Body], name: str) -> str:
    for each in line:
        if (method := methods(each).get(name)) is not None:
            rest = [*method.args.posonlyargs, *method.args.args][1:]
            shown = ast.arguments(
                [], rest, method.args.vararg, method.args.kwonlyargs,
                method.args.kw_defaults, method.args.kwarg, method.args.defaults,
            )  # fmt: skip
            return f"({ast.unparse(shown)})"
    return ""


def _last_name(node: ast.expr | None) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
