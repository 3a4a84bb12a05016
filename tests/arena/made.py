"""Fixtures and plans for tests, with as little said as possible."""

from __future__ import annotations

from ludoteca.agents.identity import Identity
from ludoteca.arena.plan import Fixture
from ludoteca.arena.series import SeriesPlan
from ludoteca.play.conditions import Conditions
from ludoteca.ratings.sprt import Sprt


def identities(agents: tuple[str, str]) -> tuple[Identity, Identity]:
    """Agents known by their names alone."""
    return Identity(agents[0]), Identity(agents[1])


def fixture(index: int, agents: tuple[str, str], seed: int) -> Fixture:
    """A match whose agents' seeds follow from that of the deal."""
    return Fixture(index, identities(agents), seed, (2 * seed, 2 * seed + 1))


def series_plan(
    conditions: Conditions, agents: tuple[str, str], count: int, *, seed: int | None = 1, sprt: str | None = None
) -> SeriesPlan:
    """A series that begins as the game does."""
    return SeriesPlan(conditions, identities(agents), count, seed, None if sprt is None else Sprt.parse(sprt))
