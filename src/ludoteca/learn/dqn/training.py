"""``ludoteca train dqn``: a Double DQN that learns a game by playing it against given agents.

Q(s, a) estimates the learner's return from doing a when it sees s. Many matches are played side by side; the learner
takes the legal action of highest Q, or sometimes a random one. What it saw and did goes into a replay buffer. Batches
are drawn from there, for which Q(s, a) moves towards

    r  +  discount ** steps  *  Q_target(s', the legal a' of highest Q(s', a'))        (Q_target: an older copy of Q)

where s' is what the learner saw `steps` decisions later and r is the reward on the way; for a match that ended before
that, the target is its result. The same arguments give the same network, bit for bit, on the same machine,
whether or not the training was interrupted and resumed.
"""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import nn

from ludoteca import agents, games
from ludoteca.games.batches import batch
from ludoteca.games.details import details_of
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.dqn.arguments import Arguments
from ludoteca.learn.dqn.replay import Replay, Transitions, Unfinished
from ludoteca.protocols import Agent, AgentFactory, Batch, Decision, Game, Limit

SEED_INPUTS = 11
Observations = NDArray[np.float32]


class SeedView(Protocol):
    """A view that gives the observation of the program behind the Kittens document."""

    @property
    def seed_observation(self) -> Sequence[float]:
        """Its eleven numbers."""


class Network(nn.Module):
    """[N, inputs] -> [N, actions]: hidden layers with ReLU, then one Q for each action."""

    def __init__(self, inputs: int, actions: int, width: int, layers: int) -> None:
        super().__init__()
        sizes = [inputs, *[width] * layers, actions]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Q of every action, legal or not."""
        *hidden, last = self.layers
        for layer in hidden:
            seen = torch.relu(layer(seen))
        return last(seen)  # type: ignore[no-any-return]

    @torch.no_grad()
    def best(self, seen: Observations, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """[N] the legal action of highest Q."""
        values = self(torch.from_numpy(seen)).numpy()
        return _best(values, legal)


def _best(values: NDArray[np.floating[Any]], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    """[N] the legal action of highest value in each row of [N, actions]."""
    best: NDArray[np.int64] = np.where(legal, values, -np.inf).argmax(1)
    return best


class Environments:
    """Matches that the learner plays side by side, each against an opponent: a row is one match."""

    def __init__(self, arguments: Arguments, rows: int, chance: np.random.Generator) -> None:
        self.game: Game = games.game(arguments.game)
        self.observation, self.seat = arguments.observation, arguments.seat
        self.details = details_of(self.game)
        self.batch: Batch = batch(self.game, rows, int(chance.integers(2**63)))
        self.chance = chance
        self.names = arguments.against.split("+")
        self.seats = np.zeros(rows, np.int8)
        self.opponents: list[Agent] = [None] * rows  # type: ignore[list-item]
        for row in range(rows):
            self.seat_row(row)

    def seat_row(self, row: int) -> None:
        """Start a new match in this row: draw the learner's seat and its opponent."""
        seat = int(self.chance.integers(2)) if self.seat == "both" else int(self.seat)
        name = self.names[int(self.chance.integers(len(self.names)))]
        self.seats[row] = seat
        self.opponents[row] = _maker(name)(self.game, 1 - seat, int(self.chance.integers(2**62)))

    def learners(self) -> NDArray[np.int64]:
        """The rows in which the learner is on turn."""
        return np.flatnonzero(self.batch.turns == self.seats)

    def observations(self, rows: NDArray[np.int64]) -> Observations:
        """[len(rows), inputs] of the seat on turn."""
        if self.observation == "view":
            return self.batch.tensor()[rows].reshape(len(rows), int(np.prod(self.game.tensor_shape)))
        views = (cast(SeedView, self.batch[int(row)].view(int(self.seats[row]))) for row in rows)
        return np.array([view.seed_observation for view in views], np.float32).reshape(len(rows), SEED_INPUTS)

    def wasted(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """[len(rows)] whether the learner plays a card that it does not hold, which only the original rules allow."""
        out = np.zeros(len(rows), np.bool_)
        if self.details.may_waste_actions:
            for index, (row, action) in enumerate(zip(rows, actions, strict=True)):
                out[index] = self.details.is_wasted(self.batch[int(row)].view(int(self.seats[row])), int(action))
        return out

    def step(
        self, rows: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Play the learner's actions in its rows, the opponents' in theirs. Returns ended rows and their results."""
        every = np.zeros(len(self.batch), np.int32)
        every[rows] = actions
        for row in np.flatnonzero(self.batch.turns != self.seats):
            choice = self.opponents[row].act(self.batch[int(row)].view(1 - int(self.seats[row])), NO_LIMIT)
            every[row] = choice.action if isinstance(choice, Decision) else choice
        returns, done = self.batch.step(every)
        ended = np.flatnonzero(done)
        results = returns[ended, self.seats[ended]]
        for row in ended:
            self.seat_row(int(row))
        return ended, results


NO_LIMIT = Limit()


@cache
def _maker(name: str) -> AgentFactory:
    return agents.agent(name)


def measure(network: Network, arguments: Arguments, matches: int, seed: int) -> tuple[int, int, int]:
    """Wins, draws and losses of the greedy network, in matches from fresh deals.

    Every row plays equally many, so that short matches do not count more often than long ones.
    """
    rows = next(count for count in (500, 250, 100, 50, 20, 10, 1) if matches % count == 0)
    envs = Environments(arguments, rows, np.random.default_rng([seed, MEASURING]))
    left = np.full(rows, matches // rows)
    counts = [0, 0, 0]
    while left.any():
        mine = envs.learners()
        ended, results = envs.step(mine, network.best(envs.observations(mine), envs.batch.legal()[mine]))
        for row, result in zip(ended, results, strict=True):
            counts[0 if result > 0 else 1 if result == 0 else 2] += bool(left[row])
            left[row] -= left[row] > 0
    return counts[0], counts[1], counts[2]


TRAINING, MEASURING = 0, 1  # streams of random numbers
EVALUATION_SEED = 2**32
"""All evaluations of all trainings play the same deals, so that they compare."""
NOTES = 10
"""Points of the learning curve for each evaluation."""


class Training:
    """A training in progress; a checkpoint is this object, pickled."""

    def __init__(self, arguments: Arguments) -> None:
        arguments.check()
        self.arguments = arguments
        _make_deterministic(arguments.threads)
        torch.manual_seed(arguments.seed)
        self.chance = np.random.default_rng([arguments.seed, TRAINING])
        self.envs = Environments(arguments, arguments.rows, self.chance)
        game = self.envs.game
        inputs = SEED_INPUTS if arguments.observation == "seed" else int(np.prod(game.tensor_shape))
        self.online = Network(inputs, game.num_actions, arguments.width, arguments.layers)
        self.target = Network(inputs, game.num_actions, arguments.width, arguments.layers)
        self.target.load_state_dict(self.online.state_dict())
        self.adam = torch.optim.Adam(self.online.parameters(), lr=arguments.rate, fused=True)
        self.replay = Replay(arguments.buffer, inputs, game.num_actions)
        self.unfinished = Unfinished(arguments.rows, arguments.steps, arguments.discount, inputs, game.num_actions)
        self.matches, self.decisions, self.updates, self.copied = 0, 0, 0, 0
        self.curve: list[Point] = []
        self.loss = 0.0
        """Exponential moving average."""
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        self.strength: tuple[int, int, int] | None = None

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        return min(1.0, self.matches / self.arguments.matches)

    @property
    def finished(self) -> bool:
        """Whether all matches have been played."""
        return self.matches >= self.arguments.matches

    def step(self) -> None:
        """Play one action in every row, then make the updates that are due."""
        arguments, envs = self.arguments, self.envs
        rows = envs.learners()
        seen, legal = envs.observations(rows), envs.batch.legal()[rows]
        actions = self._choose(seen, legal)
        penalties = -arguments.penalty * envs.wasted(rows, actions).astype(np.float32)
        self.replay.add(self.unfinished.decide(rows, seen, legal, actions, penalties))
        ended, results = envs.step(rows, actions)
        for some in self.unfinished.end(ended, results):
            self.replay.add(some)
        self.decisions += len(rows)
        self.matches += len(ended)
        if self.replay.count < min(arguments.start, arguments.buffer):
            return
        due = self.decisions // arguments.decisions - (self.decisions - len(rows)) // arguments.decisions
        for _ in range(due):
            self._update(self.replay.sample(arguments.batch, self.chance))
        if self.matches // arguments.target_matches > self.copied:
            self.copied = self.matches // arguments.target_matches
            self.target.load_state_dict(self.online.state_dict())

    @property
    def epsilon(self) -> float:
        """The current probability of a random action."""
        arguments = self.arguments
        part = min(1.0, self.matches / arguments.explore_matches)
        return arguments.explore + part * (arguments.final_explore - arguments.explore)

    def _choose(self, seen: Observations, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """[N] the best legal action in each row, or with probability `epsilon` a random legal one."""
        random_rows = self.chance.random(len(seen)) < self.epsilon
        any_legal = _best(self.chance.random(legal.shape), legal)
        if not len(seen) or random_rows.all():
            return any_legal
        return np.where(random_rows, any_legal, self.online.best(seen, legal))

    def _update(self, some: Transitions) -> None:
        """One step of Adam towards the Double DQN target."""
        part = min(1.0, self.matches / self.arguments.matches)
        for group in self.adam.param_groups:
            group["lr"] = self.arguments.rate + part * (self.arguments.final_rate - self.arguments.rate)
        after = torch.from_numpy(some.after)
        with torch.no_grad():
            values = self.online(after).masked_fill(~torch.from_numpy(some.legal), -torch.inf)
            later = self.target(after).gather(1, values.argmax(1, keepdim=True)).squeeze(1)
            target = torch.from_numpy(some.reward) + torch.from_numpy(some.discount) * later
        predicted = (
            self.online(torch.from_numpy(some.seen)).gather(1, torch.from_numpy(some.action)[:, None]).squeeze(1)
        )
        loss = nn.functional.smooth_l1_loss(predicted, target)
        self.adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.online.parameters(), 10.0)
        self.adam.step()
        self.updates += 1
        self.loss += (loss.item() - self.loss) * max(0.01, 1 / self.updates)

    def evaluate(self) -> dict[str, Result]:
        """Results of the greedy network against each opponent. Uses no random numbers of the training."""
        return {
            name: Result.of(
                *measure(self.online, replace(self.arguments, against=name), self.arguments.evaluate, EVALUATION_SEED)
            )
            for name in self.arguments.opponents
        }

    def run(self, after_step: Callable[[Training], bool] = lambda training: True) -> bool:
        """Train until all matches are played or `after_step` returns False. Returns whether it got to the end."""
        wall, cpu = time.perf_counter(), time.process_time()

        def clock() -> None:
            nonlocal wall, cpu
            now, used = time.perf_counter(), time.process_time()
            self.seconds, self.cpu_seconds = self.seconds + now - wall, self.cpu_seconds + used - cpu
            wall, cpu = now, used

        each = self.arguments.evaluate_every
        while not self.finished:
            before = self.matches
            self.step()
            clock()
            if self.matches * NOTES // each > before * NOTES // each or self.finished:
                due = self.matches // each > before // each or self.finished
                results = self.evaluate() if due else {}
                loss = {"loss": self.loss} if self.updates else {}  # there is none before the first update
                self.curve.append(Point(self.matches, self.seconds, loss, self.epsilon, results))
                clock()
            if not after_step(self):
                return False
        if self.strength is None and self.arguments.measure:
            self.strength = measure(self.online, self.arguments, self.arguments.measure, self.arguments.seed + 1)
        return True

    def save(self, path: Path) -> None:
        """Write a checkpoint, atomically."""
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            pickle.dump((self, torch.get_rng_state()), file, pickle.HIGHEST_PROTOCOL)
        fresh.replace(path)

    @staticmethod
    def load(path: Path) -> Training:
        """Read a checkpoint. It is a pickle: load only what you trust."""
        with path.open("rb") as file:
            training, chance = pickle.load(file)
        assert isinstance(training, Training)
        _make_deterministic(training.arguments.threads)
        torch.set_rng_state(chance)
        return training


def _make_deterministic(threads: int) -> None:
    """Make PyTorch compute the same every time."""
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)


def strength(training: Training) -> dict[str, Any]:
    """The result of the matches that measured the strength in the end."""
    wins, draws, losses = training.strength or (0, 0, 0)
    return {"against": training.arguments.against, "wins": wins, "draws": draws, "losses": losses}


def export(training: Training, path: Path) -> None:
    """Write the network as ONNX, ``seen`` [N, inputs] -> ``values`` [N, actions], with the training as metadata."""
    helper, wires, nodes, weights = onnx.helper, "seen", [], []
    layers = [module for module in training.online.layers if isinstance(module, nn.Linear)]
    for index, layer in enumerate(layers):
        last = index == len(layers) - 1
        for name, values in (("weight", layer.weight), ("bias", layer.bias)):
            weights.append(onnx.numpy_helper.from_array(values.detach().numpy(), f"{name}{index}"))
        out = "values" if last else f"sum{index}"
        nodes.append(helper.make_node("Gemm", [wires, f"weight{index}", f"bias{index}"], [out], transB=1))
        wires = f"hidden{index}"
        if not last:
            nodes.append(helper.make_node("Relu", [out], [wires]))
    shape = {"seen": layers[0].in_features, "values": layers[-1].out_features}
    ports = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", size]) for name, size in shape.items()]
    graph = helper.make_graph(nodes, "dqn", ports[:1], ports[1:], weights)
    model = helper.make_model(graph, producer_name="ludoteca", opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8  # what ONNX Runtime 1.16 and later read
    evaluated = [point.to_json() for point in training.curve if point.results]
    about = {
        "game": training.envs.game.spec,
        "observation": training.arguments.observation,
        "arguments": json.dumps(asdict(training.arguments)),
        "strength": json.dumps(strength(training)),
        "curve": json.dumps(evaluated),
        "training": json.dumps(
            {
                "matches": training.matches, "decisions": training.decisions, "updates": training.updates,
                "minutes": round(training.seconds / 60, 1), "cpu_minutes": round(training.cpu_seconds / 60, 1),
            }
        ),
    }  # fmt: skip
    helper.set_model_props(model, about)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
