"""The commands that pages tell people to type run, in a folder with the files that the pages mention.

What takes its time is asked for less: two matches, twenty nodes. What cannot run here is only parsed, in `test_docs`;
ONLY_PARSED says what that is, and why.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoteca.cli import main
from tests.docs.test_docs import ROOT, blocks

SOLUTION = ROOT / "docs" / "examples" / "Ana_Perez_Gomez" / "solution.py"
PLAYER = """
class {name}:
    def __init__(self, game, seat, seed):
        pass

    def act(self, view, limit):
        return view.legal()[0]
"""
ONLY_PARSED = {
    r"serve\b": "a server runs until somebody stops it; tests/web starts it",
    r"advise\b": "asks until its input ends; tests/terminal/advising runs it",
    r"check\b": "plays for a minute or so; tests/course/check/test_check.py runs it",
    r"course\b": "a whole class's tournament; tests/course runs one",
    r"league (?!init)": "needs a league, or runs for a term; tests/league hands in, serves, plays and finishes one",
    r".*\bmohex\b": "needs another program, which is not here",
    r".*\bppo_player\b": "needs what train.py has learnt; tests/adapters/test_ppo.py trains and plays it",
    r"htp\b": "reads in a thread that ends with its process only; tests/adapters/htp/test_server.py runs it",
    r"train\b": "imports PyTorch, if only to print its help; tests/learn and tests/test_imports.py run it",
    r"(?:(?:play|match) (?:nim|kuhn|leduc|tictactoe)|convert matches.jsonl matches.kuhn)\b": (
        "needs the example to be installed; tests/docs/test_extension.py installs and runs it"
    ),
    r"play openspiel:|match openspiel:": "needs OpenSpiel; docs/openspiel.md and tests/agents play it",
    r"play hex --language fr": "needs the catalogue that the page begins; tests/web/test_language_menu.py begins one",
    r"puzzles\b": "plays and proves for a while; tests/terminal/analysis/test_puzzles.py makes and checks a few",
    r"openings\b|solve hex:size=6\b": "seconds of search; its own tests run a smaller one",
}
"""By how a command begins, why it does not run here."""
COMPLAINTS = {"convert broken.sgf -": "move 1, z26: 'z26' is no cell of hex:orientation=standard: cells are a1 to k11"}
"""Commands that fail, as the page says, and with which words."""
ALIKE = {
    "mi_jugador.Hoy": "my_player.Today",
    "mi_jugador.Ayer": "my_player.Yesterday",
    "today/solution.py": "ana/solution.py",
    "yesterday/solution.py": "luis/solution.py",
    "informe/": "report/",
}
"""What differs between pages in its name only runs once."""
LINE = re.compile(r"^\$ (?:cat (?P<file>\S+) \| )?ludoteca (?P<command>.*)$", re.MULTILINE)


def commands() -> list[tuple[str, str]]:
    """Every command of the pages, without comments, and the file that is piped into it, if one is."""
    found = {
        (shlex.join(shlex.split(match["command"], comments=True)), match["file"] or "")
        for block in blocks("console")
        for match in LINE.finditer(block.values[0])
    }
    return sorted(found)


def why_not(command: str) -> str | None:
    """The pattern of ONLY_PARSED that a command fits."""
    plain = " ".join(shlex.split(command))
    return next((pattern for pattern in ONLY_PARSED if re.match(pattern, plain)), None)


def small(command: str) -> str:
    """The command, with two matches and twenty nodes where it plays, and two deals where it solves several."""
    words = shlex.split(command)
    if words[0] == "solve" and "--seeds" in words:
        words[words.index("--seeds") + 1] = "2"
        return shlex.join(words)
    if words[0] not in ("match", "tournament", "analyze", "review"):
        return command
    size = {"match": "-n", "tournament": "--matches"}.get(words[0])
    words = [ALIKE.get(word, word) for word in words]
    for option in ("--limit", size):
        if option in words:
            del words[(at := words.index(option)) : at + 2]
    words += ["--limit", "20n"]
    return shlex.join([*words, size, "2", "--workers", "1"] if size else words)


RUN = sorted({(small(command), file) for command, file in commands() if why_not(command) is None})
REPORTED = {(command.replace(" --report report/", ""), file) for command, file in RUN if " --report report/" in command}
RUN = [each for each in RUN if each not in REPORTED]  # what also writes a report runs once, with it


def typed(command: str, typing: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Runs a command in this process, as if somebody had typed what is in a file; its exit status."""
    monkeypatch.setattr(sys, "argv", ["ludoteca", *map(os.path.expanduser, shlex.split(command))])
    with typing.open(encoding="utf-8") as answers:
        monkeypatch.setattr(sys, "stdin", answers)
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0)
        return 0


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the files that the pages mention, a match that waits, and two runs in the store."""
    folder = tmp_path_factory.mktemp("typed")
    places = ("", "path/to", "ana", "luis", "my_folder", "Nombre_Apellido1_Apellido2")
    for place in places:
        (folder / "work" / place).mkdir(parents=True, exist_ok=True)
        shutil.copy(SOLUTION, folder / "work" / place / "solution.py")
    files = {
        "my_player.py": PLAYER.format(name="Today") + PLAYER.format(name="Yesterday"),
        "cautious.py": PLAYER.format(name="Cautious"),
        "old.sgf": "(;GM[11]FF[4]SZ[11];B[a1];W[b2])",
        "broken.sgf": "(;GM[11]FF[4]SZ[11]\n;B[z26])",
        "quit": "quit\n",
    }
    for name, text in files.items():
        (folder / "work" / name).write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(folder / "state"))
        patched.chdir(folder / "work")
        for command in (
            "play hex:size=3 --against random",
            "match hex:size=3 random random -n 2 --workers 1",
            "match hex:size=4 random astar -n 18 --workers 1",
            "export last --to sgf --out all.sgf",
        ):
            assert typed(command, Path("quit"), patched) == 0
    (folder / "home" / ".local").mkdir(parents=True)
    (folder / "home" / ".local" / "state").symlink_to(folder / "state")
    for part in ("state", "work"):
        shutil.copytree(folder / part, folder / "before" / part)
    yield folder
    sys.path[:] = [each for each in sys.path if each != str(folder / "work")]


@pytest.mark.parametrize(("command", "file"), RUN)
def test_what_pages_tell_people_to_type_runs(
    command: str,
    file: str,
    prepared: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for part in ("state", "work"):  # each command finds the same, and where it was: `last` is the last run of a folder
        shutil.rmtree(prepared / part)
        shutil.copytree(prepared / "before" / part, prepared / part)
    monkeypatch.setenv("XDG_STATE_HOME", str(prepared / "state"))
    monkeypatch.setenv("HOME", str(prepared / "home"))
    monkeypatch.chdir(prepared / "work")
    monkeypatch.setattr(sys, "path", sys.path[:])
    status, output = typed(command, Path(file or "quit"), monkeypatch), capfd.readouterr()
    assert status == (2 if command in COMPLAINTS else 0), output.err
    assert COMPLAINTS.get(command, "") in output.err
    assert "Traceback" not in output.err


def test_what_is_only_parsed_is_there_and_has_a_reason() -> None:
    used = {why_not(command) for command, _ in commands()}
    assert set(ONLY_PARSED) - used == set(), "nothing in the pages begins so any more"
    assert set(COMPLAINTS) <= {command for command, _ in commands()}
    for reason in ONLY_PARSED.values():
        for path in re.findall(r"(?:tests|docs)/[\w/.]*\w", reason):
            assert (ROOT / path).exists(), path
