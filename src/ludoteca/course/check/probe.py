"""How a check lets a submission play: single decisions and whole matches, within the time of the check."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from ludoteca.agents.identity import Identity
from ludoteca.messages import say
from ludoteca.play.clock import MARGIN, MatchLimit
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, State, View

__all__ = ["Budget", "Played", "Probe"]

SEED = 20
"""The seed of every deal and agent, so that the same check plays the same matches."""


class Budget:
    """The time for a check; each step gets a share of it."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._end = seconds, time.monotonic() + seconds

    def share(self, part: float) -> float:
        """When a step must end that may take this part of the whole time, by `time.monotonic`."""
        return min(time.monotonic() + part * self._seconds, self._end)


@dataclass
class Played:
    """One match of the submission, finished or stopped when the time was over."""

    match: Match
    seat: Seat
    """The submission's seat."""
    fault: str = ""
    """The submission's fault, with its kind; empty if there was none."""

    @property
    def finished(self) -> bool:
        """Whether the match has a result, by the rules or by a fault."""
        return self.match.turn is None

    @property
    def seconds(self) -> list[float]:
        """How long each of the submission's decisions took."""
        return [turn.seconds for turn in self.match.turns if turn.seat == self.seat]

    @property
    def score(self) -> float:
        """The submission's score: 1, ½ or 0."""
        return (self.match.returns()[self.seat] + 1) / 2


@dataclass
class Probe:
    """One submission and the pool that runs it."""

    pool: Pool
    identity: Identity
    game: Game
    limit: MatchLimit
    budget: Budget
    margin: float = MARGIN
    """Seconds that the clock forgives, as in the tournament."""
    brief: MatchLimit = field(default_factory=MatchLimit)
    """A short limit for steps that do not depend on time; the real one if the submission does not keep short limits."""
    times: list[float] = field(default_factory=list)
    """Seconds of its decisions at the real limit."""
    own: list[Played] = field(default_factory=list)
    """Its matches in the game that it is checked for, at the real limit."""

    def ask(self, state: State, limit: MatchLimit, timeout: float) -> tuple[Decision, float]:
        """The decision of a new player of the submission in this state, and its seconds. Raises Fault."""
        assert state.turn is not None
        game: Game = state.game
        with self.pool.seated(game, self.identity, state.turn, SEED) as player:
            begun = time.perf_counter()
            decision = player.decide(state.view(state.turn), Limit(limit.seconds, limit.nodes), timeout)
            return decision, time.perf_counter() - begun

    def play(
        self, game: Game, seat: Seat, opponent: str, limit: MatchLimit, until: float, *, seed: int = SEED,
        nodes: int | None = None, opening: Sequence[Action] = (),
    ) -> Played:  # fmt: skip
        """A match against an agent of ours with a limit in nodes; stopped at the time `until`."""
        match = Match(game, seed, opening, opening=len(opening), limit=limit, margin=self.margin)
        played = Played(match, seat)
        with ExitStack() as stack:
            try:
                player = stack.enter_context(self.pool.seated(game, self.identity, seat, seed))
            except Fault as fault:
                match.end_by(seat, fault)
            else:
                other = stack.enter_context(self.pool.seated(game, opponent, 1 - seat, seed + 1))
                players: dict[Seat, Player] = {seat: player, 1 - seat: _Held(other, Limit(nodes=nodes))}
                while time.monotonic() < until and match.step(players):
                    pass
        if match.fault_seat == seat:
            played.fault = say("{kind}: {reason}", kind=match.ending.words, reason=match.message)
        return played


class _Held:
    """An agent of ours with a limit of its own, so that a check does not wait for it."""

    def __init__(self, player: Player, limit: Limit) -> None:
        self._player, self._limit = player, limit
        self.prepare, self.stop, self.close = player.prepare, player.stop, player.close

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its decision, whatever the limit of the match."""
        return self._player.decide(view, self._limit, 600.0)

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Its thoughts."""
        return self._player.think(view, self._limit, 600.0)
