"""The strongest player of Hex, with a network or without."""

from __future__ import annotations

from typing import Final

from ludoteca.agents.engine_options import FULL_STRENGTH, EngineOptions
from ludoteca.agents.hex.classical import HexClassicalEngine
from ludoteca.agents.hex.neural import HexNetworkEngine
from ludoteca.errors import MissingExtra
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Agent, Game, Seat
from ludoteca.spec import one_of

NETWORKS: Final = ("zero", "none")
"""zero: the one that we ship, which learnt by self-play; none: simulations alone, the classical engine."""


def hex_engine(
    game: Game, seat: Seat, seed: int, options: EngineOptions = FULL_STRENGTH, network: str = "zero"
) -> Agent:
    """The engine with that network; without one where the network was not taught the layout of the board."""
    chosen = one_of("engine", "network", network, NETWORKS)
    if chosen == "zero" and expect(game, Hex).options["layout"] == "axial":
        try:
            return HexNetworkEngine(game, seat, seed, options)
        except MissingExtra as missing:
            raise MissingExtra(
                "{missing}; or choose engine:network=none, which plays without", missing=missing.message
            ) from None
    return HexClassicalEngine(game, seat, seed, options)
