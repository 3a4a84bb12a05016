"""`zero`: an AlphaZero player, whose network learnt the game by playing against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Final

from ludoteca.agents.networks.board_networks import load_network
from ludoteca.agents.networks.network_player import SEARCHES, NetworkPlayer, shipped_network
from ludoteca.messages import say
from ludoteca.protocols import Game, Seat
from ludoteca.spec import Label, within

NONE: Final = Path()
MOST_SIMULATIONS: Final = 10**9


class Zero(NetworkPlayer):
    """Searches with a network that learnt from nothing but matches against itself.

    The network gives each action a prior and each position a value; the search tries actions of high prior first and
    relies more on its own results, the more it has simulated. Its scores are the returns that the seat may expect. Each
    position that the network was asked about counts as a node; with the same number of nodes it decides the same.
    """

    games: ClassVar = frozenset(SEARCHES)

    def __init__(
        self,
        game: Game,
        seat: Seat,
        seed: int,
        simulations: Annotated[
            int,
            Label(
                say("simulations"),
                say("the most for each action; 1: the network's policy without search; 0: as many as the limit allows"),
            ),
        ] = 0,
        weights: Annotated[
            Path, Label(say("own network"), say("a network of your own, from `ludoteca train zero`"))
        ] = NONE,
        threads: Annotated[int, Label(say("threads"), say("threads that search at the same time, 1 to 64"))] = 1,
        memory: Annotated[int, Label(say("memory"), say("megabytes for the tree, 1 to 65536"))] = 256,
    ) -> None:
        most = within("zero", "simulations", simulations, 0, MOST_SIMULATIONS)
        cores = within("zero", "threads", threads, 1, 64)
        megabytes = within("zero", "memory", memory, 1, 65536)
        network = load_network(shipped_network(game) if weights == NONE else Path(weights).expanduser())
        super().__init__(game, network, most, cores, megabytes)
