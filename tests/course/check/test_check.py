"""What a check tells a student, and the exit status that it leaves for a machine."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoteca.agents import agent
from ludoteca.agents.digests import identity_of
from ludoteca.agents.files import Submission
from ludoteca.agents.files.places import Places
from ludoteca.agents.files.visible_files import python_files
from ludoteca.cli import app
from ludoteca.course.check import layout as check_layout
from ludoteca.course.check import strength as check_strength
from ludoteca.course.check.checker import examine
from ludoteca.course.check.html_report import page
from ludoteca.course.check.imports import imports
from ludoteca.course.check.layout import assumes_layout
from ludoteca.course.check.neighbour_probe import questions
from ludoteca.course.check.neighbour_text import MIRRORED, neighbours_in
from ludoteca.course.check.probe import Budget, Held, Probe
from ludoteca.course.check.report import Finding, FindingVerdict, Report
from ludoteca.course.check.settings import CheckSettings
from ludoteca.course.check.steps import legal, loads, short_limit, takes_time, which_class
from ludoteca.course.check.strength import climbs
from ludoteca.errors import InvalidAgent
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.conditions import Conditions
from ludoteca.play.match import Match
from ludoteca.players.inside import Inside
from ludoteca.players.pool import Pool
from ludoteca.players.processes.resource_usage import UsageMeter
from ludoteca.protocols import Limit
from tests.commands import run

EXAMPLE = str(Path(__file__).parents[3] / "docs" / "examples" / "Ana_Perez_Gomez")
SUBMISSIONS = Path(__file__).parents[2] / "agents" / "files" / "submissions"
LAYOUTS = Path(__file__).parent / "layouts"
LONG = 1e9
"""Seconds: a check without a deadline plays all that it would play on a quick machine."""
BELIEVER = '''
class Axial:
    """Wins and blocks in one move by neighbours that it has in its head."""

    def __init__(self, player_id):
        self.me = player_id

    def connected(self, board, who):
        n, cells = len(board), [(r, c) for r in range(len(board)) for c in range(len(board)) if board[r][c] == who]
        seen = [cell for cell in cells if cell[who == 1] == 0]
        for r, c in seen:
            for r2, c2 in ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)):
                if (r2, c2) in cells and (r2, c2) not in seen:
                    seen.append((r2, c2))
        return any(cell[who == 1] == n - 1 for cell in seen)

    def play(self, board):
        free = board.get_possible_moves()
        for who in (self.me, 3 - self.me):
            for r, c in free:
                rows = [row[:] for row in board.board]
                rows[r][c] = who
                if self.connected(rows, who):
                    return r, c
        return free[len(free) // 2]
'''


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as opened:
        yield opened


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less of everything, where more would say the same: wins to take and no threats to see."""
    wins = [(position, layout) for position, layout in questions(7) if position.kind == "win"][:6]
    monkeypatch.setattr(check_layout, "questions", lambda size: wins)
    monkeypatch.setattr(check_layout, "_matches", lambda *_: [])
    monkeypatch.setattr(check_strength, "PAIRS", 2)


def probe(pool: Pool, path: str | Path, game: str = "hex:size=5", limit: str = "5s") -> Probe:
    made = Probe(pool, identity_of(str(path), "hex"), game_of(game), MatchLimit.parse(limit), Budget(LONG))
    made.brief = made.limit
    return made


def test_a_wrong_layout_is_found_by_experiment(pool: Pool, tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text(BELIEVER)
    game = "hex:size=7,layout=even-r"
    found = assumes_layout(probe(pool, file, game), Submission.of(str(file)), LONG)
    assert found.verdict is FindingVerdict.bad
    assert found.text.startswith(f"It assumes the layout axial, but {game} has even-r: it takes cells for neighbours")
    assert [row[0] for row in found.table[1:4]] == ["axial", "even-r", "odd-r"]
    assert found.table[1][1] == "15/15" and all(row[2].endswith("/2") for row in found.table[1:4])


def test_a_player_that_asks_the_board_plays_every_layout(pool: Pool, few: None) -> None:
    found = assumes_layout(probe(pool, EXAMPLE, "hex:size=7,layout=odd-r"), Submission.of(EXAMPLE), LONG)
    assert found.verdict is FindingVerdict.good
    assert found.text == "It asks the board which cells touch, so it plays every layout."


def test_a_player_that_looks_nowhere_suits_every_layout(pool: Pool, few: None) -> None:
    file = SUBMISSIONS / "play_seconds_board.py"
    found = assumes_layout(probe(pool, file), Submission.of(str(file)), LONG)
    assert found.verdict is FindingVerdict.good and found.text.startswith("It does not look at which cells touch")


@pytest.mark.parametrize("file", sorted(LAYOUTS.glob("*.py")), ids=lambda file: file.stem)
def test_the_layout_stands_in_the_text(file: Path) -> None:
    """By tables or written out, by names, by an index or a test; in files that are too slow to be asked, too."""
    submission = Submission.of(str(file))
    found = neighbours_in(submission.places, python_files(submission))
    assert found.layouts == {file.stem.partition("_")[0] + "-r"} and not found.unclear
    assert all(each.file == file.name and each.line for each in found.named)


@pytest.mark.parametrize("name", ["even_bit", "odd_dict"])
def test_the_layout_shows_in_its_play(pool: Pool, few: None, name: str) -> None:
    file, layout = LAYOUTS / f"{name}.py", name.partition("_")[0] + "-r"
    found = assumes_layout(probe(pool, file, "hex:size=7"), Submission.of(str(file)), LONG)
    assert found.verdict is FindingVerdict.bad and found.text.startswith(
        f"It assumes the layout {layout}, but hex:size=7 has "
    )
    found = assumes_layout(probe(pool, file, f"hex:size=7,layout={layout}"), Submission.of(str(file)), LONG)
    assert found.verdict is FindingVerdict.good and found.text.startswith(f"It assumes the layout {layout}, which ")


def test_wins_that_the_board_shows_do_not_hide_neighbours_of_its_own(pool: Pool, few: None) -> None:
    file = LAYOUTS / "odd_mixed.py"
    found = assumes_layout(probe(pool, file, "hex:size=7"), Submission.of(str(file)), LONG)
    assert found.verdict is FindingVerdict.bad and found.text.startswith(
        "It assumes the layout odd-r, but hex:size=7 has axial"
    )
    assert "odd_mixed.py, line 7: neighbours of odd-r" in found.details


@pytest.mark.parametrize(
    ("text", "named", "unclear"),
    [
        ("STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]", "axial", False),
        ("STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]", MIRRORED, False),
        ("def f(x, y):\n return [(x-1, y), (x-1, y+1), (x, y-1), (x, y+1), (x+1, y-1), (x+1, y)]", "axial", False),
        ("STEPS = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1)]", "", True),  # of which rows?
        ("def f(b, r, c):\n return b[r - 1][c], b[r + 1][c]", "", True),
        ("for d in range(-1, 2):\n print(d)", "", True),
        ("CORNERS = [(0, 0), (0, 10), (10, 0), (10, 10)]\nBRIDGES = [(-2, 1), (2, -1), (1, 1)]", "", False),
        ("def f(board):\n return board.get_neighbors(0, 0)", "", False),
    ],
)
def test_of_a_text_no_more_is_claimed_than_it_says(tmp_path: Path, text: str, named: str, unclear: bool) -> None:
    file = tmp_path / "solution.py"
    file.write_text(text)
    found = neighbours_in(Places(file), [file])
    assert found.layouts == ({named} if named else set()) and found.unclear == unclear
    assert found.asks_board == ("board" in text)


def test_what_was_not_seen_is_not_called_fit(pool: Pool) -> None:
    """No time for a decision: neither its time nor its moves are known. A slow player gets the time that it needs."""
    short = probe(pool, EXAMPLE)
    short.budget = Budget(0.0)
    report = Report("ana", "hex:size=5", "5s", [takes_time(short, 0.0), legal(short, 0.0)])
    assert [each.verdict for each in report.findings] == [FindingVerdict.unknown, FindingVerdict.unknown]
    assert (report.fit, report.exit_status, report.mark) == (False, 3, "?")
    assert report.summary.startswith("Not decided whether ana is fit to play hex:size=5: nothing wrong was found")
    assert report.in_brief.startswith("Time: It made too few decisions")
    report.findings.append(Finding(say("Legal"), FindingVerdict.bad, "no"))
    assert report.exit_status == 1
    slow = probe(pool, EXAMPLE)
    slow.budget = Budget(0.0, LONG)
    report = Report("ana", "hex:size=5", "5s", [takes_time(slow, 0.0), legal(slow, 0.0)])
    assert (report.fit, report.exit_status, report.mark) == (True, 0, "✓")
    assert len(slow.times) == 6


def test_a_fault_that_comes_late_is_seen_of_a_slow_player_too(pool: Pool, tmp_path: Path) -> None:
    """Three legal decisions say nothing about the fourth."""
    file = tmp_path / "solution.py"
    file.write_text("class P:\n    moves = 0\n    def play(self, board):\n        self.moves += 1\n"
                    "        return board.get_possible_moves()[0] if self.moves < 4 else None\n")  # fmt: skip
    slow = probe(pool, file)
    slow.budget = Budget(0.0, LONG)
    assert takes_time(slow, 0.0).verdict is FindingVerdict.good
    found = legal(slow, 0.0)
    assert found.verdict is FindingVerdict.bad and "illegal action" in found.text and "returned None" in found.text


def test_what_the_machine_did_is_not_the_submissions_fault(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel reports that its process waited for a core longer than the margin: nothing is decided."""
    file = tmp_path / "solution.py"
    file.write_text("import time\n\nclass P:\n    def play(self, board):\n        time.sleep(0.2)\n"
                    "        return board.get_possible_moves()[0]\n")  # fmt: skip
    late = tmp_path / "late.py"
    late.write_text("import time\ntime.sleep(0.5)\n" + file.read_text())
    monkeypatch.setattr(UsageMeter, "new_wait_seconds", lambda meter: 1.0)
    asked = probe(pool, file, limit="0.05s")
    found = takes_time(asked, LONG)
    assert (
        found.verdict is FindingVerdict.unknown and found.needed and found.text.startswith("This machine is too busy")
    )
    with Pool(build_timeout=0.2) as hasty:
        busy = loads(probe(hasty, late))
        assert busy.verdict is FindingVerdict.unknown and busy.needed and busy.text == found.text
        monkeypatch.setattr(UsageMeter, "new_wait_seconds", lambda meter: 0.0)
        slow = loads(probe(hasty, late))
    assert slow.verdict in (FindingVerdict.bad, FindingVerdict.unknown)
    if slow.verdict is FindingVerdict.bad:  # we noticed in time that it was late
        assert "needed more than 0.2 seconds to be built" in slow.text


def test_our_own_agents_do_not_lose_by_the_clock_of_a_check() -> None:
    """On a busy machine that would be a win for the submission, and a rating that it does not have."""
    game = game_of("hex:size=5")
    match = Match(game, 1, limit=MatchLimit(0.000_001), margin=0.0)
    held = Held(Inside.around(agent("mcts")(game, 0, 0)), Limit(nodes=50))
    assert match.step({0: held}) and len(match.actions) == 1


def test_a_fault_on_the_size_that_is_played_is_a_problem_and_elsewhere_a_note(pool: Pool, tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text("class P:\n    def play(self, board):\n        assert board.size == 7\n"
                    "        return board.get_possible_moves()[0]\n")  # fmt: skip
    good = probe(pool, file, "hex:size=7")
    assert takes_time(good, LONG).verdict is FindingVerdict.good
    found = legal(good, LONG)
    assert found.verdict is FindingVerdict.note
    assert (
        "On hex:size=5: error, as seat 0 in move 1: AssertionError (solution.py, line 3, in play: assert " in found.text
    )
    bad = probe(pool, file, "hex:size=5")
    takes_time(bad, LONG)
    found = legal(bad, LONG)
    assert found.verdict is FindingVerdict.bad and found.text.startswith("error, as seat 0 in move 1: AssertionError")


def test_the_clock_ignored_is_reported(pool: Pool, tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text("import time\n\nclass P:\n    def play(self, board):\n        time.sleep(0.7)\n"
                    "        return board.get_possible_moves()[0]\n")  # fmt: skip
    asked = probe(pool, file, limit="5s")
    found = short_limit(asked)
    assert found.verdict is FindingVerdict.note and "it ignores the time that it is given" in found.text
    assert asked.brief == asked.limit
    late = probe(pool, file, limit="0.2s")
    found = takes_time(late, LONG)
    assert found.verdict is FindingVerdict.bad and "out of time: the agent needed more than 0.25 seconds" in found.text


@pytest.mark.parametrize("game", ["dominoes", "kittens", "horses"])
def test_a_plain_agent_climbs_the_ladder_of_every_game(pool: Pool, game: str) -> None:
    asked = probe(pool, SUBMISSIONS / "plain_agent.py", game)
    asked.limit = asked.brief = MatchLimit.parse("1s")
    assert loads(asked).verdict is FindingVerdict.good
    found = climbs(asked, LONG, pairs=2)
    assert found.table[1][0] == "random" and len(found.table) == 3
    assert "on the ladder where random has 0, after 4 matches" in found.text


def test_the_class_is_found_without_running_anything() -> None:
    found = which_class(Submission.of(str(SUBMISSIONS / "all_in_one_file.py")))
    assert found.text == "MCTSPlayer (line 29): it is the only one besides RandomPlayer."
    assert found.details[0] == "It is built by MCTSPlayer(player_id) and asked by play(board)."
    assert not any("not handed in" in each for each in found.details)
    found = which_class(Submission.of(EXAMPLE))
    assert found.details[-1] == (
        "These modules were not handed in, so it gets ours: board (HexBoard), player (Player)."
    )
    assert which_class(Submission.of(str(SUBMISSIONS / "broken_syntax.py"))).verdict is FindingVerdict.unknown


def test_packages_that_are_missing_are_named_with_what_installs_them() -> None:
    found = imports(Submission.of(str(SUBMISSIONS / "broken_missing_package" / "solution.py")), None)
    assert found.verdict is FindingVerdict.note and "pip install a_package_that_nobody_has" in found.text
    assert found.details == (
        "solution.py, line 2: it imports a_package_that_nobody_has, which is not installed here",
        "requirements.txt, a-package-that-nobody-has ==1.0: missing",
    )
    found = imports(Submission.of(str(SUBMISSIONS / "plain_agent.py")), ())
    assert found.verdict is FindingVerdict.good and found.text.startswith("It needs none but Python's own library")
    assert imports(Submission.of(str(SUBMISSIONS / "broken_syntax.py")), ()).text.startswith(
        "broken_syntax.py, line 5: this is not Python"
    )


def test_imports_are_held_against_what_the_course_offers(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text("import os, helper\nimport numpy\n\ndef later():\n    import torch\n")
    (tmp_path / "helper.py").write_text("import numpy\nfrom PIL import Image\n")
    found = imports(Submission.of(str(file)), ("Pillow",))
    assert found.verdict is FindingVerdict.bad
    assert found.text == "solution.py, line 2: it imports numpy, which this course does not offer"
    assert found.details[:2] == (
        "helper.py, line 1: it imports numpy, which this course does not offer",
        "solution.py, line 5: it imports torch, which this course does not offer (not as soon as it is loaded, so it "
        "may do without)",
    )
    found = imports(Submission.of(str(file)), ("Pillow >= 9", "NumPy"))
    assert found.verdict is FindingVerdict.good or "pillow" in found.text
    found = imports(Submission.of(str(file)), None)
    assert found.verdict is FindingVerdict.note
    assert "ask whether your course offers them" in found.text or "pip install" in found.text


def test_a_neighbour_that_is_a_player_is_no_module_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "ana.py").write_text("import math\nimport tools, ben\n\nclass A:\n    pass\n")
    (tmp_path / "ben.py").write_text(BELIEVER)
    (tmp_path / "tools.py").write_text("X = 1\n")
    found = imports(Submission.of(str(tmp_path / "ana.py")), ())
    assert found.verdict is FindingVerdict.bad
    assert found.text.startswith("ana.py, line 2: it imports ben.py, which is taken for another's submission")
    (tmp_path / "ana.py").rename(tmp_path / "solution.py")
    assert imports(Submission.of(str(tmp_path / "solution.py")), ()).verdict is FindingVerdict.good


def test_what_is_no_submission_for_the_game_is_refused() -> None:
    with pytest.raises(InvalidAgent, match="random is not a file"):
        CliRunner().invoke(app, ["check", "random"], catch_exceptions=False)
    with pytest.raises(InvalidAgent, match=r"so it plays hex, not kittens"):
        examine(Submission.of(EXAMPLE), CheckSettings(Conditions.of("kittens", "1s")))


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href", "onerror", "onclick"} & {name for name, _ in attrs}


def test_the_page_fetches_nothing_and_what_a_player_prints_stays_text() -> None:
    report = Report("<b>me</b>", "hex", "5s")
    hostile = "│ <script>alert(1)</script><img src=x onerror=alert(1)>"
    table = ((say("game"), "<i>"), ("hex", "&"))
    report.findings.append(Finding(say("Prints"), FindingVerdict.bad, say("Nothing."), (hostile,), table))
    text = page(report, "es")
    reader = Reader()
    reader.feed(text)
    assert not {"script", "img", "b", "i", "link"} & {*reader.tags}
    assert '<html lang="es">' in text and "width=device-width" in text and "prefers-color-scheme: dark" in text


def test_the_command_says_it_in_the_language_and_by_its_exit_status(tmp_path: Path) -> None:
    """Broken: 1, with the line of the author's file. Not a file: 2."""
    html, file = tmp_path / "page.html", SUBMISSIONS / "broken_missing_package"
    broken = run("check", str(file), "--html", str(html), "--language", "es")
    assert broken.returncode == 1, broken.stderr
    assert "No module named 'a_package_that_nobody_has' (solution.py, line 2, in <module>: import " in broken.stdout
    assert "requirements.txt, línea 1" in broken.stdout
    assert "broken_missing_package no está listo para jugar a hex" in broken.stdout
    assert "(solution.py, line 2, in &lt;module&gt;" in html.read_text(encoding="utf-8")
    nowhere = run("check", "nowhere.py")
    assert nowhere.returncode == 2 and "there is no file nowhere.py" in nowhere.stderr


def test_beside_a_course_it_is_checked_for_that_course(tmp_path: Path) -> None:
    (tmp_path / "felix").mkdir()
    (tmp_path / "felix" / "solution.py").write_text("import tensorflow\nclass F:\n    def play(self, board): ...\n")
    (tmp_path / "course.toml").write_text('time = 2.0\npackages = ["numpy"]\n[options]\nsize = 4\n')
    command = ["check", str(tmp_path / "felix")]
    output = CliRunner().invoke(app, command)
    assert output.exit_code == 1
    assert "solution.py, line 1: it imports tensorflow, which this course does not offer" in output.stdout
    assert "felix is not fit to play hex:size=4" in output.stdout
    output = CliRunner().invoke(app, [*command, "--packages", "tensorflow, keras", "--game", "hex:size=3"])
    assert "does not offer" not in output.stdout and "felix is not fit to play hex:size=3" in output.stdout
    (tmp_path / "course.toml").write_text("tiem = 2.0\n")
    assert "there is no key tiem; the keys here are" in str(CliRunner().invoke(app, command).exception)


def test_a_whole_check_counts_what_is_printed(few: None) -> None:
    settings = CheckSettings(Conditions.of("hex:size=5", "60s"), seconds=LONG)
    report = examine(Submission.of(str(SUBMISSIONS / "prints_a_lot.py")), settings)
    assert report.fit
    titles = {each.title: each for each in report.findings}
    assert {
        "Loads",
        "Class",
        "Time",
        "Short limit",
        "Legal",
        "Neighbours",
        "Same seed",
        "Strength",
        "Memory",
        "Prints",
    } <= {*titles}
    assert titles["Prints"].details[0] == "│ thinking about (0, 0)"
