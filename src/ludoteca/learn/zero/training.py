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
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor, nn

from ludoteca import _core, games
from ludoteca.errors import InvalidOption
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.zero.matches import score
from ludoteca.learn.zero.network import Folded, Network, Shape, export
from ludoteca.learn.zero.replay import Replay
from ludoteca.messages import say
from ludoteca.play.openings import needs_openings
from ludoteca.protocols import Game


@dataclass(frozen=True)
class Arguments:
    """Everything that decides the result; ``ludoteca train zero --help`` lists it."""

    game: Annotated[str, "what to learn: hex or horses, or a game of yours with a Shape"] = "hex"
    curriculum: Annotated[
        str, "stages SIZExSIMULATIONS:SHARE of the training; SIZExSIMULATIONS+SIZExSIMULATIONS gives each group its own"
    ] = "5x16:10 7x32:30 9x32:60"
    seed: Annotated[int, "seed of all random numbers"] = 1
    minutes: Annotated[float, "how long to train; 0: as long as positions says"] = 0.0
    positions: Annotated[int, "how many positions to learn from if minutes is 0"] = 200_000
    device: Annotated[str, "cpu, or cuda for a GPU"] = "cpu"
    blocks: Annotated[int, "residual blocks of the network"] = 4
    width: Annotated[int, "channels of the network"] = 32
    matches: Annotated[int, "matches at a time in each of the two groups"] = 256
    threads: Annotated[int, "threads of the core's trees; they do not change the result"] = 2
    candidates: Annotated[int, "actions of a position that get simulations"] = 16
    early: Annotated[int, "first decisions of a match, with full noise"] = 10
    late_noise: Annotated[float, "noise of the later decisions"] = 0.4
    resign: Annotated[float, "a seat resigns when its value is lower"] = -0.95
    play_on: Annotated[float, "share of matches without resignation"] = 0.25
    result_share: Annotated[float, "share of the result in the value target; the rest is later values"] = 0.3
    trace: Annotated[float, "lambda of TD(lambda) for the later values"] = 0.97
    random_actions: Annotated[
        str, "how often a match begins with 0/1/2/3/4 or more random actions; empty: as the game needs it"
    ] = ""
    batch: Annotated[int, "positions in one update"] = 256
    window: Annotated[int, "positions in the replay buffer of each board size"] = 100_000
    start: Annotated[int, "positions before the first update"] = 2_000
    reuse: Annotated[float, "average number of updates that use a position"] = 4.0
    rate: Annotated[float, "learning rate of AdamW at the start"] = 2e-3
    final_rate: Annotated[float, "learning rate at the end; it falls along a cosine"] = 2e-5
    decay: Annotated[float, "weight decay of AdamW"] = 1e-4
    average: Annotated[float, "decay of the moving average of the weights"] = 0.998
    refresh: Annotated[int, "updates between two copies of the network into self-play"] = 20
    against: Annotated[str, "opponents of the policy in the learning curve, joined by +"] = "random+mcts"
    evaluate_every: Annotated[int, "positions between two evaluations; losses are noted ten times as often"] = 50_000
    evaluate: Annotated[int, "matches of an evaluation against each opponent, both seats of every opening"] = 100
    evaluate_nodes: Annotated[int, "nodes that the opponents may search"] = 400
    checkpoint_every: Annotated[int, "positions between two checkpoints"] = 100_000
    begin: Annotated[str, "a checkpoint of another training to start from; empty: start from nothing"] = ""

    def check(self) -> None:
        """Raises InvalidOption, and InvalidGame for an unknown game."""
        for stage in stages(self.curriculum):
            for size, _ in stage.groups:
                shape_of(sized(self.game, size))
        shares(self.random_actions or "1")
        for name in ("matches", "threads", "candidates", "batch", "window", "blocks", "width", "refresh"):
            if getattr(self, name) < 1:
                value = getattr(self, name)
                raise InvalidOption("train zero: {name}={value} must be at least 1", name=name, value=value)
        if self.minutes <= 0 and self.positions < 1:
            raise InvalidOption(say("train zero: give minutes or positions"))


@dataclass(frozen=True)
class Stage:
    """A part of the training: what each of the two groups plays."""

    groups: tuple[tuple[int, int], tuple[int, int]]
    """Board size and simulations for a decision, of each group."""
    until: float
    """The progress at which it ends, 0 to 1."""


def stages(curriculum: str) -> list[Stage]:
    """The stages that a curriculum names. Raises InvalidOption."""
    found: list[tuple[tuple[tuple[int, int], tuple[int, int]], float]] = []
    for word in curriculum.split():
        groups, _, part = word.partition(":")
        try:
            pairs = [tuple(int(number) for number in group.split("x")) for group in groups.split("+")]
            ((size, simulations), (size_2, simulations_2)) = pairs if len(pairs) == 2 else pairs * 2
            found.append((((size, simulations), (size_2, simulations_2)), float(part)))
        except ValueError:
            raise InvalidOption(
                "train zero: curriculum={word} is not a stage; for example 11x64:50", word=word
            ) from None
    total = sum(share for _, share in found)
    if not found or total <= 0 or any(share <= 0 or min(*a, *b) < 1 for (a, b), share in found):
        raise InvalidOption("train zero: curriculum={word} has no stage with a share", word=curriculum)
    out, until = [], 0.0
    for both, share in found:
        until += share / total
        out.append(Stage(both, until))
    return out


def shares(text: str) -> list[float]:
    """How often a match begins with 0, 1, 2, 3, 4 or more random actions, five numbers. Raises InvalidOption."""
    try:
        out = [float(each) for each in text.split("/")]
    except ValueError:
        out = []
    if not 0 < len(out) <= 5 or min(out) < 0 or sum(out) <= 0:
        raise InvalidOption("train zero: random_actions={text} is not like 0.1/0.55/0.2/0.05/0.1", text=text)
    return out + [0.0] * (5 - len(out))


def sized(name: str, size: int) -> Game:
    """The game on a board of this size."""
    return games.game(f"{name}{',' if ':' in name else ':'}size={size}")


def shape_of(game: Game) -> Shape:
    """The network's input for a game. Raises InvalidOption if the game cannot be encoded."""
    try:
        return Shape.of(game)
    except (TypeError, ValueError):
        raise InvalidOption(
            "train zero: no network can play {game}; hex without swap and horses work", game=game.spec
        ) from None


SelfPlay = _core.HexSelfPlay | _core.HorsesSelfPlay
SELF_PLAY: dict[str, type[SelfPlay]] = {"hex": _core.HexSelfPlay, "horses": _core.HorsesSelfPlay}


class Group:
    """Self-play matches that share one batch of the network."""

    def __init__(self, size: int, players: Folded, arguments: Arguments, simulations: int, seed: int) -> None:
        game, settings = sized(arguments.game, size), _core.SelfPlaySettings()
        settings.simulations, settings.candidates = simulations, arguments.candidates
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


class Training:
    """A training in progress."""

    def __init__(self, arguments: Arguments) -> None:
        arguments.check()
        self.arguments = arguments
        self.stages = stages(arguments.curriculum)
        self.cuda = arguments.device != "cpu"
        if not self.cuda:
            torch.set_num_threads(1)
            torch.use_deterministic_algorithms(True)
        torch.manual_seed(arguments.seed)
        torch.backends.cudnn.benchmark = True
        self.shape = shape_of(sized(arguments.game, self.stages[0].groups[0][0]))
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
        self.stage = -1
        self.groups: list[Group] = []
        self.before = {"matches": 0, "decisions": 0, "evaluations": 0, "first_wins": 0, "resigned": 0}
        """Counts of groups that have ended."""
        self.updates, self.positions, self.steps = 0, 0, 0
        self.seconds = 0.0
        self.curve: list[Point] = []

    def _load_network(self, path: Path) -> None:
        """Load the network of another training's checkpoint. Raises InvalidOption."""
        try:
            state = torch.load(path, weights_only=False, map_location=self.arguments.device)
            _, _, (_, average, _), *_ = state
            self.network.load_state_dict(average)
        except (OSError, ValueError, TypeError, RuntimeError, pickle.UnpicklingError) as error:
            size, reason = f"{self.arguments.blocks}×{self.arguments.width}", str(error).split("\n")[0]
            raise InvalidOption(
                "train zero: begin={path} is not a checkpoint of a {size} network: {reason}",
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
        out = dict(self.before)
        for group in self.groups:
            for name, count in group.play.counts.items():
                out[name] += count
        return out

    # Self-play.

    def _enter(self, stage: int) -> None:
        """Begin a stage: a group whose board size stays plays on, another one starts afresh."""
        self.stage = stage
        for index, (size, simulations) in enumerate(self.stages[stage].groups):
            if index < len(self.groups) and self.groups[index].size == size:
                self.groups[index].play.simulations = simulations
                continue
            seed = int(np.random.default_rng([self.arguments.seed, stage, index]).integers(2**63))
            group = Group(size, self.players, self.arguments, simulations, seed)
            if index < len(self.groups):
                for name, count in self.groups[index].play.counts.items():
                    self.before[name] += count
            self.groups[index : index + 1] = [group]
            if size not in self.replays:
                self.replays[size] = Replay(self.shape, size, self.arguments.window, self.arguments.device)
                self.owed[size] = 0.0

    def step(self) -> None:
        """One simulation in every match, and the updates that are due."""
        while self.stage < 0 or (self.progress >= self.stages[self.stage].until and self.stage + 1 < len(self.stages)):
            self._enter(self.stage + 1)
        for group in self.groups:
            group.expand()
            group.evaluate()
        self.steps += 1
        if self.steps % STEPS_PER_TAKE:
            return
        for group in self.groups:
            rows = self.replays[group.size].add(*group.play.take())
            self.positions += rows
            self.owed[group.size] += rows * self.arguments.reuse / self.arguments.batch
        if sum(replay.count for replay in self.replays.values()) < self.arguments.start:
            self.owed = dict.fromkeys(self.owed, 0.0)
        for size in {group.size for group in self.groups}:
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
            for name in arguments.against.split("+")
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
        groups = [(group.play.save(), group.logits, group.values, group.launched) for group in self.groups]
        kept = {name: getattr(self, name) for name in KEPT}
        modules = [each.state_dict() for each in (self.network, self.average, self.adam)]
        folded = self.players.weights
        replays = {size: replay.state() for size, replay in self.replays.items()}
        torch.save([asdict(self.arguments), kept, modules, folded, replays, groups, torch.get_rng_state()], fresh)
        fresh.replace(path)

    @staticmethod
    def load(path: Path) -> Training:
        """Read a checkpoint. It is a pickle: load only what you trust."""
        arguments, kept, modules, folded, replays, groups, chance = torch.load(path, weights_only=False)
        training = Training(Arguments(**arguments))
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
        for group, (matches, logits, values, launched) in zip(training.groups, groups, strict=True):
            group.play.load(matches)
            group.play.select(group.seen.numpy())
            group.logits.copy_(logits)
            group.values.copy_(values)
            group.launched = launched
        torch.set_rng_state(chance)
        return training


STEPS_PER_TAKE = 8
NOTES = 10
"""Points of the learning curve for each evaluation."""
WARM_UP = 100
KEPT = ("before", "curve", "loss", "owed", "positions", "seconds", "stage", "steps", "updates")


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
