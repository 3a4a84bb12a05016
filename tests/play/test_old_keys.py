from __future__ import annotations

import doctest

import pytest

from ludoteca.arena.api import plan_of
from ludoteca.arena.series import SeriesPlan
from ludoteca.arena.tournament import TournamentPlan
from ludoteca.errors import InvalidStore
from ludoteca.play import old_keys
from ludoteca.play.conditions import Conditions
from ludoteca.play.old_keys import current_key
from ludoteca.play.store import Run

CONDITIONS = {"game": "hex:size=4", "limit": "0.1s,60s/game", "memory": 2048, "margin": 0.05}
OLD_SERIES = {"kind": "match", **CONDITIONS, "agents": ["random", "astar"], "seed": 3}
OLD_TOURNAMENT = {
    "kind": "tournament", **CONDITIONS, "agents": ["random", "astar"], "format": "swiss", "games": 4, "rounds": 2,
    "seed": 1,
}  # fmt: skip


def test_the_examples_in_docstrings_are_true() -> None:
    assert doctest.testmod(old_keys) == (0, 1)


def test_old_runs_are_read() -> None:
    conditions = Conditions("hex:size=4", "0.1s,60s/match", 2048, 0.05)
    series = plan_of(Run(1, current_key(OLD_SERIES), {"count": 10, "sprt": None}, "", 0, ""))
    assert series == SeriesPlan(conditions, ("random", "astar"), 10, 3)
    cup = plan_of(Run(2, current_key(OLD_TOURNAMENT), {}, "", 0, ""))
    assert cup == TournamentPlan(conditions, ("random", "astar"), "swiss", 4, 2, 1)
    for plan in (series, cup):
        assert current_key(plan.key()) == plan.key()


def test_a_key_that_makes_no_sense_is_named() -> None:
    key = {name: value for name, value in current_key(OLD_TOURNAMENT).items() if name != "limit"}
    with pytest.raises(InvalidStore, match="run 7 has a description that cannot be read"):
        plan_of(Run(7, key, {}, "", 0, ""))
