"""How a check lets a submission play: single decisions and whole matches, within the time of the check."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ludoteca.agents.identity import Identity
from ludoteca.messages import say
from ludoteca.play.clock import MARGIN, MatchLimit
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.player import Player
from ludoteca.players.pool import Pool
from ludoteca.players.processes.child import Child
from ludoteca.protocols import Action, Decision, Game, Limit, Seat, State, View

SEED = 20
"""The seed of every deal and agent, so that the same check plays the same matches."""


Done = TypeVar("Done")
TRIES = 3
"""How often something is tried that failed because the machine was busy."""


class Budget:
    """The time for a check; each step gets a share of it."""

    def __init__(self, seconds: float, longest: float = 0.0) -> None:
        """longest: seconds after which a step ends even if it has not seen enough."""
        begun = time.monotonic()
        self._seconds, self._end = seconds, begun + seconds
        self.last = begun + max(seconds, longest)
        """When everything ends, by `time.monotonic`."""

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
    busy: bool = False
    """Whether it ended because the machine took the submission's time, in every try."""

    @property
    def finished(self) -> bool:
        """Whether the match has a result, by the rules or by a fault of a player."""
        return self.match.turn is None and not self.busy

    @property
    def seconds(self) -> list[float]:
        """How long each of the submission's decisions took."""
        return [turn.seconds for turn in self.match.turns if turn.seat == self.seat]

    @property
    def score(self) -> float:
        """The submission's score: 1, ½ or 0."""
        return (self.match.returns()[self.seat] + 1) / 2


class Answered(NamedTuple):
    """A decision of the submission."""

    decision: Decision
    seconds: float
    waited: float
    """Seconds of these in which it waited for a core, where that is known."""


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
    build_seconds: float = 0.0
    """How long it took to build a player."""
    seconds_each: float = 0.0
    """How long a decision takes at the limit `brief`, about."""

    on_decision: Callable[[], None] = lambda: None
    """Called before each of its decisions."""

    def is_machines(self, fault: Fault) -> bool:
        """Whether the machine caused more than the margin of a time-out, as the arena counts it."""
        return fault.ending is Ending.timeout and fault.waited > self.margin

    def build(self) -> None:
        """Builds a player of the submission. Raises Fault."""

        def seat() -> None:
            begun = time.monotonic()
            with self.pool.seated(self.game, self.identity, 0, SEED):
                self.build_seconds = time.monotonic() - begun

        self._tried(seat)

    def ask(self, state: State, limit: MatchLimit, timeout: float) -> Answered:
        """The decision of a new player of the submission in this state. Raises Fault.

        It is asked again where the machine caused a time-out.
        """
        assert state.turn is not None
        game: Game = state.game
        view = state.view(state.turn)

        def decide() -> Answered:
            self.on_decision()
            with self.pool.seated(game, self.identity, view.seat, SEED) as player:
                before, begun = _waited(player), time.perf_counter()
                decision = player.decide(view, Limit(limit.seconds, limit.nodes), timeout)
                took = time.perf_counter() - begun
                return Answered(decision, took, _waited(player) - before)

        return self._tried(decide)

    def _tried(self, work: Callable[[], Done]) -> Done:
        """The result of `work`, which is done again where the machine caused a time-out. Raises Fault."""
        for _ in range(TRIES - 1):
            try:
                return work()
            except Fault as fault:
                if not self.is_machines(fault):
                    raise
        return work()

    def play(
        self, game: Game, seat: Seat, opponent: str, limit: MatchLimit, until: float, *, seed: int = SEED,
        nodes: int | None = None, opening: Sequence[Action] = (), least: int = 0,
    ) -> Played:  # fmt: skip
        """A match against an agent of ours with a limit in nodes; stopped at the time `until`.

        least: decisions of the submission before which it is not stopped, as long as the check may last. The match is
        played again where the machine caused a time-out.
        """
        for left in range(TRIES - 1, -1, -1):
            played = self._play(game, seat, opponent, limit, until, seed, nodes, opening, least)
            played.busy = played.match.ending is Ending.timeout and played.match.waited > self.margin
            if not played.busy or not left:
                break
        if played.match.fault_seat == seat and not played.busy:
            match = played.match
            played.fault = say("{kind}: {reason}", kind=match.ending.words, reason=match.message)
        return played

    def _play(
        self, game: Game, seat: Seat, opponent: str, limit: MatchLimit, until: float, seed: int, nodes: int | None,
        opening: Sequence[Action], least: int,
    ) -> Played:  # fmt: skip
        match = Match(game, seed, opening, opening=len(opening), limit=limit, margin=self.margin)
        played = Played(match, seat)
        with ExitStack() as stack:
            try:
                player = stack.enter_context(self.pool.seated(game, self.identity, seat, seed))
            except Fault as fault:
                match.end_by(seat, fault)
                return played
            other = stack.enter_context(self.pool.seated(game, opponent, 1 - seat, seed + 1))
            players: dict[Seat, Player] = {seat: player, 1 - seat: Held(other, Limit(nodes=nodes))}
            while time.monotonic() < (until if len(played.seconds) >= least else max(until, self.budget.last)):
                if match.turn == seat:
                    self.on_decision()
                if not match.step(players):
                    break
        return played


def _waited(player: Player) -> float:
    """Seconds in which the player's process has waited for a core, where that is known."""
    usage = player.usage if isinstance(player, Child) else None
    return 0.0 if usage is None else usage.wait_seconds


class Held:
    """An agent of ours with a limit of its own, so that a check does not wait for it."""

    keeps_time = True
    """It never loses by the clock of the match: on a busy machine that would be a win for the submission."""

    def __init__(self, player: Player, limit: Limit) -> None:
        self._player, self._limit = player, limit
        self.prepare, self.stop, self.close = player.prepare, player.stop, player.close

    def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
        """Its decision, whatever the limit of the match."""
        return self._player.decide(view, self._limit, 600.0)

    def think(self, view: View, limit: Limit, timeout: float) -> Iterator[Decision]:
        """Its thoughts."""
        return self._player.think(view, self._limit, 600.0)
