"""``python -m tools.architecture``: the rules of the layout that import-linter cannot express; ``make check`` runs it.

- Files do not import each other in a circle, imports inside functions included.
- Only the files of a game test for that game: its folders under games and agents, and files of its name elsewhere.
- A folder of more than 20 files is named in LARGE, with the reason.
- A file that one other file imports does more than pass calls on, and no file but an ``__init__.py`` only renames.

Each finding is a line ``file:line: what is wrong, and what to do``.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath
from typing import NamedTuple

SOURCES, PACKAGE = "src", "ludoteca"
MOST_FILES = 20
LARGE = {
    "tests/agents/files/submissions": "one file for each way in which students hand in their work",
    "tests/players/sandbox/hostile": "one file for each attack on the sandbox",
    "core/bind": "what Python sees of each game, and what the games share; all that knows nanobind",
    "core/hex": "rules, paths, connections, patterns, an engine and a solver: the game with the most search",
    "docs": "a page for each subject, and the pictures of README",
}
"""Folders that may hold more files than MOST_FILES, and why."""


class Finding(NamedTuple):
    """A place that breaks a rule."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class Source(NamedTuple):
    """A file of the package."""

    file: str
    """Its path from the root of the repository."""
    tree: ast.Module
    package: bool
    """Whether it is an ``__init__.py``."""


Sources = Mapping[str, Source]
"""Files by the name of their module."""


def read_sources(root: Path) -> dict[str, Source]:
    """Every Python file of the package."""
    found = {}
    for path in sorted((root / SOURCES / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root / SOURCES).with_suffix("").parts
        package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if package else parts)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found[name] = Source(path.relative_to(root).as_posix(), tree, package)
    return found


def findings(root: Path) -> list[Finding]:
    """Everything that breaks a rule."""
    sources = read_sources(root)
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    games = [path.name for path in (root / SOURCES / PACKAGE / "games").iterdir() if (path / "game.py").exists()]
    return sorted([*circles(sources), *game_tests(sources, games), *large_folders(listed, LARGE), *forwarders(sources)])


def imports(name: str, sources: Sources) -> Iterator[tuple[str, int]]:
    """The modules that a module imports at run time, wherever in the file, each with its line."""
    source = sources[name]
    for node in _executed(source.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names if alias.name in sources)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = name.split(".")
                parents = parts[: len(parts) - node.level + source.package]
                base = ".".join([*parents, *filter(None, [node.module])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                if whole in sources:
                    yield whole, node.lineno
                elif base in sources:
                    yield base, node.lineno


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node, besides those that only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from _executed(node)


def circles(sources: Sources) -> Iterator[Finding]:
    """One finding for each circle of files that import each other; the next is looked for without its first import."""
    graph: dict[str, dict[str, int]] = {}
    for name in sources:
        graph[name] = {}
        for target, line in imports(name, sources):
            if target != name:
                graph[name].setdefault(target, line)
    while path := _circle(graph):
        way = " → ".join(each.removeprefix(f"{PACKAGE}.") for each in [*path, path[0]])
        line = graph[path[0]].pop(path[1])
        yield Finding(sources[path[0]].file, line, f"imports in a circle: {way}; move what both need below them")


def _circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Files of which each imports the next, and the last the first; empty if there are none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        path: list[str] = error.args[1][:0:-1]
        first = path.index(min(path))
        return path[first:] + path[:first]
    return []


def game_tests(sources: Sources, games: Iterable[str]) -> Iterator[Finding]:
    """Tests for one game outside the files of that game."""
    classes = {game.capitalize() + kind: game for game in games for kind in ("", "View", "State")}
    for source in sources.values():
        parts = PurePosixPath(source.file).with_suffix("").parts
        own = {game for game in games if any(part.startswith(game) for part in parts)}
        for node in ast.walk(source.tree):
            for game in _tested(node, classes):
                if game not in own:
                    text = f"tests for {game.capitalize()}; ask the game for a capability, or move this to its files"
                    yield Finding(source.file, getattr(node, "lineno", 1), text)


def _tested(node: ast.AST, classes: Mapping[str, str]) -> set[str]:
    """The games for which an expression tests: by a class of theirs, or by the name of a game."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass") and len(node.args) == 2:
        named = {ast.unparse(each).rpartition(".")[2] for each in _members(node.args[1])}
        return {game for name, game in classes.items() if name in named}
    if isinstance(node, ast.MatchClass):
        named = {ast.unparse(node.cls).rpartition(".")[2]}
        return {game for name, game in classes.items() if name in named}
    names = set(classes.values())
    if isinstance(node, ast.Match) and isinstance(node.subject, ast.Attribute) and node.subject.attr == "name":
        return names & {text for case in node.cases for text in _texts(case.pattern)}
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".name.startswith", ".spec.startswith")):
        return names & {text.partition(":")[0] for argument in node.args for text in _texts(argument)}
    if isinstance(node, ast.Compare):
        sides = [each for side in (node.left, *node.comparators) for each in _members(side)]
        if any(isinstance(each, ast.Attribute) and each.attr == "name" for each in sides):
            values = {each.value for each in sides if isinstance(each, ast.Constant)}
            return names & values
    return set()


def _texts(node: ast.AST) -> list[str]:
    """The strings in an expression."""
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def _members(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return list(node.elts)
    if isinstance(node, ast.BinOp):
        return [*_members(node.left), *_members(node.right)]
    return [node]


def large_folders(files: Iterable[str], reasons: Mapping[str, str]) -> Iterator[Finding]:
    """Folders of more than MOST_FILES files without a reason, and reasons for folders that are much smaller."""
    count = Counter(PurePosixPath(file).parent.as_posix() for file in files)
    for folder, number in sorted(count.items()):
        if number > MOST_FILES and folder not in reasons:
            yield Finding(folder, 0, f"holds {number} files; group them by subject, or give a reason in LARGE")
    for folder in reasons:
        if count[folder] < MOST_FILES - 5:
            yield Finding(folder, 0, f"holds {count[folder]} files and needs no reason; remove it from LARGE")


def forwarders(sources: Sources) -> Iterator[Finding]:
    """Files that one other file imports and that only pass calls on."""
    users = defaultdict(set)
    for name in sources:
        for target, _ in imports(name, sources):
            users[target].add(name)
    for name, source in sources.items():
        if source.package:
            continue
        if users[name] and all(_renames(node) for node in source.tree.body):
            yield Finding(source.file, 1, "only renames what other files define; let its users import that")
        if len(users[name]) != 1:
            continue
        public = [
            node
            for node in source.tree.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_")
        ]
        if public and all(_forwards(node) for node in public):
            (user,) = users[name]
            text = f"only passes calls on, for {sources[user].file}; let that file call what it needs"
            yield Finding(source.file, public[0].lineno, text)


def _renames(node: ast.stmt) -> bool:
    """Whether a statement is an import, a docstring, ``__all__``, or a second name for something."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__all__" or isinstance(node.value, ast.Name | ast.Attribute)
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def _forwards(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Whether a function only calls another one with its own arguments."""
    if isinstance(node, ast.ClassDef) or node.decorator_list:
        return False
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if len(body) != 1 or not isinstance(body[0], ast.Return | ast.Expr):
        return False
    call = body[0].value
    call = call.value if isinstance(call, ast.Await) else call
    if not isinstance(call, ast.Call):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return all(
        isinstance(each.value if isinstance(each, ast.Starred) else each, ast.Name | ast.Constant) for each in given
    )


def main() -> None:
    """Prints every finding, and fails if there is one."""
    found = findings(Path(__file__).parents[1])
    for each in found:
        print(each)
    sys.exit(f"{len(found)} findings" if found else 0)


if __name__ == "__main__":
    main()
