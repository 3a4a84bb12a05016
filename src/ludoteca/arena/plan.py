"""What a run is to play: single fixtures, and the plan that asks for them. Equal plans ask for equal matches."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ludoteca.agents.identity import Identity
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.messages import say
from ludoteca.play.conditions import Conditions
from ludoteca.play.seeds import agent_seed, deal_seed
from ludoteca.play.store import Outcome, Run
from ludoteca.protocols import Action
from ludoteca.ratings.pairs import Result


@dataclass(frozen=True)
class Fixture:
    """One match to be played. It never holds the run's secret."""

    index: int
    """Its place in the run."""
    agents: tuple[Identity, Identity]
    """The identities of the agents by seat."""
    seed: int
    """The seed of the deal."""
    agent_seeds: tuple[int, int]
    opening: tuple[Action, ...] = ()
    """Actions that are played before the first agent is asked."""

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it back."""
        agents = [agent.to_json() for agent in self.agents]
        return json.dumps(vars(self) | {"agents": agents}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Fixture:
        """The fixture that `to_json` wrote."""
        fields = json.loads(text)
        first, second = map(Identity.from_json, fields["agents"])
        seeds, opening = tuple(fields["agent_seeds"]), tuple(fields["opening"])
        return cls(fields["index"], (first, second), fields["seed"], seeds, opening)


Openings = Sequence[tuple[Action, ...]]
"""The first actions of each pair of matches, in the order of the pairs."""
Rounds = Generator[Iterable[Fixture], Sequence[Outcome], None]
"""Yields the fixtures of a round, and is sent their outcomes in the same order before the next round."""


class Tally(Protocol):
    """Counts the matches of a run, in the order of their indexes."""

    def add(self, fixture: Fixture, outcome: Outcome) -> bool:
        """Count a match. True when no more matches are needed."""


class Plan(Protocol):
    """A run to be played."""

    @property
    def conditions(self) -> Conditions:
        """What all its matches share."""

    @property
    def total(self) -> int:
        """How many matches it has at most."""

    def key(self) -> dict[str, Any]:
        """Identifies the run: plans with equal keys ask for the same matches at the same places."""

    def goal(self) -> dict[str, Any]:
        """How far to play; another goal with the same key continues the same run."""

    def start(self, secret: str, openings: Openings = ()) -> tuple[Tally, Rounds]:
        """An empty tally, and the rounds to be counted by it. Seeds come from the run's secret.

        openings: one for each pair; without any, matches begin with the deal.
        """

    @property
    def openings(self) -> str:
        """Where pairs begin: ``none``, ``suite`` for the game's own suite, or a file's name and digest."""

    @property
    def seed(self) -> int | None:
        """The explicit seed of a repeatable experiment; None for a run with a random secret."""


def pairs(
    first: Identity,
    second: Identity,
    secret: str,
    start: int,
    count: int,
    openings: Openings = (),
    deal: int | None = None,
) -> Iterator[Fixture]:
    """`count` matches from index `start` on, both even: pairs on the same deal and opening with sides swapped.

    deal: the number of the first pair's deal and opening, where all pairings share them; by default every pair of the
    run has its own.

    >>> a, b = Identity("a"), Identity("b")
    >>> [(fixture.index, fixture.agents == (a, b)) for fixture in pairs(a, b, "00" * 16, 0, 4)]
    [(0, True), (1, False), (2, True), (3, False)]
    """
    for index in range(start, start + count):
        seats = (first, second) if index % 2 == 0 else (second, first)
        pair = index // 2 if deal is None else deal + (index - start) // 2
        yield Fixture(
            index,
            seats,
            deal_seed(secret, pair),
            (agent_seed(secret, index, 0), agent_seed(secret, index, 1)),
            openings[pair % len(openings)] if openings else (),
        )


def result_of_match(fixture: Fixture, outcome: Outcome) -> Result[Identity]:
    """A match of a run as the ratings count it."""
    return Result(fixture.agents, outcome.score, str(fixture.index // 2), outcome.digest, outcome.returns)


def even(name: str, count: int) -> int:
    """`count` if it is a positive even number. Raises InvalidOption."""
    if count < 2 or count % 2:
        near = say("{low} or {high}", low=count - 1, high=count + 1) if count > 2 else "2"
        raise InvalidOption(
            "{name}={count}: every deal is played twice with sides swapped, so take {near}",
            name=name,
            count=count,
            near=near,
        )
    return count


def unreadable(run: Run) -> InvalidStore:
    """The error for a stored run whose plan cannot be read."""
    return InvalidStore("run {run} has a description that cannot be read: {key}", run=run.id, key=run.key)
