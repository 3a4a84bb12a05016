"""The replay buffer of DQN and the n-step transitions that fill it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Transitions(NamedTuple):
    """N n-step transitions of the learner."""

    seen: NDArray[np.float32]
    """[N, inputs] the observation when the learner decided."""
    action: NDArray[np.int64]
    """[N] its action."""
    reward: NDArray[np.float32]
    """[N] the discounted sum of rewards up to `after`."""
    after: NDArray[np.float32]
    """[N, inputs] the observation n decisions later; zeros if the match ended."""
    legal: NDArray[np.bool_]
    """[N, actions] the legal actions at `after`; all False if the match ended."""
    discount: NDArray[np.float32]
    """[N] the factor for the return from `after` on; zero if the match ended."""

    def arrays(self) -> list[NDArray[Any]]:
        """The fields in their order, as a list: type checkers disagree about a tuple of arrays of several types."""
        return [self.seen, self.action, self.reward, self.after, self.legal, self.discount]

    def where(self, index: NDArray[np.int64]) -> Transitions:
        """Copies of the transitions at these indices."""
        return Transitions(*(array[index] for array in self.arrays()))


class Replay:
    """A ring buffer of the last `capacity` transitions."""

    def __init__(self, capacity: int, inputs: int, actions: int) -> None:
        self.capacity, self.count, self._next = capacity, 0, 0
        self._all = _empty(capacity, inputs, actions)

    def add(self, some: Transitions) -> None:
        """Add transitions; they replace the oldest when the buffer is full."""
        index = (self._next + np.arange(len(some.action))) % self.capacity
        for stored, fresh in zip(self._all.arrays(), some.arrays(), strict=True):
            stored[index] = fresh
        self._next = int(self._next + len(index)) % self.capacity
        self.count = min(self.capacity, self.count + len(index))

    def sample(self, size: int, chance: np.random.Generator) -> Transitions:
        """`size` transitions, uniformly, with replacement."""
        index = chance.integers(0, self.count, size)
        return self._all.where(index)

    def __getstate__(self) -> dict[str, Any]:
        """Only the filled part, so that an early checkpoint is a small file."""
        return self.__dict__ | {"_all": self._all.where(np.arange(self.count))}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        filled: Transitions = saved["_all"]
        self.__dict__.update(saved)
        self._all = _empty(self.capacity, filled.seen.shape[1], filled.legal.shape[1])
        for stored, kept in zip(self._all.arrays(), filled.arrays(), strict=True):
            stored[: self.count] = kept


def _empty(count: int, inputs: int, actions: int) -> Transitions:
    return Transitions(
        np.zeros((count, inputs), np.float32),
        np.zeros(count, np.int64),
        np.zeros(count, np.float32),
        np.zeros((count, inputs), np.float32),
        np.zeros((count, actions), np.bool_),
        np.zeros(count, np.float32),
    )


class Unfinished:
    """The last decisions of each row's match, until they become transitions `steps` decisions later.

    decision 0   decision 1   …   decision steps   ->  a transition from 0, and 1 becomes 0
    decision 0   decision 1   …   the end          ->  a transition from each of them
    """

    def __init__(self, rows: int, steps: int, discount: float, inputs: int, actions: int) -> None:
        self.steps, self.discount, self.actions = steps, discount, actions
        self.length = np.zeros(rows, np.int64)
        self.seen = np.zeros((rows, steps, inputs), np.float32)
        self.action = np.zeros((rows, steps), np.int64)
        self.reward = np.zeros((rows, steps), np.float32)

    def decide(
        self,
        rows: NDArray[np.int64],
        seen: NDArray[np.float32],
        legal: NDArray[np.bool_],
        action: NDArray[np.int64],
        reward: NDArray[np.float32],
    ) -> Transitions:
        """Add a decision in each of these rows. Returns the transitions that this completes."""
        full = self.length[rows] == self.steps
        complete = rows[full]
        powers = self.discount ** np.arange(self.steps, dtype=np.float32)
        done = Transitions(
            self.seen[complete, 0],
            self.action[complete, 0],
            (self.reward[complete] * powers).sum(1, dtype=np.float32),
            seen[full],
            legal[full],
            np.full(len(complete), self.discount**self.steps, np.float32),
        )
        for kept in (self.seen, self.action, self.reward):
            kept[complete, :-1] = kept[complete, 1:]
        self.length[complete] -= 1
        at = self.length[rows]
        self.seen[rows, at], self.action[rows, at], self.reward[rows, at] = seen, action, reward
        self.length[rows] += 1
        return done

    def end(self, rows: NDArray[np.int64], results: NDArray[np.float32]) -> list[Transitions]:
        """End the matches in these rows with these results for the learner. Returns their last transitions."""
        self.reward[rows, self.length[rows] - 1] += results  # index -1 if it never decided; nothing reads that
        done = []
        tail = np.zeros(len(rows), np.float32)
        for at in range(self.steps - 1, -1, -1):
            there = self.length[rows] > at
            tail = np.where(there, self.reward[rows, at] + self.discount * tail, tail).astype(np.float32)
            some = rows[there]
            done.append(
                Transitions(
                    self.seen[some, at],
                    self.action[some, at],
                    tail[there],
                    np.zeros((len(some), self.seen.shape[2]), np.float32),
                    np.zeros((len(some), self.actions), np.bool_),
                    np.zeros(len(some), np.float32),
                )
            )
        self.length[rows] = 0
        return done
