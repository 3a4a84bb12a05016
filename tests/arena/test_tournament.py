from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import Fixture
from ludoteca.arena.tournament import Format, TournamentPlan, TournamentTally, read_file
from ludoteca.play.conditions import Conditions
from ludoteca.play.store import Outcome
from ludoteca.players.faults import Ending
from ludoteca.ratings.bradley_terry import count_seats
from tests.commands import run as run_command

NAMES = tuple(map(Identity, ("ada", "bob", "cyd", "dan", "eve", "fay")))
ADA, BOB = NAMES[:2]
Judge = Callable[[Fixture], float]


def run(plan: TournamentPlan, judge: Judge) -> tuple[TournamentTally, list[list[Fixture]]]:
    """A tournament whose matches are decided by a function instead of being played."""
    tally, rounds = plan.start("ab" * 16)
    assert isinstance(tally, TournamentTally)
    asked: list[list[Fixture]] = []
    fixtures = list(next(rounds))
    while True:
        asked.append(fixtures)
        outcomes = [
            Outcome(each.index, (2 * judge(each) - 1, 1 - 2 * judge(each)), Ending.finished, None) for each in fixtures
        ]
        for fixture, outcome in zip(fixtures, outcomes, strict=True):
            tally.add(fixture, outcome)
        try:
            fixtures = list(rounds.send(outcomes))
        except StopIteration:
            return tally, asked


def alphabetical(fixture: Fixture) -> float:
    return float(fixture.agents[0] < fixture.agents[1])


def plan(format: Format, agents: Sequence[Identity] = NAMES, matches: int = 2, rounds: int = 1) -> TournamentPlan:  # noqa: A002
    return TournamentPlan(Conditions("hex"), tuple(agents), format, matches, rounds)


@pytest.mark.parametrize("format", ["round-robin", "swiss", "gauntlet", "knockout"])
def test_every_format_numbers_its_matches_and_plays_pairs_on_one_deal(format: Format) -> None:  # noqa: A002
    chosen = plan(format, matches=4, rounds=3)
    tally, asked = run(chosen, alphabetical)
    fixtures = [fixture for each in asked for fixture in each]
    assert [fixture.index for fixture in fixtures] == list(range(chosen.total))
    for first, second in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert first.seed == second.seed
        assert first.agents == tuple(reversed(second.agents))
    assert len({fixture.seed for fixture in fixtures}) == len(fixtures) // 2
    assert tally.ranking()[0] == ADA
    assert run(chosen, alphabetical) == (tally, asked)


def test_a_round_robin_ranks_by_points_and_counts_by_seat() -> None:
    tally, _ = run(plan("round-robin"), alphabetical)
    assert tally.ranking() == list(NAMES)
    assert tally.points == dict(zip(NAMES, [10.0, 8.0, 6.0, 4.0, 2.0, 0.0], strict=True))
    counts = count_seats(tally.pairs.pairs())
    assert counts[ADA, BOB] == (1, 0, 0)
    assert counts[BOB, ADA] == (0, 0, 1)


def test_a_swiss_tournament_gives_points_for_resting() -> None:
    tally, asked = run(plan("swiss", NAMES[:5], rounds=3), alphabetical)
    assert [len(each) for each in asked] == [4, 4, 4]
    assert list(tally.byes.values()) == [1, 1, 1], "a second bye comes only after everybody had one"
    assert sum(tally.points.values()) == sum(tally.matches.values()) / 2 + 3 * 2 / 2
    assert tally.ranking()[0] == ADA


def test_a_knockout_is_won_by_surviving() -> None:
    """Bob beats everybody but plays least: rounds survived count before points."""

    def judge(fixture: Fixture) -> float:
        return float(fixture.agents[0] == BOB or (fixture.agents[1] != BOB and alphabetical(fixture)))

    tally, asked = run(plan("knockout"), judge)
    assert [len(each) for each in asked] == [4, 4, 2]
    assert tally.ranking()[0] == BOB
    assert tally.reached[BOB] == 3
    assert tally.ranking()[1] == ADA


def test_a_level_knockout_pairing_goes_on_and_then_the_first_named_goes_through() -> None:
    tally, asked = run(plan("knockout", (ADA, BOB)), lambda fixture: 0.5)
    assert [len(each) for each in asked] == [2, 2, 2, 2]
    assert tally.ranking() == [ADA, BOB]

    def late(fixture: Fixture) -> float:
        return 0.5 if fixture.index < 4 else float(fixture.agents[0] == BOB)

    tally, asked = run(plan("knockout", (ADA, BOB)), late)
    assert [len(each) for each in asked] == [2, 2, 2]
    assert tally.ranking() == [BOB, ADA]


@pytest.mark.parametrize("format", ["round-robin", "swiss", "gauntlet", "knockout"])
def test_tournaments_are_played_and_go_on(format: Format, faulty: Path, tmp_path: Path) -> None:  # noqa: A002
    agents = ["random", "mcts:simulations=1", "mcts:simulations=2"]
    if format == "round-robin":  # in the others another agent may have as few points as the one that loses every match
        agents[1:] = ["good", "loser"]
    store = tmp_path / "arena.sqlite"
    first = ludoteca.tournament("hex:size=3", agents, format=format, store=store, workers=1)
    assert first.complete
    if format == "round-robin":
        assert first.ranking[-1].spec == "loser"
        assert sum(record.ending is Ending.error for record in first.records) == 4
    assert [row["identity"] for row in first.table()] == [*map(str, first.ranking)]
    again = ludoteca.tournament("hex:size=3", agents, format=format, store=store, workers=1)
    assert (again.run, again.ranking, again.points) == (first.run, first.ranking, first.points)
    assert "<table>" in again._repr_html_()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"agents": ["random"]}, "at least two agents, not 1"),
        ({"agents": ["random", "random:"]}, "not of the form key=value"),
        ({"agents": ["random", "Random"]}, "twice; every agent takes part once"),
        ({"agents": ["random", "nobody"]}, "no agent is called 'nobody'"),
        ({"format": "league"}, "format=league is none of round-robin, swiss, gauntlet, knockout"),
        ({"matches": 3}, "matches=3: every deal is played twice with sides swapped, so take 2 or 4"),
        ({"rounds": 3}, "rounds=3: only a Swiss tournament has rounds, not round-robin"),
        ({"format": "swiss", "rounds": 0}, "rounds=0: at least one"),
        ({"limit": "1h"}, "the limit '1h' is not of the form"),
        ({"memory": 0}, "memory=0 MiB is too little"),
        ({"margin": -1.0}, "margin=-1.0 must be a number of seconds from 0 to 3600"),
        ({"workers": 0}, "workers=0: at least one process"),
    ],
)
def test_mistakes_are_explained(options: dict[str, object], complaint: str, faulty: Path) -> None:
    given = {"agents": ["random", "good"], "store": ":memory:"} | options
    with pytest.raises(ludoteca.LudotecaError) as caught:
        ludoteca.tournament("hex:size=3", **given)  # type: ignore[arg-type]
    assert complaint in str(caught.value)


def test_a_file_says_what_the_command_line_could(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text('game = "hex:size=5"\nagents = ["random", "good"]\nformat = "swiss"\nrounds = 2\nlimit = "0.1s"\n')
    assert read_file(path) == {
        "game": "hex:size=5", "agents": ["random", "good"], "format": "swiss", "rounds": 2, "limit": "0.1s",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("game = hex", "is not valid TOML"),
        ('agents = ["a"]', "has no field game"),
        ('game = "hex"', "has no field agents"),
        ('game = "hex"\nagents = [1]', "agents = [1] should be a list of strings"),
        ('game = "hex"\nagents = "a"', "agents = 'a' should be a list of strings"),
        (
            'gane = "hex"',
            "has a field 'gane'; its fields are game, agents, format, matches, rounds, limit, memory, seed",
        ),
        ('gane = "hex"', "did you mean 'game'?"),
        ("game = true", "game = True should be a string"),
        ("matches = true", "matches = True should be a whole number"),
    ],
)
def test_mistakes_in_a_file_are_explained(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "cup.toml").write_text(text)
    with pytest.raises(ludoteca.InvalidOption) as caught:
        read_file(tmp_path / "cup.toml")
    assert complaint in str(caught.value)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ludoteca.InvalidOption, match="cannot be read: No such file"):
        read_file(Path("nowhere.toml"))


def test_the_command_line_prints_stores_and_draws(faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('game = "hex:size=3"\nagents = ["random", "good", "loser"]\nmatches = 4\n')
    report = tmp_path / "report"
    done = run_command("tournament", str(tmp_path / "cup.toml"), "--matches", "2", "--workers", "1")
    assert done.returncode == 3, done.stderr
    assert "6 matches, all distinct" in done.stdout
    assert re.search(r"^\d +loser +0 +4 +0.0% +4 *$", done.stdout, re.MULTILINE)
    assert "\nloser: 4 × error: " in done.stdout
    shown = run_command("show", "last", "--report", str(report))
    assert shown.returncode == 0, shown.stderr
    assert done.stdout.split("Saved as run")[0] in shown.stdout
    tables = json.loads((report / "tables.json").read_text())
    assert [row["agent"].partition("@")[0] for row in tables["result"]][-1] == "loser"
    assert (report / "crosstable.svg").read_text().startswith("<svg")
    assert (report / "ratings.png").read_bytes().startswith(b"\x89PNG")
