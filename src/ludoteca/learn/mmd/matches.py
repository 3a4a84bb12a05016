"""Matches that a learner plays side by side, against itself or against agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ludoteca import _core, agents
from ludoteca.learn.curve import Result
from ludoteca.learn.mmd.python_choices import PythonChoices
from ludoteca.protocols import Agent, Decision, Game, Limit, View

Choices = _core.DominoesChoices | _core.KittensChoices | PythonChoices
CHOICES: dict[str, Callable[[Game, int, int], Choices]] = {
    "dominoes": cast(Callable[[Game, int, int], Choices], _core.DominoesChoices),
    "kittens": cast(Callable[[Game, int, int], Choices], _core.KittensChoices),
}
"""The matches of these games are played in C++, those of any other in Python."""
Actions = NDArray[np.int32]


class Matches:
    """N matches, in which the seat on turn always has a choice. The arrays show the current positions.

    games: they share the matches evenly, and have inputs of one shape. Each game is played in as many parts as there
    are threads; the parts decide the deals, so another number of threads gives other matches.
    """

    def __init__(self, games: Sequence[Game], count: int, seed: int, threads: int = 1, pinned: bool = False) -> None:
        chance = np.random.default_rng(seed)
        bounds = np.linspace(0, count, len(games) * threads + 1).astype(int).tolist()
        self.parts = [slice(a, b) for a, b in pairwise(bounds)]
        self.games = [game for game in games for _ in range(threads)]
        """By part."""
        self.choices = [
            CHOICES.get(game.name, PythonChoices)(game, part.stop - part.start, int(chance.integers(2**63)))
            for game, part in zip(self.games, self.parts, strict=True)
        ]
        first = self.choices[0]
        self.count, self.actions = count, games[0].num_actions
        self.workers = ThreadPoolExecutor(threads) if threads > 1 else None

        def array(dtype: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros((count, *shape), dtype=dtype, pin_memory=pinned)

        self.seen = array(torch.float32, first.input_size)
        """[N, inputs] what the seat on turn sees."""
        self.legal = array(torch.bool, self.actions)
        """[N, actions]"""
        self.turns = array(torch.int8)
        """[N]"""
        self.hands = array(torch.float32, first.hand_size)
        """[N, hand] what the other seat holds."""
        self.results, self.done = array(torch.float32), array(torch.bool)
        """[N] what seat 0 got where a match ended in the last step, and whether it did."""
        self._read()

    def _arrays(
        self, part: slice
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int8], NDArray[np.float32]]:
        return tuple(each.numpy()[part] for each in (self.seen, self.legal, self.turns, self.hands))  # type: ignore[return-value]

    def _read(self) -> None:
        for choices, part in zip(self.choices, self.parts, strict=True):
            choices.read(*self._arrays(part))

    def step(self, actions: Actions) -> None:
        """Play actions [N]; a match that ends is dealt again."""

        def play(choices: Choices, part: slice) -> None:
            choices.step(actions[part], self.results.numpy()[part], self.done.numpy()[part])
            choices.read(*self._arrays(part))

        run = map if self.workers is None else self.workers.map
        for _ in run(play, self.choices, self.parts):
            pass

    def part(self, row: int) -> int:
        """The part that a match belongs to."""
        return next(number for number, part in enumerate(self.parts) if row < part.stop)

    def view(self, row: int) -> View:
        """What the seat on turn sees in one match."""
        part = self.part(row)
        return cast(View, self.choices[part].view(row - self.parts[part].start))

    def save(self) -> list[bytes]:
        """All matches as bytes."""
        return [bytes(each) for each in self.choices]

    def load(self, saved: Sequence[bytes]) -> None:
        """Continue with saved matches of the same games."""
        for choices, data in zip(self.choices, saved, strict=True):
            choices.load(data)
        self._read()


class Opponents:
    """Agents that play one seat of each match; the learner has the other seat, `seats`."""

    def __init__(self, matches: Matches, names: Sequence[str], limit: Limit, seed: int, threads: int = 1) -> None:
        self.matches, self.limit = matches, limit
        self.makers = [agents.agent(name) for name in names]
        self.chance = np.random.default_rng(seed)
        self.seats = np.arange(matches.count, dtype=np.int8) % 2
        """[N] of the learner."""
        self.agents: list[Agent] = []
        self.games = [matches.games[matches.part(row)] for row in range(matches.count)]
        self.agents = [self._agent(row) for row in range(matches.count)]
        self.workers = ThreadPoolExecutor(threads) if threads > 1 else None

    def _agent(self, row: int) -> Agent:
        make = self.makers[int(self.chance.integers(len(self.makers)))]
        return make(self.games[row], 1 - int(self.seats[row]), int(self.chance.integers(2**62)))

    def play(self, actions: Actions) -> None:
        """Replace the actions [N] of the matches in which an opponent is on turn, then step, and seat new opponents."""
        rows = np.flatnonzero(self.matches.turns.numpy() != self.seats)

        def decide(row: int) -> int:
            choice = self.agents[row].act(self.matches.view(row), self.limit)
            return choice.action if isinstance(choice, Decision) else choice

        run = map if self.workers is None else self.workers.map
        for row, action in zip(rows, run(decide, rows.tolist()), strict=True):
            actions[row] = action
        self.matches.step(actions)
        for row in np.flatnonzero(self.matches.done.numpy()):
            self.seats[row] = 1 - self.seats[row]
            self.agents[row] = self._agent(int(row))


Policy = Callable[[Tensor, Tensor], Actions]
"""Inputs [N, inputs] and legal actions [N, actions] -> actions [N]."""


def play_agents(games: Sequence[Game], policy: Policy, name: str, limit: Limit, matches: int, seed: int) -> Result:
    """The result of a policy against an agent, half of the matches in each seat.

    Each match has a deal of its own. Every row plays equally many, so that short matches do not count more often than
    long ones.
    """
    rows = next(count for count in (200, 100, 50, 20, 10, 2, 1) if matches % count == 0 and count >= len(games))
    side = Matches(games, rows, seed)
    opponents = Opponents(side, [name], limit, seed)
    left = np.full(rows, matches // rows)
    counts = [0, 0, 0]
    while left.any():
        seats = opponents.seats.copy()
        opponents.play(policy(side.seen, side.legal))
        for row in np.flatnonzero(side.done.numpy() & (left > 0)):
            result = side.results[row].item() * (1 - 2 * int(seats[row]))
            counts[0 if result > 0 else 1 if result == 0 else 2] += 1
            left[row] -= 1
    return Result.of(*counts)
