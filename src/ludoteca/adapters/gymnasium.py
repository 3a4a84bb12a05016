"""Gymnasium environments: one seat of a game, and an agent in the other. Importing this module registers them.

Each installed game has an id: ``ludoteca/Hex-v0``, ``ludoteca/Kittens-v0`` …

>>> import gymnasium, ludoteca.adapters.gymnasium
>>> env = gymnasium.make("ludoteca/Hex-v0", game="hex:size=5", opponent="random", seat=0)
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((5, 5, 5), 25)

The observation is `View.tensor` of the own seat: never anything that this seat may not know. The reward is 0 until the
match is over and then the own seat's return: 1, 0 or -1, or in a game with stakes the amount that it won.
"""

from __future__ import annotations

import operator
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ludoteca import games
from ludoteca.adapters.env_spaces import (
    RENDER_MODES,
    Mask,
    Observation,
    action_space,
    check_render_mode,
    env_id,
    game_of,
    mask,
    picture,
)
from ludoteca.adapters.env_spaces import tensor_space as tensor_space_of
from ludoteca.agents import agent as agent_of
from ludoteca.errors import IllegalAction, InvalidOption, LudotecaError, extra
from ludoteca.games.details import stake_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.protocols import Agent, AgentFactory, Decision, Limit, Seat, State
from ludoteca.spec import one_of

with extra("gym", say("the environment for learning")):
    import gymnasium
    from gymnasium.error import ResetNeeded

DEALS = 1000
"""If this many matches in a row end before our seat has a turn, it never gets one."""
SEEDS = 2**63


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a match; an agent plays the other, in this process and with its rights.

    game: a string such as ``hex:size=7``. opponent: a string such as ``mcts:simulations=200``, or an `AgentFactory`; a
    new agent is made for each match. seat: 0 or 1; None draws it at each reset, and ``info["seat"]`` says which it is.
    limit: what the opponent may use for an action, such as ``2000n`` or ``0.1s``; None sets no limit.
    illegal: what an illegal action does. ``lose`` ends the match with the reward of a loss (-1, or minus the stake) and
    ``info["illegal"]``, as the arena would; ``raise`` raises IllegalAction and leaves the match as it was.
    render_mode: ``ansi`` or ``svg``.
    only: the name that the game must have, which is what an id such as ``ludoteca/Hex-v0`` sets; None for any.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str = "hex",
        opponent: str | AgentFactory = "random",
        seat: Seat | None = None,
        limit: str | None = None,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: str | None = None,
        only: str | None = None,
    ) -> None:
        self.game = game_of(game, only)
        if seat is not None and seat not in range(self.game.seats):
            raise InvalidOption(
                "seat={seat!r} does not exist in {game}; it is 0 to {last}, or None",
                seat=seat,
                game=self.game.spec,
                last=self.game.seats - 1,
            )
        one_of("environment", "illegal", illegal, ("lose", "raise"))
        check_render_mode(render_mode, self.game)
        self.observation_space = tensor_space_of(self.game)
        self.action_space = action_space(self.game)
        self.render_mode = render_mode
        self.stake = stake_of(self.game)
        """The largest reward: 1, or in a game with stakes the amount that a return of 1 stands for."""
        self.seat: Seat = seat or 0
        """Our seat in the current match."""
        self._seat = seat
        self._opponent: AgentFactory = agent_of(opponent) if isinstance(opponent, str) else opponent
        self._limit = _limit(limit)
        self._illegal = illegal
        self._state: State | None = None
        self._agents: dict[Seat, Agent] = {}
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new match, played until our turn; one that ends before that is dealt again.

        Raises LudotecaError when that happens again and again.
        """
        super().reset(seed=seed, options=options)
        for _ in range(DEALS):
            self._state = self.game.deal(self._draw(SEEDS))
            self.seat = self._draw(self.game.seats) if self._seat is None else self._seat
            others = [other for other in range(self.game.seats) if other != self.seat]
            self._agents = {other: self._opponent(self.game, other, self._draw(SEEDS)) for other in others}
            self._answer(self._state)
            if self._state.turn is not None:
                self._over = False
                return self._observation(self._state), self._info(self._state)
        raise LudotecaError(
            "in {count} matches of {game} seat {seat} never had a turn",
            count=DEALS,
            game=self.game.spec,
            seat=self.seat,
        )

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays `action`, then the opponent, until it is our turn again or the match is over."""
        state = self._current()
        if self._over:
            raise ResetNeeded("the match is over: call reset() for a new one")
        try:
            state.apply(operator.index(action))
        except IllegalAction:
            if self._illegal == "raise":
                raise
            self._over = True
            return self._observation(state), -self.stake, True, False, self._info(state) | {"illegal": True}
        self._answer(state)
        self._over = state.turn is None
        reward = self.stake * state.returns()[self.seat] if self._over else 0.0
        return self._observation(state), reward, self._over, False, self._info(state)

    def action_masks(self) -> NDArray[np.bool_]:
        """[num_actions] True where an action is legal now; sb3-contrib asks for it by this name."""
        return self._mask(self._current()).astype(np.bool_)

    def render(self) -> str | None:
        """The board as our seat sees it: text or SVG, by `render_mode`; None without one."""
        return None if self.render_mode is None else picture(self._current().view(self.seat), self.render_mode)

    def _current(self) -> State:
        if self._state is None:
            raise ResetNeeded("there is no match yet: call reset() first")
        return self._state

    def _answer(self, state: State) -> None:
        """Plays the opponent's actions until it is no longer on turn. Raises what the opponent raises."""
        while (turn := state.turn) is not None and turn != self.seat:
            decision = self._agents[turn].act(state.view(turn), self._limit)
            try:
                state.apply(decision.action if isinstance(decision, Decision) else decision)
            except IllegalAction as error:
                error.add_note(f"It was the opponent's action, in seat {turn}.")
                raise

    def _draw(self, below: int) -> int:
        return int(self.np_random.integers(below))

    def _observation(self, state: State) -> Observation:
        return state.view(self.seat).tensor()

    def _mask(self, state: State) -> Mask:
        return mask(self.game.num_actions, [] if self._over else state.legal())

    def _info(self, state: State) -> dict[str, Any]:
        return {"action_mask": self._mask(state), "seat": self.seat}


def _limit(text: str | None) -> Limit:
    """The opponent's limit for one action. Raises InvalidOption, also for a limit on whole matches."""
    if text is None:
        return Limit()
    limit = MatchLimit.parse(text)
    if limit.match_seconds is not None or limit.match_nodes is not None:
        raise InvalidOption("limit={limit} must be per action here, such as 2000n or 0.1s", limit=text)
    return Limit(limit.seconds, limit.nodes)


def register_games() -> None:
    """Registers all installed games that are not registered yet, without importing them."""
    for name in games.names():
        if env_id(name) not in gymnasium.registry:
            gymnasium.register(
                env_id(name),
                entry_point="ludoteca.adapters.gymnasium:SeatEnv",
                vector_entry_point="ludoteca.adapters.gymnasium_vector:BatchEnv",
                kwargs={"game": name, "only": name},
            )


register_games()
