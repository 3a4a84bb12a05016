"""``ludoteca train zero``: learn a game by self-play from nothing (Gumbel AlphaZero).

Two groups of matches alternate, thousands of matches at a time on a GPU: while the network evaluates one position of
every match of one group, the core's trees (core/zero) back up its answers for the other. Each decision uses a few
simulations. The network learns the improved policy that they found, and the value:

    loss  =  cross entropy (policy, improved policy)  +  cross entropy (value, mix of result and later values)

A moving average of the weights plays and is exported. On a CPU the same arguments give the same network, whether or not
the training was interrupted and resumed; on a GPU rounding differs between runs.
"""

from __future__ import annotations

import json
import math
import pickle
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from ludoteca.errors import InvalidOption
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.device import device_of
from ludoteca.learn.sources import RaySource, Source, Spread
from ludoteca.learn.zero.arguments import Arguments, sized, stages
from ludoteca.learn.zero.matches import score
from ludoteca.learn.zero.network import Folded, Network, Shape, export, folded_weights
from ludoteca.learn.zero.replay import Replay
from ludoteca.learn.zero.self_play import News, Positions, SelfPlay
from ludoteca.learn.zero.unfolded import load_onnx


class Training:
    """A training in progress."""

    def __init__(self, arguments: Arguments, spread: Spread[Positions] | None = None, begun: int = 0) -> None:
        """spread: actors on a cluster that play in place of this process. begun: actors of earlier runs."""
        arguments.check()
        self.arguments = arguments = arguments.resolved()
        self.stages = stages(arguments.curriculum)
        self.cuda = device_of("zero", arguments.device).type != "cpu"
        if not self.cuda:
            torch.set_num_threads(1)
            torch.use_deterministic_algorithms(True)
        torch.manual_seed(arguments.seed)
        torch.backends.cudnn.benchmark = True
        self.shape = Shape.of(sized(arguments.game, self.stages[0].groups[0][0]))
        self.network = Network(self.shape, arguments.blocks, arguments.width).to(arguments.device)
        self.network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        if arguments.begin:
            self._load_network(Path(arguments.begin))
        self.average = deepcopy(self.network).eval().requires_grad_(False)
        self.players = Folded(self.average)
        self.rate = torch.tensor(arguments.rate, device=arguments.device)
        self.follow = torch.tensor(0.0, device=arguments.device)
        """How far the moving average moves towards the weights at an update."""
        self.adam = torch.optim.AdamW(
            self.network.parameters(), lr=self.rate, weight_decay=arguments.decay, fused=self.cuda, capturable=self.cuda
        )
        self.replays: dict[int, Replay] = {}
        self.recorded: dict[int, torch.cuda.CUDAGraph] = {}
        self.drawn: dict[int, tuple[Tensor, Tensor, Tensor]] = {}
        self.owed: dict[int, float] = {}
        self.loss = torch.zeros(2, device=arguments.device)
        """Exponential moving averages of the policy and the value loss."""
        self.local: SelfPlay | None = None
        self.remote: RaySource[Positions] | None = None
        self.source: Source[Positions]
        if spread is None:
            self.source = self.local = SelfPlay(arguments, self.players)
        else:
            self.source = self.remote = spread(partial(SelfPlay.of_actor, arguments), begun)
        self.begun = begun
        self.stage, self.before = -1, dict[str, int]()
        """`before`: counts of self-play that has ended."""
        self.updates, self.positions, self.steps = 0, 0, 0
        self.seconds = 0.0
        self.curve: list[Point] = []

    def _load_network(self, path: Path) -> None:
        """Load the network of another training, from its checkpoint or ONNX file. Raises InvalidOption."""
        try:
            if path.suffix == ".onnx":
                sizes = sorted({size for stage in self.stages for size, _ in stage.groups})
                boards = [sized(self.arguments.game, size) for size in sizes]
                return load_onnx(self.network, path, boards, self.arguments.seed)
            state = torch.load(path, weights_only=False, map_location=self.arguments.device)
            _, _, (_, average, _), *_ = state
            self.network.load_state_dict(average)
        except (OSError, ValueError, TypeError, RuntimeError, pickle.UnpicklingError) as error:
            size, reason = f"{self.arguments.blocks}×{self.arguments.width}", str(error).split("\n")[0]
            raise InvalidOption(
                "train zero: begin={path} does not hold a {size} network: {reason}",
                path=path,
                size=size,
                reason=reason,
            ) from None

    # Progress.

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        if self.arguments.minutes > 0:
            return min(1.0, self.seconds / 60 / self.arguments.minutes)
        return min(1.0, self.positions / self.arguments.positions)

    @property
    def counts(self) -> dict[str, int]:
        """Counts of all self-play so far."""
        found = self.source.counts
        return {name: found.get(name, 0) + self.before.get(name, 0) for name in COUNTS}

    # Self-play.

    def _enter(self, stage: int) -> None:
        """Begin a stage."""
        self.stage = stage
        for size, _ in self.stages[stage].groups:
            if size not in self.replays:
                self.replays[size] = Replay(self.shape, size, self.arguments.window, self.arguments.device)
                self.owed[size] = 0.0
        self._publish()

    def _publish(self) -> None:
        """Tell self-play the stage; actors on a cluster also the weights of `players`, which is ours."""
        if self.local is not None:
            self.local.enter(self.stage)
        if self.remote is not None:
            weights = {name: each.cpu() for name, each in folded_weights(self.average).items()}
            self.remote.update(News(self.stage, weights))

    def step(self) -> None:
        """Take what self-play has, and make the updates that are due; here self-play goes on by one simulation."""
        while self.stage < 0 or (self.progress >= self.stages[self.stage].until and self.stage + 1 < len(self.stages)):
            self._enter(self.stage + 1)
        played = self.source.play()
        self.steps += 1
        if played is None:
            return
        for size, seen, policy, value in played:
            rows = self.replays[size].add(seen, policy, value)
            self.positions += rows
            self.owed[size] += rows * self.arguments.reuse / self.arguments.batch
        if sum(replay.count for replay in self.replays.values()) < self.arguments.start:
            self.owed = dict.fromkeys(self.owed, 0.0)
        for size in {size for size, *_ in played}:
            while self.owed[size] >= 1:
                self.owed[size] -= 1
                self._update(size)

    # Learning.

    def _update(self, size: int) -> None:
        """One step of AdamW on positions of this size; every `refresh` updates self-play gets the new weights."""
        arguments = self.arguments
        falling = (1 + math.cos(math.pi * self.progress)) / 2
        warm = min(1.0, (self.updates + 1) / WARM_UP)
        self.follow.fill_(max(1 - arguments.average, 9 / (10 + self.updates)))  # the random first weights fade quickly
        self.rate.fill_(warm * (arguments.final_rate + falling * (arguments.rate - arguments.final_rate)))
        fresh = self.replays[size].sample(arguments.batch)
        if not self.cuda:
            self._learn(fresh)
        else:
            self._learn_recorded(size, fresh)
        self.updates += 1
        if self.updates % arguments.refresh == 0:
            if self.cuda:
                torch.cuda.synchronize()  # self-play must not use half-copied weights
            self.players.take(self.average)
            if self.cuda:
                torch.cuda.synchronize()
            self._publish()

    def _learn_recorded(self, size: int, fresh: tuple[Tensor, Tensor, Tensor]) -> None:
        """`_learn` on a GPU: the first call records a CUDA graph, later calls replay it."""
        if size not in self.drawn:
            self.drawn[size] = fresh
        for to, values in zip(self.drawn[size], fresh, strict=True):
            to.copy_(values)
        if size in self.recorded:
            self.recorded[size].replay()
            return
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            for _ in range(3):
                self._learn(self.drawn[size])
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._learn(self.drawn[size])
        self.recorded[size] = graph

    def _learn(self, drawn: tuple[Tensor, Tensor, Tensor]) -> None:
        seen, policy, value = drawn
        parts = len(seen) // self.shape.symmetries  # each symmetry gets an equal part of the batch
        for symmetry in range(1, self.shape.symmetries):
            part = slice(symmetry * parts, (symmetry + 1) * parts)
            transformed = self.shape.transformed(seen[part], policy[part], symmetry)
            seen, policy = (_replaced(old, part, new) for old, new in zip((seen, policy), transformed, strict=True))
        with torch.autocast("cuda" if self.cuda else "cpu", torch.bfloat16, enabled=self.cuda):
            logits, value_logit = self.network(seen)
        policy_loss = -(policy.flatten(1) * torch.log_softmax(logits.float(), 1)).sum(1).mean()
        value_loss = nn.functional.binary_cross_entropy_with_logits(value_logit.float(), (value + 1) / 2)
        self.adam.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()  # type: ignore[no-untyped-call]
        self.adam.step()
        with torch.no_grad():
            late, old = self.network.state_dict().values(), self.average.state_dict().values()
            for average, now in zip(old, late, strict=True):
                if average.is_floating_point():
                    average.lerp_(now, self.follow)
            self.loss.lerp_(torch.stack([policy_loss, value_loss]), 0.02)

    # Evaluation and the main loop.

    def evaluate(self) -> dict[str, Result]:
        """Results of the averaged network's policy without search, on the board size of the current stage.

        Uses no random numbers of the training.
        """
        arguments, size = self.arguments, self.stages[self.stage].groups[0][0]
        game, sizes = sized(arguments.game, size), {stage.groups[0][0] for stage in self.stages}
        return {
            name if len(sizes) == 1 else f"{name}, size {size}": score(
                game, self.players, name, arguments.evaluate, arguments.evaluate_nodes, arguments.seed
            )
            for name in filter(None, arguments.evaluate_against.split("+"))
        }

    def run(self, after_step: Callable[[Training], bool] = lambda training: True) -> bool:
        """Train to the end or until `after_step` returns False. Returns whether it got to the end."""
        then = time.perf_counter()
        each = self.arguments.evaluate_every
        while self.progress < 1:
            before = self.positions
            self.step()
            now = time.perf_counter()
            self.seconds, then = self.seconds + now - then, now
            if self.positions * NOTES // each > before * NOTES // each or self.progress >= 1:
                due = self.positions // each > before // each or self.progress >= 1
                loss = {name: float(self.loss[index]) for index, name in enumerate(("policy", "value"))}
                self.curve.append(Point(self.positions, self.seconds, loss, None, self.evaluate() if due else {}))
                then = time.perf_counter()  # evaluation does not count as training time
            if not after_step(self):
                return False
        return True

    def save(self, path: Path) -> None:
        """Write a checkpoint, atomically."""
        fresh = path.with_suffix(".new")
        playing = [] if self.local is None else self.local.groups  # matches of actors are lost with them
        groups = [(group.play.save(), group.logits, group.values, group.launched) for group in playing]
        kept = {name: getattr(self, name) for name in KEPT}
        ended = self.source.counts if self.local is None else self.local.before
        kept["before"] = {name: self.before.get(name, 0) + ended.get(name, 0) for name in COUNTS}
        kept["begun"] = self.begun if self.remote is None else self.remote.begun
        modules = [each.state_dict() for each in (self.network, self.average, self.adam)]
        folded = self.players.weights
        replays = {size: replay.state() for size, replay in self.replays.items()}
        torch.save([asdict(self.arguments), kept, modules, folded, replays, groups, torch.get_rng_state()], fresh)
        fresh.replace(path)

    @staticmethod
    def load(path: Path, spread: Spread[Positions] | None = None) -> Training:
        """Read a checkpoint. It is a pickle: load only what you trust."""
        arguments, kept, modules, folded, replays, groups, chance = torch.load(path, weights_only=False)
        if "against" in arguments:
            arguments["evaluate_against"] = arguments.pop("against")
        training = Training(Arguments(**arguments), spread, kept.get("begun", 0))
        if kept["stage"] >= 0:
            training._enter(kept["stage"])
        for name, value in kept.items():
            setattr(training, name, value)
        for load, state in zip(
            (training.network.load_state_dict, training.average.load_state_dict, training.adam.load_state_dict),
            modules, strict=True,
        ):  # fmt: skip
            load(state)
        training.rate = training.adam.param_groups[0]["lr"]
        for name, weights in folded.items():
            training.players.weights[name].copy_(weights)
        for size, state in replays.items():
            training.replays[size] = Replay(training.shape, size, training.arguments.window, training.arguments.device)
            training.replays[size].restore(state)
        playing = [] if training.local is None else training.local.groups
        if training.local is not None:
            training.local.steps = training.steps
        for group, (matches, logits, values, launched) in zip(playing, groups, strict=False):  # actors save none
            group.play.load(matches)
            group.play.select(group.seen.numpy())
            group.logits.copy_(logits)
            group.values.copy_(values)
            group.launched = launched
        torch.set_rng_state(chance)
        if training.stage >= 0:
            training._publish()
        return training


NOTES = 10
"""Points of the learning curve for each evaluation."""
WARM_UP = 100
COUNTS = ("matches", "decisions", "evaluations", "first_wins", "resigned")
KEPT = ("curve", "loss", "owed", "positions", "seconds", "stage", "steps", "updates")


def _replaced(old: Tensor, part: slice, new: Tensor) -> Tensor:
    return torch.cat([old[: part.start], new, old[part.stop :]])


def write(training: Training, path: Path) -> None:
    """Write the averaged network as ONNX, with the training as metadata."""
    about: dict[str, Any] = {
        "game": training.arguments.game,
        "arguments": asdict(training.arguments),
        "training": training.counts | {"updates": training.updates, "minutes": round(training.seconds / 60, 1)},
        "curve": [point.to_json() for point in training.curve if point.results],
    }
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in about.items()}
    export(training.average, path, texts)
