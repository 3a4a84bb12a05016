"""Plays the fixtures of a run one after another and returns their records."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import NamedTuple

from ludoteca.arena.plan import Fixture
from ludoteca.errors import ForkServerKilled
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.conditions import Conditions
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.players.admission import DEFAULT, Admission
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.process_player import BUILD_TIMEOUT
from ludoteca.protocols import Seat

MAX_KILLS, MAX_KILLS_BY_CHILD = 20, 2
"""How often the fork server may be killed during a match; an agent that could have done it itself loses sooner."""


class _Played(NamedTuple):
    record: Record
    waited: float
    """After a time-out: the seconds that the machine took from the agent."""


class Referee:
    """Plays matches under the same conditions. Close it, or use it as a context manager, to end the agents' processes.

    `admission` says which agents run in this process; each of the others runs in a process forked for the match.
    """

    def __init__(
        self,
        conditions: Conditions,
        admission: Admission = DEFAULT,
        *,
        max_kills: int = MAX_KILLS,
        build_timeout: float = BUILD_TIMEOUT,
    ) -> None:
        """max_kills: how often the fork server may be killed during one match. build_timeout: in seconds."""
        self._max_kills = max_kills
        self._game = game_of(conditions.game)
        self._limit = MatchLimit.parse(conditions.limit)
        self._margin = conditions.margin
        self._pool = Pool(admission, memory=conditions.memory, build_timeout=build_timeout)
        self.index = -1
        self.match: Match | None = None
        """The match in progress; `LivePublisher` reads it from another thread."""

    def __enter__(self) -> Referee:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the agents' processes."""
        self._pool.close()

    def play(self, fixture: Fixture) -> Record:
        """Play the match to its end or to the first fault.

        If the machine itself caused more than the margin of a time-out, the match is replayed once, and the second try
        counts. The record holds both. If the process that forks the agents' processes is killed, the match is played
        again as if it had not begun. Raises ForkServerKilled when that never ends.
        """
        return _counted(lambda: self._play_undisturbed(fixture), self._margin)

    def _play_undisturbed(self, fixture: Fixture) -> _Played:
        for kills in range(self._max_kills):
            try:
                return self._play(fixture, kills)
            except ForkServerKilled:
                continue
        return self._play(fixture, self._max_kills)

    def _play(self, fixture: Fixture, kills: int = 0) -> _Played:
        """One try. kills: how often the fork server was killed in the tries before. Raises ForkServerKilled."""
        seats = tuple(Who(agent, seed) for agent, seed in zip(fixture.agents, fixture.agent_seeds, strict=True))
        match = Match(
            self._game, fixture.seed, fixture.opening, opening=len(fixture.opening), seats=(seats[0], seats[1]),
            limit=self._limit, margin=self._margin,
        )  # fmt: skip
        players: dict[Seat, Player] = {}
        self.index, self.match = fixture.index, match
        try:
            with ExitStack() as stack:
                for seat, agent in enumerate(fixture.agents):
                    seed = fixture.agent_seeds[seat]
                    try:
                        seated = self._pool.seated(self._game, agent, seat, 0 if seed is None else seed)
                        players[seat] = stack.enter_context(seated)
                    except Fault as fault:  # an agent that cannot be built has lost
                        match.end_by(seat, fault)
                        break
                    except ForkServerKilled as error:
                        match.end_by(seat, _charged(error, kills))
                        break
                try:
                    while match.step(players):
                        pass
                except ForkServerKilled as error:
                    assert match.turn is not None
                    match.end_by(match.turn, _charged(error, kills))
                usage = tuple(player.usage if isinstance(player, Child) else None for player in players.values())
            record = match.record()
            return _Played(replace(record, usage=usage) if any(usage) else record, match.waited)
        finally:
            self.match = None


def _counted(play: Callable[[], _Played], margin: float) -> Record:
    """The record of the first try, or of the second if the machine caused more than the margin of a time-out."""
    first = play()
    if first.record.ending is Ending.timeout and first.waited > margin:
        return replace(play().record, before=first.record)
    return first.record


def _charged(error: ForkServerKilled, kills: int) -> Fault:
    """The fault of the agent during whose turns a fork server was killed again and again. Raises the error before that.

    A sandbox cannot reach the fork server, so its agent is never charged.
    """
    if error.sandbox or kills < MAX_KILLS_BY_CHILD:
        raise error
    return Fault(Ending.crash, say("the process that forks the agent's process died during its turn, three times"))
