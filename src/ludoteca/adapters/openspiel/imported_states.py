"""States and views of OpenSpiel's games; see `ludoteca.adapters.openspiel.imported_game`.

A state wraps OpenSpiel's. It resolves chance from a seed and the number of chance events so far, so the same seed and
actions always lead to the same state.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import IllegalAction, InvalidAgent
from ludoteca.games import game as game_of
from ludoteca.protocols import Action, Game, Seat

MASK = 2**64 - 1


class SpielGame(Game, Protocol):
    """What states and views need to know of a game of OpenSpiel."""

    rules: Any
    """OpenSpiel's own game."""
    scale: float
    """The largest utility."""
    hidden_information: bool
    by_information: bool
    """Whether views are compared by their information state; else by the current observation."""
    shows_observation: bool
    with_information_tensor: bool
    with_observation_tensor: bool

    @property
    def can_sample(self) -> bool:
        """Whether OpenSpiel can resample a state from an information state."""


def random_numbers(seed: int) -> Callable[[], float]:
    """Numbers in [0, 1), the same for the same seed."""
    count = 0

    def number() -> float:
        nonlocal count
        count += 1
        return _number(seed, count)

    return number


def _number(seed: int, count: int) -> float:
    """SplitMix64: the number at a place of a seed's sequence, so that a copy needs only seed and place."""
    mixed = (seed + count * 0x9E3779B97F4A7C15) & MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
    return ((mixed ^ (mixed >> 31)) >> 11) / 2**53


class SpielState:
    """OpenSpiel's state, and the chance to come."""

    def __init__(self, game: SpielGame, state: Any, seed: int, rolled: int = 0) -> None:
        """state: OpenSpiel's, which this one then owns."""
        self.game = game
        self._state, self._seed, self._rolled = state, seed, rolled

    @classmethod
    def start(cls, game: SpielGame, seed: int) -> SpielState:
        """The first state in which a player is on turn."""
        state = cls(game, game.rules.new_initial_state(), seed)
        state._roll()
        return state

    @property
    def turn(self) -> Seat | None:
        """OpenSpiel's current player."""
        return None if self._state.is_terminal() else int(self._state.current_player())

    def legal(self) -> list[Action]:
        """As OpenSpiel lists them, ascending."""
        return [] if self._state.is_terminal() else sorted(self._state.legal_actions())

    def apply(self, action: Action) -> None:
        """Plays an action, and what chance does after it."""
        if action not in self.legal():
            raise IllegalAction.at(self, action)
        self._state.apply_action(action)
        self._roll()

    def copy(self) -> SpielState:
        """An independent state with the same chance to come."""
        return SpielState(self.game, self._state.clone(), self._seed, self._rolled)

    def returns(self) -> tuple[float, ...]:
        """OpenSpiel's returns, scaled to [-1, 1]; zeros before the end."""
        if not self._state.is_terminal():
            return (0.0, 0.0)
        return tuple(min(1.0, max(-1.0, each / self.game.scale)) for each in self._state.returns())

    def view(self, seat: Seat) -> SpielView:
        """What the seat knows, with a world to sample from that depends on nothing else."""
        game, turn = self.game, self.turn
        information = _information(game, self._state, seat)
        world, numbers, shown = None, None, ""
        if not game.hidden_information:
            world = self._state.clone()
        elif game.can_sample:
            world = _resampled(self._state, seat, zlib.crc32(information.encode()))
        else:
            numbers, shown = _tensor(game, self._state, seat), _shown(game, self._state, seat)
        actions = tuple(self.legal()) if turn == seat else ()
        return SpielView(game, seat, turn, information, actions, world, numbers, shown)

    def name_of(self, seat: Seat, action: Action) -> str:
        """OpenSpiel's name for a legal action of this player here."""
        return " ".join(self._state.action_to_string(seat, action).split())

    def resampled(self, seed: int) -> Any:
        """A resampled state with the same information state of the seat on turn. Raises pyspiel.SpielError."""
        return self._state.resample_from_infostate(self.turn, random_numbers(seed))

    def _roll(self) -> None:
        while self._state.is_chance_node():
            self._rolled += 1
            left = _number(self._seed, self._rolled)
            outcomes = self._state.chance_outcomes()
            chosen = outcomes[-1][0]
            for outcome, probability in outcomes:
                left -= probability
                if left < 0:
                    chosen = outcome
                    break
            self._state.apply_action(chosen)


class SpielView:
    """What one seat knows: its information state, by which views are equal or not."""

    def __init__(
        self,
        game: SpielGame,
        seat: Seat,
        turn: Seat | None,
        information: str,
        actions: tuple[Action, ...],
        world: Any,
        numbers: NDArray[np.float32] | None,
        shown: str,
    ) -> None:
        """world: OpenSpiel's state that looks the same to the seat; numbers, shown: what is seen if there is none."""
        self.game, self.seat, self.turn = game, seat, turn
        self.information = information
        """OpenSpiel's information state; with perfect information, the history."""
        self._actions, self._world, self._numbers, self._shown = actions, world, numbers, shown

    @property
    def shown(self) -> str:
        """The position as text."""
        return self._shown if self._world is None else _shown(self.game, self._world, self.seat)

    def legal(self) -> list[Action]:
        """The legal actions if it is this seat's turn."""
        return list(self._actions)

    def legal_names(self) -> list[tuple[Action, str]]:
        """The legal actions with OpenSpiel's names for them here; empty if there is no world to ask."""
        if self._world is None:
            return []
        return [(each, " ".join(self._world.action_to_string(self.seat, each).split())) for each in self._actions]

    def sample(self, seed: int) -> SpielState:
        """A world that looks the same to the seat. Raises InvalidAgent if OpenSpiel cannot resample."""
        return SpielState(self.game, self.world(seed), seed)

    def world(self, seed: int) -> Any:
        """The same as OpenSpiel's own state."""
        world = self._world
        if world is not None and self.game.hidden_information and self.turn is not None:
            world = _resampled(world, self.seat, seed)
        if world is None:
            raise InvalidAgent(
                "OpenSpiel cannot sample worlds of {game}: the game has no resample_from_infostate; agents that do not "
                "sample, such as random, can play it",
                game=self.game.spec,
            )
        return world.clone()

    def tensor(self) -> NDArray[np.float32]:
        """OpenSpiel's tensor; see the module."""
        if self._world is None:
            assert self._numbers is not None
            return self._numbers.copy()
        return _tensor(self.game, self._world, self.seat)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielView) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __bytes__(self) -> bytes:
        return f"{self.seat}\n{self.turn}\n{self.information}".encode()

    def _key(self) -> tuple[object, ...]:
        return self.game.spec, self.seat, self.turn, self.information

    def __reduce__(self) -> tuple[Any, ...]:
        world = None if self._world is None else self._world.serialize()
        fields = self.seat, self.turn, self.information, self._actions, world, self._numbers, self._shown
        return _again, (self.game.spec, *fields)


_remembered = lru_cache(maxsize=64)(game_of)


def _again(spec: str, *fields: Any) -> SpielView:
    """The view that was pickled."""
    game: Any = _remembered(spec)
    seat, turn, information, actions, world, numbers, shown = fields
    state = None if world is None else game.rules.deserialize_state(world)
    return SpielView(game, seat, turn, information, actions, state, numbers, shown)


def _resampled(state: Any, seat: Seat, seed: int) -> Any:
    """A state with the same information state that depends on nothing else."""
    if state.is_terminal():
        return state.clone()  # nothing is hidden any more
    return state.resample_from_infostate(seat, random_numbers(seed))


def _information(game: SpielGame, state: Any, seat: Seat) -> str:
    if not game.hidden_information:
        return str(state.history_str())
    return str(state.information_state_string(seat) if game.by_information else state.observation_string(seat))


def _shown(game: SpielGame, state: Any, seat: Seat) -> str:
    if not game.hidden_information:
        return str(state)
    return str(state.observation_string(seat) if game.shows_observation else state.information_state_string(seat))


def _tensor(game: SpielGame, state: Any, seat: Seat) -> NDArray[np.float32]:
    if game.with_information_tensor:
        numbers = state.information_state_tensor(seat)
    elif game.with_observation_tensor:
        numbers = state.observation_tensor(seat)
    else:
        numbers = [0.0]
    return np.array(numbers, np.float32).reshape(game.tensor_shape)
