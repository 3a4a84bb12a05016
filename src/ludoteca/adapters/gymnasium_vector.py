"""Many environments as one: Gymnasium's vector interface on the core's batch, without a Python loop.

>>> import gymnasium, ludoteca.adapters.gymnasium
>>> envs = gymnasium.make_vec("ludoteca/Kittens-v0", num_envs=256, opponent="self")
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((256, 161), (256, 9))

A step is one action in each match. The option `opponent` says who plays the other seat:

``self``
    You play both seats: ``infos["seat"]`` is the seat on turn. The observation is that seat's, the reward that of the
    seat that has just moved; ``infos["returns"]`` has both seats'.
``random``
    Uniformly random actions, drawn in the core. A row in which the other seat is on turn *waits*: its observation is
    all zeros, its mask allows action 0 only, and your action there is ignored while the other seat moves.
a function
    The same, but the other seat plays ``function(observations, masks) -> actions`` for the rows in which it is on turn.

An agent by name has no batched form: ``make_vec(…, vectorization_mode="sync")`` runs it in a loop over single
environments.

A match that ends is dealt again in the same step (``AutoresetMode.SAME_STEP``), so the observation that comes with a
termination is the next match's first. There is no ``final_obs``: a match is never truncated, so after its end there is
no value to estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoteca.adapters.env_spaces import (
    RENDER_MODES,
    Observation,
    action_space,
    check_render_mode,
    game_of,
    picture,
    tensor_space,
)
from ludoteca.errors import InvalidOption, extra
from ludoteca.games.batches import batch
from ludoteca.games.details import stake_of
from ludoteca.messages import say
from ludoteca.protocols import Batch, Seat

with extra("gym", say("the environment for learning")):
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

BatchPolicy = Callable[[Observation, NDArray[np.int8]], NDArray[Any]]
"""Observations [K, *tensor_shape] and masks [K, num_actions] to actions [K]."""


class BatchEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """`num_envs` matches of one game, stepped together in the core.

    opponent: ``self``, ``random`` or a `BatchPolicy`; see the module. seat: the own seat, 0 or 1; None alternates
    from row to row. Self-play has no own seat.
    only: the name that the game must have; None for any.
    """

    metadata = {  # noqa: RUF012 - as Gymnasium declares it
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        num_envs: int = 1,
        game: str = "hex",
        opponent: str | BatchPolicy = "random",
        seat: Seat | None = None,
        render_mode: str | None = None,
        only: str | None = None,
    ) -> None:
        self.game = game_of(game, only)
        if isinstance(opponent, str) and opponent not in ("self", "random"):
            raise InvalidOption(
                "opponent={opponent!r} has no batched form: it is 'self', 'random' or a function; "
                "vectorization_mode='sync' plays against any agent",
                opponent=opponent,
            )
        if seat is not None and (opponent == "self" or seat not in range(self.game.seats)):
            raise InvalidOption(
                "seat={seat!r} does not fit: it is 0 to {last} or None, and None in self-play",
                seat=seat,
                last=self.game.seats - 1,
            )
        check_render_mode(render_mode, self.game)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.stake = stake_of(self.game)
        """The largest reward; see `ludoteca.adapters.gymnasium.SeatEnv`."""
        self.single_observation_space = tensor_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._seats: NDArray[np.int8] | None = None
        """[N] our seat in each row; None in self-play."""
        if opponent != "self":
            self._seats = (self._rows % self.game.seats if seat is None else np.full(num_envs, seat)).astype(np.int8)
        self._policy = opponent if callable(opponent) else None
        self._batch: Batch | None = None
        self._turns = np.zeros(num_envs, np.int8)
        self._first_only = np.arange(self.game.num_actions) == 0
        self._waiting: NDArray[np.intp] = np.zeros(0, np.intp)
        """The rows in which the other seat is on turn."""
        self._theirs: tuple[Observation, NDArray[np.int8]] | None = None
        """What the other seat's policy sees in these rows."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New matches in all rows; the same seed and actions give the same observations."""
        super().reset(seed=seed, options=options)
        self._batch = batch(self.game, self.num_envs, int(self.np_random.integers(2**63)))
        return self._look(self._batch)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays one action in each match. Raises IllegalAction for the first illegal one, with all matches unchanged.

        Rewards [N] float32, terminations [N] and truncations [N], which are all False.
        """
        states = self._current()
        whose = self._turns if self._seats is None else self._seats
        returns, done = states.step(self._all_actions(states, _whole_numbers(actions)))
        if self.stake != 1:
            returns = returns * np.float32(self.stake)
        observations, infos = self._look(states)
        infos["returns"], infos["_returns"] = returns, done.copy()
        rewards = returns.ravel()[self._rows * returns.shape[1] + whose]
        return observations, rewards, done, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """[N, num_actions] True where an action is legal now, as ``infos["action_mask"]`` says."""
        legal = self._current().legal()
        self._close(legal)
        return legal

    def random_actions(self) -> NDArray[np.int32]:
        """[N] a uniformly random legal action for each row, drawn in the core; waiting rows ignore theirs."""
        return self._current().random_actions()

    def render(self) -> tuple[str, ...] | None:
        """A picture of each row, as our seat sees it, in self-play the seat on turn; None without a render_mode."""
        if self.render_mode is None:
            return None
        states, seats = self._current(), self._turns if self._seats is None else self._seats
        return tuple(picture(states[row].view(int(seats[row])), self.render_mode) for row in range(self.num_envs))

    def _current(self) -> Batch:
        if self._batch is None:
            raise ResetNeeded("there are no matches yet: call reset() first")
        return self._batch

    def _all_actions(self, states: Batch, actions: NDArray[Any]) -> NDArray[Any]:
        """The caller's actions, with the other seat's in waiting rows."""
        waiting = self._waiting
        if not len(waiting) or len(actions) != self.num_envs:
            return actions  # the core refuses a wrong number of them
        if self._theirs is not None:
            assert self._policy is not None
            others = _whole_numbers(self._policy(*self._theirs))
        else:
            others = states.random_actions()[waiting]
        actions = actions.copy()
        actions[waiting] = others
        return actions

    def _look(self, states: Batch) -> tuple[Observation, dict[str, Any]]:
        """The caller's observations of all rows; remembers whose turn it is."""
        observations, legal = states.tensor(), states.legal()
        self._turns = states.turns
        every = np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {"action_mask": legal.view(np.int8), "_action_mask": every, "_seat": every}
        if self._seats is None:
            infos["seat"] = self._turns.copy()
        else:
            waits = self._turns != self._seats
            self._waiting = waits.nonzero()[0]
            if self._policy is not None:
                waiting = self._waiting
                self._theirs = (observations[waiting], legal[waiting].view(np.int8)) if len(waiting) else None
            observations[self._waiting] = 0
            self._close(legal)
            infos |= {"seat": self._seats.copy(), "waiting": waits, "_waiting": every}
        return observations, infos

    def _close(self, legal: NDArray[np.bool_]) -> None:
        """In waiting rows only action 0 is legal: a policy's choice there is certain and teaches nothing."""
        legal[self._waiting] = self._first_only


def _whole_numbers(actions: Any) -> NDArray[Any]:
    """The actions as int32, which the core reads directly; the core refuses what cannot be converted."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu" or given.dtype == np.int32:
        return given
    small = given.astype(np.int32)
    return small if np.array_equal(small, given) else given
