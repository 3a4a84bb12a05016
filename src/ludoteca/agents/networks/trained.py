"""`trained`: a network that a visitor of the page trained, by its name.

The page keeps these networks in the state folder; a name such as ``3f2a9c207bd14e05.2000`` is the training's key and
how much it had learnt. So nothing that a visitor writes is ever a path.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

from ludoteca.agents.files.state_folder import state_folder
from ludoteca.agents.kittens.dqn import DQN
from ludoteca.agents.zero import Zero
from ludoteca.errors import InvalidOption
from ludoteca.messages import say
from ludoteca.protocols import Agent, Game, Seat
from ludoteca.spec import Label

NAME: Final = re.compile(r"([0-9a-f]{16})\.([0-9]{1,9})")


def trainings_folder() -> Path:
    """Where the page keeps its visitors' trainings, a folder each."""
    return state_folder() / "trained"


def network_file(network: str) -> Path:
    """The file of a network, by its name. Raises InvalidOption if there is none."""
    found = NAME.fullmatch(network)
    path = trainings_folder() / found[1] / f"{int(found[2])}.onnx" if found else None
    if path is None or not path.is_file():
        raise InvalidOption("trained: no network called {name!r} is kept here any more", name=network[:40])
    return path


def trained(
    game: Game,
    seat: Seat,
    seed: int,
    network: Annotated[
        str, Label(say("network"), say("the name of a network that was trained in the page, as its page gives it"))
    ] = "",
) -> Agent:
    """Plays by a network that was trained in the page, without search: what you see is what it has learnt."""
    weights = network_file(network)
    return DQN(game, seat, seed, weights=weights) if game.name in DQN.games else Zero(game, seat, seed, 1, weights)


trained.games = frozenset({"hex", "kittens"})  # type: ignore[attr-defined]  # what can be trained in the page
trained.named_files = lambda texts: [network_file(texts.get("network", ""))]  # type: ignore[attr-defined]
