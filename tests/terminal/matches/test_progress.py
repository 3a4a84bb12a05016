"""Tables in terminals of all widths: agents' names stay whole, and faults are shown in words."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console, RenderableType

from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import pairs
from ludoteca.arena.runs import Progress
from ludoteca.arena.series import SeriesPlan
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.play.conditions import Conditions
from ludoteca.play.record import Record, Who
from ludoteca.play.store import Outcome, Run
from ludoteca.players.faults import Ending, FaultTally
from ludoteca.reports.fault_summary import fault_lines
from ludoteca.reports.standings import Standings
from ludoteca.reports.text_table import TextTable
from ludoteca.terminal.matches.progress import ProgressView

SHORT = (Identity("astar", "1" * 32), Identity("beam:width=4", "2" * 32))
LONG = (
    Identity("minimax:depth=8,mobility=0.25,level=expert", "1" * 32),
    Identity("course/Ana_Perez_Gomez/solution.py:Smart_Ana", "2" * 32),
)
NAMES = ("minimax:depth=8,mobility=0.25,level=expert", "Ana_Perez_Gomez/solution.py:Smart_Ana")
LONGEST = (Identity(f"mine.{'Very' * 20}Player", "1" * 32), Identity("random", "2" * 32))
RUN = Run(1, {}, {}, "2026-11-15 12:00:00", 0, "")
ERROR = "ValueError: no cell is called 'z9'\n  File \"solution.py\", line 3"


def printed(shown: RenderableType, width: int) -> str:
    paper = io.StringIO()
    Console(file=paper, width=width, color_system=None, emoji=False).print(shown)
    found = paper.getvalue()
    assert max(map(len, found.splitlines())) <= width
    return found


def series(agents: tuple[Identity, Identity], *, complete: bool = True, faults: int = 0) -> Progress:
    plan = SeriesPlan(Conditions("hex:size=7", "0.1s"), agents, 40)
    tally, _ = plan.start("00" * 16)
    for fixture in pairs(*agents, "00" * 16, 0, 40):
        wrong = fixture.index < faults
        ending, seat = (Ending.error, 0) if wrong else (Ending.finished, None)
        score = 0.0 if wrong else float(fixture.index % 3 > 0)
        tally.add(
            fixture,
            Outcome(
                fixture.index, (2 * score - 1, 1 - 2 * score), ending, seat, str(fixture.index), ERROR if wrong else ""
            ),
        )
    return Progress(RUN, plan, tally, counted=40, fresh=40, complete=complete)


def tournament(agents: Sequence[Identity]) -> Progress:
    plan = TournamentPlan(Conditions("hex:size=7", "0.1s"), tuple(agents))
    tally, _ = plan.start("00" * 16)
    for fixture in pairs(agents[0], agents[1], "00" * 16, 0, 2):
        tally.add(fixture, Outcome(fixture.index, (0.0, 0.0), Ending.finished, None))
    return Progress(RUN, plan, tally, complete=True)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("agents", [SHORT, LONG], ids=["short", "long"])
def test_names_of_agents_stay_whole(agents: tuple[Identity, Identity], width: int) -> None:
    names = NAMES if agents is LONG else ("astar", "beam:width=4")
    seats = (Who(agents[0]), Who(agents[1]))
    records = [Record("hex", seed, seats, returns=(1.0, -1.0)) for seed in range(9)]
    for shown in (ProgressView(series(agents), "en"), ProgressView(tournament(agents), "en"), Standings.of(records)):
        found = printed(shown, width)
        for name in names:
            assert name in found


def test_a_table_is_laid_out_by_the_width() -> None:
    table = TextTable("", ["Agent", "wins", "b", "c"], [["x" * 20, "1", "", ""], ["y", "22", "3", ""]])
    assert table.width == 32
    assert printed(table.rich(32), 32).splitlines()[0].split() == ["Agent", "wins", "b", "c"]
    below = [line.split() for line in printed(table.rich(31), 31).splitlines()]
    assert below[1] == ["wins", "b", "c"] and below[3:] == [["x" * 20], ["1"], ["y"], ["22", "3"]]
    fields = ["Agent " + "x" * 20, "  wins 1", "  c –", "Agent y", "  wins 22", "  b 3  c –"]
    squeezed = [line.rstrip() for line in printed(table.rich(11), 26).splitlines()]
    assert squeezed == fields


def test_a_name_too_long_for_anything_beside_it_has_a_line_of_its_own() -> None:
    found = printed(ProgressView(series(LONGEST), "en"), 100)
    assert LONGEST[0].spec in found.splitlines()
    narrow = printed(ProgressView(series(LONGEST), "en"), 60)
    assert LONGEST[0].spec in narrow.replace("\n", "")


def test_names_are_no_markup() -> None:
    assert "a[red]b" in printed(TextTable("[t]", ["Agent"], [["a[red]b"]]).rich(40), 40)


@pytest.mark.parametrize("width", [60, 120])
def test_faults_are_listed_in_words(width: int) -> None:
    found = printed(ProgressView(series(SHORT, faults=3), "en"), width)
    flat = " ".join(found.split())
    assert "astar: 2 × error: ValueError: no cell is called 'z9'" in flat
    assert "beam:width=4: 1 × error: ValueError: no cell is called 'z9'" in flat
    assert "line 3" not in found


def test_only_the_first_line_of_the_first_message_is_shown() -> None:
    tally = FaultTally()
    for message in ("\n  first \nmore", "second"):
        tally.add(Ending.error, message)
    tally.add(Ending.timeout, "")
    tally.add(Ending.finished, "nothing wrong")
    tally.add(Ending.resigned)
    assert fault_lines([("ada", tally)]) == ["ada: 2 × error: first", "ada: 1 × out of time"]
    tally.add(Ending.crash, "x" * 1000)
    assert len(fault_lines([("ada", tally)])[2]) < 320
    assert tally.total == 4


def test_the_number_of_distinct_matches_is_shown() -> None:
    progress = series(SHORT)
    assert "40 matches, all distinct" in printed(ProgressView(progress, "en"), 80)
    plan = progress.plan
    tally, _ = plan.start("00" * 16)
    for fixture in pairs(*SHORT, "00" * 16, 0, 40):
        tally.add(fixture, Outcome(fixture.index, (1.0, -1.0), Ending.finished, None, str(fixture.index % 4)))
    again = Progress(RUN, plan, tally, counted=40, fresh=40, complete=True)
    assert "40 matches, 4 distinct: equal ones count once" in printed(ProgressView(again, "en"), 80)


def test_spanish() -> None:
    found = printed(ProgressView(series(SHORT), "es"), 80)
    assert "agente" in found and "40 partidas, todas distintas" in found
