"""Self-play of ``train zero``: two groups of matches, whose positions the network evaluates in turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoteca import _core
from ludoteca.learn.zero.arguments import Arguments, shares, sized, stages
from ludoteca.learn.zero.network import Folded, Network, Shape
from ludoteca.play.openings import needs_openings

CoreSelfPlay = _core.HexSelfPlay | _core.HorsesSelfPlay
SELF_PLAY: dict[str, type[CoreSelfPlay]] = {"hex": _core.HexSelfPlay, "horses": _core.HorsesSelfPlay}
STEPS_PER_TAKE = 8
Positions: TypeAlias = list[tuple[int, NDArray[np.int8], NDArray[np.float32], NDArray[np.float32]]]
"""Of each group: its board size, what the network saw, the improved policies and the value targets."""


@dataclass(frozen=True)
class News:
    """What the learner tells self-play."""

    stage: int
    weights: Mapping[str, Tensor]
    """Those of `folded_weights`, on the CPU."""


class Group:
    """Self-play matches that share one batch of the network."""

    def __init__(self, size: int, players: Folded, arguments: Arguments, simulations: int, seed: int) -> None:
        game, settings = sized(arguments.game, size), _core.SelfPlaySettings()
        settings.simulations, settings.candidates = simulations, arguments.candidates
        settings.selection = _core.Selection[arguments.selection.replace("-", "_")]
        settings.full_share, settings.decided_share = arguments.full_share, arguments.decided_share
        settings.quick_simulations = arguments.quick_simulations
        settings.early, settings.late_noise = arguments.early, arguments.late_noise
        settings.resign, settings.play_on = arguments.resign, arguments.play_on
        settings.result_share, settings.trace = arguments.result_share, arguments.trace
        # If all deals are alike, as in Hex, matches start with random actions so that they differ.
        usual = "0.1/0.55/0.2/0.05/0.1" if needs_openings(game) else "1"
        settings.random_actions = shares(arguments.random_actions or usual)
        kind = SELF_PLAY[game.name]
        self.size = size
        self.play = kind(game, arguments.matches, seed, arguments.threads, settings)
        self.players = players
        count, planes, cells = arguments.matches, len(players.shape.planes), self.size**2
        self.cuda = arguments.device != "cpu"
        self.seen = torch.zeros((count, planes, self.size, self.size), dtype=torch.int8, pin_memory=self.cuda)
        self.logits = torch.zeros((count, cells), dtype=torch.float32, pin_memory=self.cuda)
        self.values = torch.zeros(count, dtype=torch.float32, pin_memory=self.cuda)
        if self.cuda:
            self._record(arguments.device)
        self.play.select(self.seen.numpy())
        self.launched = False

    def _record(self, device: str) -> None:
        """Record the network on its own stream as one CUDA graph, so that a launch costs less."""
        self.stream, self.ready = torch.cuda.Stream(), torch.cuda.Event()  # type: ignore[no-untyped-call]
        self.there = torch.zeros_like(self.seen, device=device)
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self.players(self.there)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.stream):
            self.answers = self.players(self.there)

    def evaluate(self) -> None:
        """Send the positions to the network; on a GPU without waiting."""
        self.launched = True
        if not self.cuda:
            logits, values = self.players(self.seen)
            self.logits.copy_(logits)
            self.values.copy_(values)
            return
        with torch.cuda.stream(self.stream):
            self.there.copy_(self.seen, non_blocking=True)
            self.graph.replay()
            self.logits.copy_(self.answers[0], non_blocking=True)
            self.values.copy_(self.answers[1], non_blocking=True)
            self.ready.record()

    def expand(self) -> None:
        """Wait for the network's answers, if `evaluate` was called, and expand the trees with them."""
        if not self.launched:
            return
        if self.cuda:
            self.ready.synchronize()
        self.play.expand(self.logits.numpy(), self.values.numpy(), self.seen.numpy())


class SelfPlay:
    """A source of positions: two groups of matches that play by the stages of the curriculum."""

    burst = 1.0

    def __init__(self, arguments: Arguments, players: Folded, seeds: tuple[int, ...] = ()) -> None:
        """players: the network, which `update` changes. seeds: what its random numbers depend on besides the seed."""
        self.arguments, self.players, self._seeds = arguments, players, seeds
        self.stages, self.stage, self.steps = stages(arguments.curriculum), -1, 0
        self.groups: list[Group] = []
        self.before = {"matches": 0, "decisions": 0, "evaluations": 0, "first_wins": 0, "resigned": 0}
        """Counts of groups that have ended."""

    @classmethod
    def of_actor(cls, arguments: Arguments, number: int) -> SelfPlay:
        """The self-play of an actor, on one core and with a network of its own."""
        torch.set_num_threads(1)
        arguments = replace(arguments, device="cpu", threads=1)
        shape = Shape.of(sized(arguments.game, stages(arguments.curriculum)[0].groups[0][0]))
        players = Folded(Network(shape, arguments.blocks, arguments.width).eval())
        return cls(arguments, players, seeds=(number + 1,))

    def update(self, news: News) -> None:
        """Play with these weights; in a new stage, on its boards."""
        self.players.load(news.weights)
        self.enter(news.stage)

    def enter(self, stage: int) -> None:
        """Begin a stage: a group whose board size stays plays on, another one starts afresh."""
        if stage == self.stage:
            return
        self.stage = stage
        for index, (size, simulations) in enumerate(self.stages[stage].groups):
            if index < len(self.groups) and self.groups[index].size == size:
                self.groups[index].play.simulations = simulations
                continue
            seeds = [self.arguments.seed, stage, index, *self._seeds]
            seed = int(np.random.default_rng(seeds).integers(2**63))
            group = Group(size, self.players, self.arguments, simulations, seed)
            if index < len(self.groups):
                for name, count in self.groups[index].play.counts.items():
                    self.before[name] += count
            self.groups[index : index + 1] = [group]

    def play(self) -> Positions | None:
        """One simulation in every match; every few times what was played since."""
        for group in self.groups:
            group.expand()
            group.evaluate()
        self.steps += 1
        return None if self.steps % STEPS_PER_TAKE else [(group.size, *group.play.take()) for group in self.groups]

    @property
    def counts(self) -> dict[str, int]:
        """Counts of all self-play so far."""
        out = dict(self.before)
        for group in self.groups:
            for name, count in group.play.counts.items():
                out[name] += count
        return out
