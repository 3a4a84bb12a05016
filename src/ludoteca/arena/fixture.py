"""What is to be played: one match of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoteca.agents.identity import Identity
from ludoteca.play.seeds import agent_seed, deal_seed
from ludoteca.protocols import Action

__all__ = ["Fixture", "pairs"]


@dataclass(frozen=True)
class Fixture:
    """One match to be played; its index is its place in the run. It never holds the run's secret."""

    index: int
    agents: tuple[Identity, Identity]
    """By seat."""
    seed: int
    """What the match is dealt from."""
    agent_seeds: tuple[int, int]
    opening: tuple[Action, ...] = ()
    """Actions that are played before anybody is asked."""

    def to_json(self) -> str:
        """One line, from which `from_json` makes an equal fixture."""
        agents = [agent.to_json() for agent in self.agents]
        return json.dumps(vars(self) | {"agents": agents}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Fixture:
        """What `to_json` wrote."""
        fields = json.loads(text)
        first, second = map(Identity.from_json, fields["agents"])
        seeds, opening = tuple(fields["agent_seeds"]), tuple(fields["opening"])
        return cls(fields["index"], (first, second), fields["seed"], seeds, opening)


def pairs(
    first: Identity,
    second: Identity,
    secret: str,
    start: int,
    count: int,
    openings: Sequence[tuple[Action, ...]] = (),
    deal: int | None = None,
) -> Iterator[Fixture]:
    """`count` matches from index `start` on, both even: pairs on the same deal and opening with the seats exchanged.

    deal: the number of the first pair's deal and opening, for pairings that all play the same ones; by default every
    pair of the run has its own.

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
