"""`engine`: the strongest agent of each game, under one name."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import Annotated, Final, Literal, cast

from ludoteca.agents.engine_options import EngineOptions
from ludoteca.messages import say
from ludoteca.protocols import Agent, Game, Seat
from ludoteca.spec import Label, one_of

ENGINES: Final[dict[str, str]] = {
    "dominoes": "ludoteca.agents.dominoes.engine.DominoesEngine",
    "hex": "ludoteca.agents.hex.engine.hex_engine",
    "horses": "ludoteca.agents.horses.engine.HorsesEngine",
    "kittens": "ludoteca.agents.kittens.engine.KittensEngine",
}
"""The engine of each game, imported on first use."""
WITH_NETWORKS: Final = frozenset({"hex"})
"""The games whose engine takes the option `network`."""


def engine(
    game: Game,
    seat: Seat,
    seed: int,
    # Translators: how strong the opponent plays, 1 to 8
    level: Annotated[int, Label(say("level"), say("1, which a beginner can beat, to 8; 0: as strong as it can"))] = 0,
    memory: Annotated[int, Label(say("memory"), say("megabytes that its tables may take"))] = 256,
    threads: Annotated[int, Label(say("threads"), say("cores that it may use at once"))] = 1,
    network: Annotated[
        Literal["zero", "none"],
        Label(
            say("network"),
            say("what evaluates positions for it; only Hex has a choice"),
            {"zero": say("the one that learnt by playing against itself"), "none": say("none: simulations alone")},
        ),
    ] = "zero",
) -> Agent:
    """Searches as deep as its limit allows; levels 1 to 8 are opponents for people."""
    options = EngineOptions(level, memory, threads)
    one_of("engine", "network", network, ["zero", "none"])
    module, _, name = ENGINES[game.name].rpartition(".")
    make = getattr(importlib.import_module(module), name)
    more = {"network": network} if game.name in WITH_NETWORKS else {}
    return cast(Agent, make(game, seat, seed, options, **more))


engine.games = frozenset(ENGINES)  # type: ignore[attr-defined]  # the games that it plays, as every agent class declares


@cache
def _has_networks() -> bool:
    return find_spec("onnxruntime") is not None


def strongest(game: Game) -> str:
    """The agent that evaluates positions best: the game's engine, else `mcts`.

    An engine with a network needs the extra ``nets``. Without that, this names the engine with network=none.
    """
    if game.name in WITH_NETWORKS and not _has_networks():
        return "engine:network=none"
    return "engine" if game.name in ENGINES else "mcts"
