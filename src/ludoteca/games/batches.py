"""Many states stepped together: in the core for our games, by a Python loop for any other."""

from __future__ import annotations

import random
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import IllegalAction
from ludoteca.protocols import Batch, Game, State


@runtime_checkable
class _Batched(Protocol):
    """A game with its own batches, as our games have."""

    def batch(self, count: int, seed: int = 0) -> Batch: ...


def batch(game: Game, count: int, seed: int = 0) -> Batch:
    """`count` states of `game` that restart themselves; the same seed and actions give the same batch.

    >>> import ludoteca
    >>> batch = ludoteca.batch(ludoteca.game("hex:size=5"), 1000, seed=1)
    >>> batch.tensor().shape, batch.legal().shape
    ((1000, 5, 5, 5), (1000, 25))
    """
    return game.batch(count, seed) if isinstance(game, _Batched) else LoopBatch(game, count, seed)


class LoopBatch:
    """A `Batch` for any game, by a Python loop."""

    def __init__(self, game: Game, count: int, seed: int = 0) -> None:
        if count < 1:
            raise ValueError(f"a batch of {count} states")
        self.game = game
        self._chance = random.Random(seed)
        self._seeds = [0] * count
        self._states = [self._deal(index) for index in range(count)]

    def _deal(self, index: int) -> State:
        while True:
            self._seeds[index] = self._chance.getrandbits(63)
            state = self.game.deal(self._seeds[index])
            if state.turn is not None:
                return state

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """[N] the seed that each current state was dealt from."""
        return np.array(self._seeds, np.uint64)

    @property
    def turns(self) -> NDArray[np.int8]:
        """[N] whose turn it is."""
        return np.array([state.turn for state in self._states], np.int8)

    def __len__(self) -> int:
        return len(self._states)

    def __getitem__(self, index: int) -> State:
        return self._states[index].copy()

    def legal(self) -> NDArray[np.bool_]:
        """[N, num_actions] True where an action is legal."""
        mask = np.zeros((len(self), self.game.num_actions), np.bool_)
        for row, state in zip(mask, self._states, strict=True):
            row[state.legal()] = True
        return mask

    def tensor(self) -> NDArray[np.float32]:
        """[N, *tensor_shape] what the seat on turn sees."""
        return np.stack([state.view(state.turn or 0).tensor() for state in self._states])

    def random_actions(self) -> NDArray[np.int32]:
        """[N] a uniformly random legal action for each state."""
        return np.array([self._chance.choice(state.legal()) for state in self._states], np.int32)

    def step(self, actions: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Plays actions [N]; gives returns [N, 2] and done [N]. Raises IllegalAction, with all states unchanged."""
        if len(actions) != len(self):
            raise ValueError(f"{len(actions)} actions for a batch of {len(self)} states")
        for state, action in zip(self._states, actions, strict=True):
            if int(action) not in state.legal():
                raise IllegalAction.at(state, int(action))
        returns, done = np.zeros((len(self), 2), np.float32), np.zeros(len(self), np.bool_)
        for index, (state, action) in enumerate(zip(self._states, actions, strict=True)):
            state.apply(int(action))
            if state.turn is None:
                returns[index], done[index] = state.returns(), True
                self._states[index] = self._deal(index)
        return returns, done
