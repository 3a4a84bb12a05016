"""The arguments of ``ludoteca train mmd`` and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ludoteca import agents, games
from ludoteca.agents.networks.view_networks import MOST_NUMBERS, network_input
from ludoteca.errors import InvalidOption
from ludoteca.learn.settings import (
    LEARNING,
    PLAY,
    Average,
    Batch,
    Begin,
    CheckpointEvery,
    Device,
    Evaluate,
    EvaluateAgainst,
    EvaluateEvery,
    EvaluateNodes,
    FinalRate,
    Layers,
    Minutes,
    Positions,
    Rate,
    Seed,
    Threads,
    Width,
    check_bounds,
    setting,
)
from ludoteca.messages import say
from ludoteca.protocols import Game


@dataclass(frozen=True)
class Arguments:
    """Everything that decides the result; ``ludoteca train mmd --help`` lists it."""

    game: Annotated[
        str,
        setting(
            "",
            "Dominoes, Kittens or any other game with a tensor; several variants, joined by spaces, share one network.",
        ),
    ] = "dominoes"
    seed: Seed = 1
    minutes: Minutes = 0.0
    positions: Positions = 5_000_000
    device: Device = "cpu"
    threads: Threads = 1
    begin: Begin = ""
    against: Annotated[
        str,
        setting(PLAY, "Agents that play the other seat, joined by +; the network then learns a best response to them."),
    ] = ""
    against_nodes: Annotated[int, setting(PLAY, "Nodes that the agents in --against may search for an action.", 1)] = (
        100
    )
    matches: Annotated[int, setting(PLAY, "Matches at a time.", 1)] = 256
    steps: Annotated[int, setting(PLAY, "The network learns after this many decisions in each match.", 1)] = 16
    width: Width = 128
    layers: Layers = 2
    batch: Batch = 512
    epochs: Annotated[int, setting(LEARNING, "Updates that use a position.", 1)] = 2
    rate: Rate = 1e-3
    final_rate: FinalRate = 1e-5
    magnet: Annotated[float, setting(LEARNING, "Weight of the entropy at the start.", 0)] = 0.1
    final_magnet: Annotated[float, setting(LEARNING, "Weight of the entropy at the end.", 0)] = 0.01
    clip: Annotated[
        float, setting(LEARNING, "How far the ratio of new to old probability may lie from 1 (as in PPO).", 0)
    ] = 0.2
    trace: Annotated[float, setting(LEARNING, "Lambda of the generalised advantage estimates.", 0, 1)] = 0.95
    value: Annotated[float, setting(LEARNING, "Weight of the value error.", 0)] = 0.5
    belief: Annotated[float, setting(LEARNING, "Weight of the cross entropy of the belief.", 0)] = 0.5
    average: Average = 0.99
    evaluate_against: EvaluateAgainst = "random+mcts"
    evaluate_every: EvaluateEvery = 1_000_000
    evaluate: Evaluate = 200
    evaluate_nodes: EvaluateNodes = 400
    checkpoint_every: CheckpointEvery = 1_000_000

    @property
    def games(self) -> list[Game]:
        """Those of `game`. Raises InvalidGame."""
        return [games.game(each) for each in self.game.split()]

    def check(self) -> None:
        """Raises InvalidOption, and InvalidGame for an unknown game."""
        chosen = self.games
        if not chosen:
            raise InvalidOption(say("train mmd: name a game; ludoteca games lists them"))
        for each in chosen:
            check_tensor(each)
        if len({(each.name, each.num_actions, tuple(each.tensor_shape)) for each in chosen}) > 1:
            raise InvalidOption(say("train mmd: games that share a network must have tensors and actions of one shape"))
        check_bounds("mmd", self)
        if self.width % 4 or self.width > MOST_NUMBERS:
            raise InvalidOption(
                "train mmd: width={width} must be a multiple of 4, at most {most}", width=self.width, most=MOST_NUMBERS
            )
        for name in filter(None, (*self.against.split("+"), *self.evaluate_against.split("+"))):
            agents.agent(name)(chosen[0], 0, 0)
        if self.matches < len(chosen) * self.threads:
            raise InvalidOption(say("train mmd: there must be a match for each game and thread"))


PRESETS = {
    "default": Arguments(),
    "quick": Arguments(positions=300_000, matches=64, width=64, evaluate_every=100_000, checkpoint_every=100_000),
    "gpu": Arguments(positions=150_000_000, device="cuda", threads=4, matches=8192, batch=4096, width=256, layers=3,
                     average=0.995, evaluate_every=15_000_000, checkpoint_every=15_000_000),
}  # fmt: skip
"""Named arguments; the first ones are the default."""


def check_tensor(game: Game) -> None:
    """Raises InvalidOption, which says what is missing, for a game whose views a network cannot learn from."""
    if game.seats != 2:
        raise InvalidOption("train mmd: {game} has {seats} seats; only games for two train", game=game.spec,
                            seats=game.seats)  # fmt: skip
    state = game.deal(0)
    try:
        seen = np.asarray(network_input(state.view(state.turn or 0)))
        wanted = int(np.prod(game.tensor_shape))
    except (AttributeError, NotImplementedError, TypeError, ValueError) as error:
        raise InvalidOption(
            "train mmd: {game} cannot be trained: a network sees a game through Game.tensor_shape and View.tensor(), "
            "and that failed: {error}",
            game=game.spec, error=f"{type(error).__name__}: {error}",
        ) from error  # fmt: skip
    if not wanted or not np.isfinite(seen).all():
        raise InvalidOption("train mmd: {game} cannot be trained: its tensor must hold numbers", game=game.spec)
    if max(seen.size, game.num_actions) > MOST_NUMBERS:
        raise InvalidOption(
            "train mmd: {game} has a tensor of {inputs} numbers and {actions} actions; a network takes at most {most}",
            game=game.spec, inputs=seen.size, actions=game.num_actions, most=MOST_NUMBERS,
        )  # fmt: skip
