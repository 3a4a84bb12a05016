"""PettingZoo environments of any installed game: `env` (agents act one after another) and `parallel_env` (in step).

>>> from ludoteca.adapters.pettingzoo import env
>>> aec = env("kittens")
>>> aec.reset(seed=1)
>>> observation, reward, termination, truncation, info = aec.last()
>>> aec.agent_selection, observation["observation"].shape, observation["action_mask"].shape
('player_0', (161,), (9,))

Seat 0 is ``player_0``. An observation is a dictionary of ``observation``, `View.tensor` of that very seat and never
anything that it may not know, and ``action_mask``, int8, all zeros for an agent that is not on turn. Rewards are 0
until the match is over and then each seat's return: 1, 0 or -1, or in a game with stakes the amount that it won. An
illegal action raises IllegalAction and changes nothing; PettingZoo's TerminateIllegalWrapper makes it a loss instead.
"""

from __future__ import annotations

import operator
import random
from typing import Any, SupportsIndex

from ludoteca import games
from ludoteca.adapters.env_spaces import RENDER_MODES, action_space, check_render_mode, mask, picture, tensor_space
from ludoteca.errors import InvalidAction, InvalidOption, LudotecaError, extra
from ludoteca.games.details import stake_of
from ludoteca.messages import say
from ludoteca.protocols import Game, Seat, State

with extra("gym", say("the environment for learning")):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv, ParallelEnv

MODES = (*RENDER_MODES, "human")
"""``human`` prints the text board."""
DEALS = 1000
"""If this many deals in a row are over at once, no match ever begins."""

AgentObservation = dict[str, Any]
"""``observation`` and ``action_mask``."""


def env(game: str = "hex", *, max_cycles: int | None = None, render_mode: str | None = None) -> TurnsEnv:
    """An AEC environment of a game such as ``hex:size=7``; it checks order and actions itself, without wrappers.

    max_cycles: the match is truncated after so many actions for each seat; None plays it to its end. render_mode:
    ``ansi`` or ``svg``, which `render` gives as a string, or ``human``, which prints.
    """
    return TurnsEnv(game, max_cycles=max_cycles, render_mode=render_mode)


def parallel_env(game: str = "hex", *, max_cycles: int | None = None, render_mode: str | None = None) -> StepsEnv:
    """A parallel environment of a game, for learners that need one.

    No game of ours is played at the same time, so a step is one action of the match: that of the agent on turn. The
    others wait: their mask allows action 0 only, ``infos[agent]["waiting"]`` is true and what they play is ignored.
    max_cycles: the match is truncated after so many steps.
    """
    return StepsEnv(game, max_cycles=max_cycles, render_mode=render_mode)


class _MatchEnv:
    """What both kinds of environment share: a game, its spaces, and one match after another."""

    def __init__(self, game: str, max_cycles: int | None, render_mode: str | None) -> None:
        self.game: Game = games.game(game)
        if max_cycles is not None and max_cycles < 1:
            raise InvalidOption("max_cycles={count} is no match: at least 1, or None", count=max_cycles)
        check_render_mode(render_mode, self.game, MODES)
        self.stake = stake_of(self.game)
        """The largest reward: 1, or in a game with stakes the amount that a return of 1 stands for."""
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self.metadata = {"name": f"ludoteca_{self.game.name}_v0", "render_modes": list(MODES), "render_fps": 1}
        self._seats: dict[str, Seat] = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}
        self._width = self.game.num_actions
        self._chance = random.Random()
        self._state: State | None = None
        self._actions = 0
        """The number of actions in this match."""

    def _observation_space(self) -> spaces.Dict:
        legal = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        return spaces.Dict({"observation": tensor_space(self.game), "action_mask": legal})

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object for the same agent."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object for the same agent."""
        return self._action_spaces[agent]

    def render(self) -> str | None:
        """The board as the seat on turn sees it, after the end as seat 0 does; ``human`` prints it."""
        if self.render_mode is None:
            return None
        state = self._current()
        shown = picture(state.view(state.turn or 0), self.render_mode)
        if self.render_mode != "human":
            return shown
        print(shown)
        return None

    def close(self) -> None:
        """Does nothing: there are no resources to free."""

    def _deal(self, seed: int | None) -> State:
        """A new match: `Game.deal(seed)`, unless that deal is over at once."""
        if seed is not None:
            seed = operator.index(seed)  # NumPy's integers are seeds too
            if not 0 <= seed < 2**64:
                raise InvalidOption("seed={seed} is none of a deal: 0 to 2**64 - 1, or None", seed=seed)
            self._chance = random.Random(seed)
        for number in range(DEALS):
            drawn = self._chance.getrandbits(63)
            state = self.game.deal(drawn if seed is None or number else seed)
            if state.turn is not None:
                self._state, self._actions, self.agents = state, 0, self.possible_agents[:]
                return state
        raise LudotecaError("{count} deals of {game} in a row were over at once", count=DEALS, game=self.game.spec)

    def _rewards(self, state: State) -> list[float]:
        """By seat."""
        return [self.stake * each for each in state.returns()]

    def _current(self) -> State:
        if self._state is None:
            raise ResetNeeded("there is no match yet: call reset() first")
        return self._state


class TurnsEnv(_MatchEnv, AECEnv):  # type: ignore[misc]  # PettingZoo is untyped
    """See `env`."""

    def __init__(self, game: str = "hex", *, max_cycles: int | None = None, render_mode: str | None = None) -> None:
        _MatchEnv.__init__(self, game, max_cycles, render_mode)
        self._last_action = None if max_cycles is None else max_cycles * self.game.seats

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match; with a seed, always the same one."""
        state = self._deal(seed)
        assert state.turn is not None
        self.agent_selection = self.possible_agents[state.turn]
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> AgentObservation:
        """What this agent sees, also when it is not on turn."""
        view = self._current().view(self._seats[agent])
        return {"observation": view.tensor(), "action_mask": mask(self._width, view.legal())}

    def step(self, action: SupportsIndex | None) -> None:
        """Plays the action of the agent on turn; None removes an agent whose match is over."""
        state, agent = self._current(), self.agent_selection
        if not self.agents:
            raise ResetNeeded("the match is over: call reset() for a new one")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InvalidAction("{agent} is on turn and must play an action, not None", agent=agent)
        state.apply(operator.index(action))
        self._cumulative_rewards[agent] = 0.0
        self._actions += 1
        turn = state.turn
        if turn is None:
            self._finish(state)
        else:
            self.agent_selection = self.possible_agents[turn]
            if self._actions == self._last_action:
                self.truncations = dict.fromkeys(self.agents, True)

    def _finish(self, state: State) -> None:
        self.rewards = dict(zip(self.agents, self._rewards(state), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        # An action no longer clears the rewards: removing the first agent does.
        self._deads_step_first()


class StepsEnv(_MatchEnv, ParallelEnv):  # type: ignore[misc]  # PettingZoo is untyped
    """See `parallel_env`."""

    def __init__(self, game: str = "hex", *, max_cycles: int | None = None, render_mode: str | None = None) -> None:
        _MatchEnv.__init__(self, game, max_cycles, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, AgentObservation], dict[str, dict[str, Any]]]:
        """A new match; with a seed, always the same one."""
        return self._look(self._deal(seed))

    def step(
        self, actions: dict[str, SupportsIndex]
    ) -> tuple[
        dict[str, AgentObservation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Plays the action of the agent on turn; those of the others are ignored."""
        state = self._current()
        if not self.agents or state.turn is None:
            raise ResetNeeded("the match is over: call reset() for a new one")
        agent = self.possible_agents[state.turn]
        if agent not in actions:
            raise InvalidAction("{agent} is on turn and must play an action, not None", agent=agent)
        state.apply(operator.index(actions[agent]))
        self._actions += 1
        over = state.turn is None
        cut = not over and self._actions == self.max_cycles
        observations, infos = self._look(state)
        rewards = dict(zip(self.agents, self._rewards(state), strict=True))
        ended = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut)
        if over or cut:
            self.agents = []
        return observations, rewards, *ended, infos

    def _look(self, state: State) -> tuple[dict[str, AgentObservation], dict[str, dict[str, Any]]]:
        observations, infos = {}, {}
        for agent, seat in self._seats.items():
            view = state.view(seat)
            waiting = state.turn not in (None, seat)
            legal = mask(self._width, [0] if waiting else view.legal())
            observations[agent] = {"observation": view.tensor(), "action_mask": legal}
            infos[agent] = {"waiting": waiting}
        return observations, infos
