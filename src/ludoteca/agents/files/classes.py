"""The classes in a file's text, and those that they extend. Nothing of it runs."""

from __future__ import annotations

import ast
from pathlib import Path

from ludoteca.agents.files.candidate import Candidate
from ludoteca.agents.files.places import Places

Body = ast.ClassDef
DEEPEST = 30
"""A class is looked for through at most this many imports."""
Known = dict[str, Body]
"""The classes that a text can name, by the name under which it does."""


Classes = list[tuple[Body, Known]]


def classes(places: Places, found: dict[Path, Classes] | None = None, depth: int = 0) -> Classes:
    """The classes of a file and those that it imports from its places, each with what its text can name.

    found: what was found in other files already; files may import each other in a circle.
    """
    file, tree = places.file, places.tree()
    found = {} if found is None else found
    if file in found:
        return found[file]
    found[file] = []
    known: Known = {}
    others: Classes = []
    for node in () if tree is None else ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.level <= len(file.parents) and depth < DEEPEST:
            start = file.parents[node.level - 1] if node.level else None
            source = places.own_module(node.module, start)
            if source is None or source == file:
                continue
            theirs = {
                body.name: (body, named) for body, named in classes(places.at(source.resolve()), found, depth + 1)
            }
            for each in node.names:
                for name in [*theirs] if each.name == "*" else [each.name]:
                    if name in theirs:
                        known = theirs[name][1] | known
                        known[each.asname or name] = theirs[name][0]
                        others.append(theirs[name])
    own = [] if tree is None else [node for node in tree.body if isinstance(node, Body)]
    known |= {node.name: node for node in own}
    found[file] = [*others, *((node, known) for node in own)]
    return found[file]


def lineage(body: Body, known: Known) -> list[Body]:
    """The class and those that it extends, nearest first, as far as the text shows them."""
    line, waiting = [body], [body]
    while waiting:
        for base in waiting.pop(0).bases:
            found = known.get(last_name(base))
            if found is not None and found not in line:
                line.append(found)
                waiting.append(found)
    return line


def candidate(body: Body, known: Known) -> Candidate:
    """What the choice of a player needs to know of a class."""
    line = lineage(body, known)
    written: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for each in reversed(line):
        written = {name: method for name, method in written.items() if name not in _assigned(each)} | methods(each)
    empty = {name for name, method in written.items() if is_left_open(method)}
    asked = {"play", "act", "think"} & written.keys()
    given = {name for each in line for name in _assigned(each)} - written.keys()  # as in `play = search.best_move`
    abstract = (bool(empty & asked) and asked <= empty) or any(_is_abstract(written[name]) for name in empty)
    ancestors = {each.name for each in line[1:]} | {last_name(base) for each in line for base in each.bases}
    return Candidate(
        body.name,
        frozenset((written.keys() - empty) | given),
        frozenset(ancestors - {"", "ABC", "object"}),
        abstract,
        body.lineno,
        all(_takes_arguments(written[name]) for name in asked),
    )


def methods(body: Body) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Those that a class writes itself."""
    return {each.name: each for each in body.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}


def _assigned(body: Body) -> set[str]:
    found = (each.targets if isinstance(each, ast.Assign) else [] for each in body.body)
    return {target.id for targets in found for target in targets if isinstance(target, ast.Name)}


def is_left_open(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method only says that a subclass must write it."""
    rest = [each for each in method.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    raises = [each for each in rest if isinstance(each, ast.Raise) and each.exc is not None]
    return _is_abstract(method) or (
        len(rest) == 1
        and len(raises) == 1
        and last_name(raises[0].exc.func if isinstance(raises[0].exc, ast.Call) else raises[0].exc)
        == "NotImplementedError"
    )


def _is_abstract(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(last_name(each) == "abstractmethod" for each in method.decorator_list)


def _takes_arguments(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    given = method.args
    own = any(last_name(each) == "staticmethod" for each in method.decorator_list)
    return len([*given.posonlyargs, *given.args]) > (not own) or given.vararg is not None or bool(given.kwonlyargs)


def last_name(node: ast.AST | None) -> str:
    """``c`` of ``a.b.c``; empty for what is no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
