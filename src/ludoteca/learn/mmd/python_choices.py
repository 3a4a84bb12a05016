"""Matches of any game for the learner, by a Python loop over the protocols. core/mmd/choices.hpp does it for ours."""

from __future__ import annotations

import json
import random

import numpy as np
from numpy.typing import NDArray

from ludoteca.agents.networks.view_networks import network_input
from ludoteca.errors import IllegalAction, InvalidOption
from ludoteca.protocols import Action, Game, State, View


class PythonChoices:
    """N matches in which the seat on turn always has a choice: forced actions are played at once.

    A match that ends is dealt again. Its network gets no belief to learn: what a seat holds is known only in our games.
    """

    hand_size = 1
    """The core wants a belief of at least one number; here it is always 0."""

    def __init__(self, game: Game, count: int, seed: int) -> None:
        self._game, self._chance = game, random.Random(seed)
        self._deals: list[tuple[int, list[Action]]] = []
        """The seed of each match and its actions, from which it can be played again."""
        self._states: list[State] = []
        for _ in range(count):
            deal, state = self._deal()
            self._deals.append(deal)
            self._states.append(state)
        self.input_size = network_input(self.view(0)).shape[1]

    def __len__(self) -> int:
        return len(self._states)

    def _deal(self) -> tuple[tuple[int, list[Action]], State]:
        """A match with a choice; deals that end without one are left out."""
        while True:
            seed = self._chance.getrandbits(63)
            state, actions = self._game.deal(seed), list[Action]()
            _play_forced(state, actions)
            if state.turn is not None:
                return (seed, actions), state

    def view(self, index: int) -> View:
        """What the seat on turn sees in one match."""
        state = self._states[index]
        return state.view(state.turn or 0)

    def read(
        self,
        inputs: NDArray[np.float32],
        legal: NDArray[np.bool_],
        turns: NDArray[np.int8],
        hands: NDArray[np.float32],
    ) -> None:
        """Fill [N, inputs] what the seat on turn sees, [N, actions], [N], and [N, 1] zeros."""
        legal[:], hands[:] = False, 0
        for row, state in enumerate(self._states):
            inputs[row] = network_input(self.view(row))[0]
            legal[row, state.legal()] = True
            turns[row] = state.turn or 0

    def step(self, actions: NDArray[np.int32], results: NDArray[np.float32], done: NDArray[np.bool_]) -> None:
        """Play one action in each match; fill what seat 0 gets where a match ended, and whether it did.

        Raises IllegalAction, with all matches unchanged, and InvalidOption for a game that is not zero-sum.
        """
        for state, action in zip(self._states, actions.tolist(), strict=True):
            if action not in state.legal():
                raise IllegalAction.at(state, action)
        results[:], done[:] = 0, False
        for row, action in enumerate(actions.tolist()):
            state, played = self._states[row], self._deals[row][1]
            state.apply(action)
            played.append(action)
            _play_forced(state, played)
            if state.turn is None:
                first, second = state.returns()
                if abs(first + second) > 1e-6:
                    raise InvalidOption(
                        "train mmd: {game} is not zero-sum: a match ended with the returns {first:g} and {second:g}",
                        game=self._game.spec, first=first, second=second,
                    )  # fmt: skip
                results[row], done[row] = first, True
                self._deals[row], self._states[row] = self._deal()

    def __bytes__(self) -> bytes:
        return json.dumps([self._chance.getstate(), self._deals]).encode()

    def load(self, data: bytes) -> None:
        """Continue from the bytes of another one, of the same game and size."""
        (version, numbers, gauss), deals = json.loads(data)
        self._chance.setstate((version, tuple(numbers), gauss))
        self._deals = [(seed, actions) for seed, actions in deals]
        self._states = []
        for seed, actions in self._deals:
            state = self._game.deal(seed)
            for action in actions:
                state.apply(action)
            self._states.append(state)


def _play_forced(state: State, actions: list[Action]) -> None:
    """Play as long as there is only one action."""
    while state.turn is not None and len(legal := state.legal()) == 1:
        state.apply(legal[0])
        actions.append(legal[0])
