"""`engine`: the strongest player that each game has here, by one name."""

from __future__ import annotations

import importlib
from typing import Annotated, Final, cast

from ludoteca.messages import say
from ludoteca.protocols import Agent, AgentFactory, Game, Seat
from ludoteca.spec import Label, within

__all__ = ["ENGINES", "Engine", "strongest"]

ENGINES: Final[dict[str, str]] = {
    "dominoes": "ludoteca.agents.dominoes.engine.DominoesEngine",
    "horses": "ludoteca.agents.horses.engine.HorsesEngine",
    "kittens": "ludoteca.agents.kittens.engine.KittensEngine",
}
"""By game the class that plays it. It is imported when it is needed."""
LEVELS: Final = 8
MOST_MEMORY: Final = 65536
MOST_THREADS: Final = 64


class Engine:
    """Sees as far as its limit allows; a level from 1 to 8 makes it an opponent for people."""

    games = frozenset(ENGINES)

    def __new__(  # type: ignore[misc]  # what is made is the engine of the game
        cls,
        game: Game,
        seat: Seat,
        seed: int,
        level: Annotated[
            int, Label(say("level"), say("1, which a beginner can beat, to 8; 0: as strong as it can"))
        ] = 0,
        memory: Annotated[int, Label(say("memory"), say("megabytes that its tables may take"))] = 256,
        threads: Annotated[int, Label(say("threads"), say("cores that it may use at once"))] = 1,
    ) -> Agent:
        """The engine of this game. Raises InvalidOption."""
        options = {
            "level": within("engine", "level", level, 0, LEVELS),
            "memory": within("engine", "memory", memory, 1, MOST_MEMORY),
            "threads": within("engine", "threads", threads, 1, MOST_THREADS),
        }
        module, _, name = ENGINES[game.name].rpartition(".")
        engine = cast(AgentFactory, getattr(importlib.import_module(module), name))
        return engine(game, seat, seed, **options)


def strongest(game: Game) -> str:
    """The agent to ask when somebody wants to know how a position stands: the game's engine, else `mcts`."""
    return "engine" if game.name in ENGINES else "mcts"
