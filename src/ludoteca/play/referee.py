"""The referee: plays one match between two agents and writes its record. Faults end a match; nothing else does."""

from __future__ import annotations

import time

from ludoteca.arena.fixture import Fixture
from ludoteca.errors import IllegalAction
from ludoteca.games import game as game_of
from ludoteca.play.clock import MatchLimit
from ludoteca.play.conditions import Conditions
from ludoteca.play.match import agent_seed
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game, Limit, Seat, State

__all__ = ["PATIENCE", "Referee"]

PATIENCE = 600.0
"""Seconds after which an agent without any limit in seconds is taken to hang."""


class _Clock:
    """What the agents have used, and what each may use for its next action."""

    def __init__(self, limit: MatchLimit, margin: float) -> None:
        self._limit, self._margin = limit, margin
        self._whole_match = limit.game_seconds is not None or limit.game_nodes is not None
        self._each = limit.next(0.0, 0)
        self.seconds, self.nodes = [0.0, 0.0], [0, 0]

    def next(self, seat: Seat) -> tuple[Limit, float]:
        """The limit to tell the agent, and after how many seconds the referee stops waiting. Raises Fault."""
        if not self._whole_match:
            seconds = self._each.seconds
            return self._each, PATIENCE if seconds is None else seconds + self._margin
        limit = self._limit.next(self.seconds[seat], self.nodes[seat])
        if limit.seconds is None:
            return limit, PATIENCE
        patience = limit.seconds
        if self._limit.game_seconds is not None:  # the margin is granted once for the match, not for every action
            patience = min(patience, self._limit.game_seconds - self.seconds[seat])
        if patience + self._margin <= 0:
            raise Fault(Ending.timeout, f"the agent has used up its {self._limit.game_seconds:g} seconds")
        return limit, patience + self._margin


class Referee:
    """Plays matches under the same conditions, one after another.

    Our own agents play in this process, all others each in a process forked for the match; with `isolated` ours do so
    too. Close it, or use it as a context manager, to end those processes.
    """

    def __init__(self, conditions: Conditions, *, isolated: bool = False) -> None:
        self._conditions = conditions
        self._game = game_of(conditions.game)
        self._limit = MatchLimit.parse(conditions.limit)
        self.pool = Pool(memory=conditions.memory, ours="child" if isolated else "inside")
        self.sheet: _Sheet | None = None
        """The match that is being played now, for `live.Broadcast` to look at from another thread."""

    def __enter__(self) -> Referee:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the agents' processes."""
        self.pool.close()

    def play(self, fixture: Fixture) -> Record:
        """Plays the match to its end or to the first fault."""
        players = [self.pool.player(self._game, spec) for spec in fixture.agents]
        self.sheet = _Sheet(self._game, fixture, self._conditions)
        try:
            return self.sheet.play(players, self._limit)
        finally:
            self.sheet = None
            for player in players:
                player.close()


class _Sheet:
    """The record of a match while it is being played."""

    def __init__(self, game: Game, fixture: Fixture, conditions: Conditions) -> None:
        self.game, self.fixture, self.conditions = game, fixture, conditions
        self.actions: list[int] = []
        self.values: list[float | None] = []
        self.nodes: list[int] = []
        self.seconds: list[float] = []
        self.seat: Seat = 0

    def play(self, players: list[Player], limit: MatchLimit) -> Record:
        state = self.game.deal(self.fixture.seed)
        try:
            for seat, player in enumerate(players):
                self.seat = seat
                player.prepare(seat, agent_seed(self.fixture.seed, seat))
            self.play_actions(state, players, _Clock(limit, self.conditions.margin))
        except Fault as fault:
            returns = (-1.0, 1.0) if self.seat == 0 else (1.0, -1.0)
            return self.record(returns, fault.ending, self.seat, fault.message)
        first, second = state.returns()
        return self.record((float(first), float(second)))

    def play_actions(self, state: State, players: list[Player], clock: _Clock) -> None:
        count, now = self.game.num_actions, time.perf_counter
        while (seat := state.turn) is not None:
            self.seat = seat
            limit, patience = clock.next(seat)
            view = state.view(seat)
            start = now()
            answer = players[seat].decide(view, limit, patience)
            spent = now() - start
            if spent > patience:
                raise Fault(Ending.timeout, f"the agent needed more than {patience:g} seconds")
            action = answer.action
            if not 0 <= action < count:
                raise Fault(Ending.illegal, str(IllegalAction.at(state, action)))
            try:
                state.apply(action)
            except IllegalAction as error:
                raise Fault(Ending.illegal, str(error)) from None
            clock.seconds[seat] += spent
            clock.nodes[seat] += answer.nodes
            self.actions.append(action)
            self.values.append(answer.value)
            self.nodes.append(answer.nodes)
            self.seconds.append(round(spent, 6))

    def record(
        self,
        returns: tuple[float, float],
        ending: Ending = Ending.finished,
        fault: Seat | None = None,
        message: str = "",
    ) -> Record:
        """The record; values and nodes that nobody gave are left out altogether."""
        return Record(
            game=self.conditions.game,
            seed=self.fixture.seed,
            agents=self.fixture.agents,
            limit=self.conditions.limit,
            actions=tuple(self.actions),
            returns=returns,
            ending=ending,
            fault=fault,
            message=message,
            values=tuple(self.values) if any(value is not None for value in self.values) else (),
            nodes=tuple(self.nodes) if any(self.nodes) else (),
            seconds=tuple(self.seconds),
        )
