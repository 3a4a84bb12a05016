"""The ladder that is shipped is whole, and the command that measures it gives the same again."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

import ludoteca
from bench.strength.ladder import LADDERS, Plan, measure, pairings, played_as
from bench.strength.ladder_matches import LIMIT
from ludoteca import agents, games
from ludoteca.play.match import Match
from ludoteca.play.openings import needs_openings
from ludoteca.players.faults import Ending
from ludoteca.reports.ladder import ANCHOR, FOLDER, MATCHES, Ladder, all_ladders, ladder_matches, ladders


def test_the_same_command_measures_the_same_with_any_number_of_workers() -> None:
    plan = Plan("horses:size=5", ("minimax:level=beginner", "minimax"), matches=6, limit="500n")
    one, other = measure(plan, 1), measure(plan, 2)
    assert replace(one, date="") == replace(other, date="")
    assert [rung.agent for rung in one.rungs][-1] == ANCHOR and one.matches == 18
    assert Ladder.from_json(one.to_json()) == one


def test_hex_agents_begin_from_openings_and_fill_the_gap_to_chance() -> None:
    plan = Plan("hex:size=4", ("astar",), matches=6, chances=(0.5,))
    assert sorted(played_as(plan).values()) == [("astar", 0.0), ("astar", 0.5), (ANCHOR, 0.0)]
    ladder = measure(plan, 1)
    assert ladder.openings and {rung.chance for rung in ladder.of_agent("astar")} == {0.0}


def test_only_agents_of_similar_strength_meet() -> None:
    plan = Plan("horses:size=5", ("minimax:level=beginner", "minimax", "engine"), matches=2, reach=2)
    names = list(played_as(plan))
    assert names[0] == ANCHOR and len(pairings(plan)) == 5
    assert (names[0], names[3]) not in pairings(plan) and len(pairings(replace(plan, reach=0))) == 6


def test_files_are_named_by_their_games() -> None:
    assert sorted(plan.file for plan in LADDERS) == sorted(path.name for path in FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_shipped_ladder_is_what_its_plan_asks_for(path: Path) -> None:
    ladder = Ladder.from_json(path.read_text(encoding="utf-8"))
    plan = next(plan for plan in LADDERS if plan.file == path.name)
    assert ladder.game == ludoteca.game(plan.game).spec
    assert (ladder.limit, ladder.per_pairing) == (plan.limit, plan.matches)
    assert ladder.openings == needs_openings(ludoteca.game(plan.game))
    assert {(rung.agent, rung.chance) for rung in ladder.rungs} == set(played_as(plan).values())
    assert [rung.elo for rung in ladder.rungs] == sorted((rung.elo for rung in ladder.rungs), reverse=True)
    met = Counter(name for pairing in pairings(plan) for name in pairing)
    expected = {each: plan.matches * met[name] for name, each in played_as(plan).items()}
    for rung in ladder.rungs:
        assert rung.matches == expected[rung.agent, rung.chance]
        assert (rung.low is None or rung.low <= rung.elo) and (rung.high is None or rung.elo <= rung.high)
        assert (rung.elo, rung.low, rung.high) == (0, 0, 0) or rung.agent != ANCHOR


@pytest.mark.parametrize("name", games.names())
def test_every_agent_of_ours_is_rated(name: str) -> None:
    rated = [ladder for ladder in ladders(name) if ladder.game == name]
    assert len(rated) == 1 and ladders(name)[0] == rated[0]
    for agent in agents.names(name):
        assert rated[0].of_agent(agent), f"{agent} has no rating: {rated[0].command}"


@pytest.mark.parametrize("ladder", all_ladders(), ids=lambda ladder: ladder.name)
def test_the_matches_of_a_ladder_can_be_replayed_under_todays_rules(ladder: Ladder) -> None:
    records = ladder_matches(ladder.name)
    agents = [rung.agent for rung in ladder.rungs if not rung.chance and rung.agent not in ladder.slow]
    assert len(records) == 2 * (len(agents) - 1), "play them again: python -m bench.strength.ladder_matches"
    neighbours = {frozenset(map(ludoteca.agents.canonical, pair)) for pair in itertools.pairwise(agents)}
    assert {frozenset(each.spec for each in record.agents) for record in records} == neighbours
    assert len({record.digest for record in records}) == len(records)
    for record in records:
        match = Match.of_record(record)
        again = Match(match.game, record.seed, record.actions, start=record.start)
        assert (match.game.spec, record.limit) == (ladder.game, LIMIT)
        assert record.ending is Ending.finished
        assert again.turn is None and again.returns() == record.returns
        assert match.digest() == record.digest and tuple(again.movers) == record.movers


def test_the_matches_that_come_along_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob(f"*{MATCHES}")) <= 300_000


def test_a_strangers_game_has_no_ladder() -> None:
    assert ladders("chess") == []
