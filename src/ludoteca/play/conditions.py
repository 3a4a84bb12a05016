"""What all the matches of a run share: game, limits, memory."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from ludoteca import agents as registry
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.play.clock import MatchLimit

__all__ = ["MARGIN", "MEMORY", "Conditions"]

MARGIN = 0.05
"""Seconds that the referee's clock forgives beyond a limit: what pipes and a busy machine may cost an honest agent."""
MEMORY = 2048
"""MiB that an agent in a process of its own may take by default, beyond what Python and our core take."""


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
        if registry.is_ours(spec):
            registry.agent(spec)(game_of(self.game), 0, 0)
        return spec
