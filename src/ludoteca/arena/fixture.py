"""What is to be played: one match of a run, and what all its matches share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from ludoteca import agents as registry
from ludoteca.arena.limits import MatchLimit
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of

__all__ = ["MARGIN", "MEMORY", "Conditions", "Fixture", "match_seed", "pairs"]

MARGIN = 0.05
"""Seconds that the referee's clock forgives beyond a limit: what pipes and a busy machine may cost an honest agent."""
MEMORY = 2048
"""MiB that an agent in a process of its own may take by default, beyond what Python and our core take."""


@dataclass(frozen=True)
class Fixture:
    """One match to be played; its index is its place in the run."""

    index: int
    agents: tuple[str, str]
    """The specs of the agents by seat."""
    seed: int


@dataclass(frozen=True)
class Conditions:
    """What all the matches of a run share."""

    game: str
    limit: str = "1s"
    memory: int | None = MEMORY
    margin: float = MARGIN

    @classmethod
    def of(cls, game: str, limit: str, memory: int | None = MEMORY, margin: float = MARGIN) -> Conditions:
        """The same conditions in their canonical form. Raises InvalidGame and InvalidOption."""
        if memory is not None and memory < 1:
            raise InvalidOption(f"memory={memory} MiB is nothing; at least 1, or none at all for no limit")
        if margin < 0:
            raise InvalidOption(f"margin={margin} seconds is less than nothing")
        return cls(game_of(game).spec, str(MatchLimit.parse(limit)), memory, margin)

    def to_json(self) -> str:
        """One line, from which `from_json` makes equal conditions."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Conditions:
        """What `to_json` wrote."""
        return cls(**json.loads(text))

    def admit(self, agent: str) -> str:
        """The agent's canonical spec. Raises InvalidAgent for one that does not exist or does not play this game.

        A trusted agent is also built once, so that a wrong option of it is a mistake now and no fault in every match.
        """
        spec = registry.canonical(agent)
        game = game_of(self.game).name
        if not registry.plays_game(spec, game):
            raise InvalidAgent(
                f"{agent} does not play {game}; the agents that do are {', '.join(registry.names(game))}"
            )
        if registry.is_native(spec):
            registry.agent(spec)(game_of(self.game), 0, 0)
        return spec


def match_seed(run_seed: int, pair: int) -> int:
    """The seed from which both matches of a pair are dealt; below 2**53, so that JSON holds it everywhere."""
    digest = hashlib.sha256(f"ludoteca match {run_seed} {pair}".encode()).digest()
    return int.from_bytes(digest[:8], "little") >> 11


def pairs(first: str, second: str, run_seed: int, start: int, count: int) -> Iterator[Fixture]:
    """`count` matches from index `start` on, both even: pairs on the same deal with the seats exchanged.

    >>> [(fixture.index, fixture.agents) for fixture in pairs("a", "b", 0, 0, 4)]
    [(0, ('a', 'b')), (1, ('b', 'a')), (2, ('a', 'b')), (3, ('b', 'a'))]
    """
    for index in range(start, start + count):
        seats = (first, second) if index % 2 == 0 else (second, first)
        yield Fixture(index, seats, match_seed(run_seed, index // 2))
