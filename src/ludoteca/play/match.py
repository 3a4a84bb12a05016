"""One match: holds the true state, shows each seat its view, keeps the clock and writes the record.

Terminal, page, notebook and arena all use it. A caller that can wait for the players calls `run`. The page, which
serves many visitors, does the same steps itself: `ask` for the question, let the player think elsewhere, and pass its
decision to `answer`. A person is a seat without a player; their actions arrive through `play`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter as now
from typing import NamedTuple, Self, SupportsBytes

from ludoteca.errors import IllegalAction
from ludoteca.games import game as game_of
from ludoteca.messages import say
from ludoteca.play.clock import MARGIN, TIMEOUT, Clock, MatchLimit
from ludoteca.play.display import match_html
from ludoteca.play.record import Record, Who, first_state
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.inside import Inside
from ludoteca.players.player import Player
from ludoteca.protocols import Action, Agent, Decision, Game, Limit, Seat, State, View

PERSONS = (Who(), Who())


class Turn(NamedTuple):
    """One action: who played it, how long it took, and why."""

    seat: Seat
    action: Action
    seconds: float
    decision: Decision | None
    """The agent's decision; None for an action of a person or of an opening."""


class Question(NamedTuple):
    """What to ask the player on turn."""

    seat: Seat
    view: View
    limit: Limit
    timeout: float
    """Seconds after which the referee stops waiting."""


class Match:
    """A match in progress or finished. It can be stopped at any moment and continued from its record.

    >>> import ludoteca
    >>> match = ludoteca.Match(ludoteca.game("hex:size=3"), seed=1)
    >>> match.play(4)
    >>> match.turn, match.actions
    (1, [4])
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        actions: Iterable[Action] = (),
        *,
        start: str = "",
        opening: int = 0,
        seats: tuple[Who, Who] = PERSONS,
        limit: MatchLimit | None = None,
        person_limit: MatchLimit | None = None,
        margin: float = MARGIN,
    ) -> None:
        """A match dealt from `seed`, or from the position `start`, after `actions`.

        opening: how many of these actions are an opening that no player chose. limit, person_limit: of each agent and
        of each person. margin: seconds of tolerance for agents. Raises IllegalAction and InvalidPosition.
        """
        self.game, self.seed, self.start, self.opening = game, seed, start, opening
        self.seats = seats
        self.limit = MatchLimit() if limit is None else limit
        self.person_limit = MatchLimit() if person_limit is None else person_limit
        self.actions: list[Action] = []
        self.movers: list[Seat] = []
        """For each action the seat that played it."""
        self.seconds: list[float] = []
        self.decisions: list[Decision | None] = []
        self.side_swaps: list[int] = []
        self.helped = False
        """Whether an agent helped a person, or something was undone."""
        self.ending = Ending.unfinished
        self.fault_seat: Seat | None = None
        self.message = ""
        self.waited = 0.0
        """After a time-out: the seconds that the machine took from the agent; see `Fault`."""
        self._margin = margin
        people = [self._has_clock(seat) for seat in (0, 1)]
        self._clock = Clock([self.person_limit if person else self.limit for person in people], margin, people)
        self._num_actions = game.num_actions
        self._state = first_state(game, seed, start)
        self._seen = _seen(self._state, first=True)
        for action in actions:
            self.play(action)
        if self._state.turn is None:
            self.ending = Ending.finished

    @classmethod
    def of_spec(cls, spec: str, seed: int, actions: Iterable[Action] = (), *, start: str = "") -> Self:
        """A match of the game with this spec. Raises InvalidGame, IllegalAction and InvalidPosition."""
        return cls(game_of(spec), seed, actions, start=start)

    @classmethod
    def of_record(cls, record: Record, *, margin: float = MARGIN) -> Self:
        """The match of a record, to replay or, if unfinished, to continue. Raises LudotecaError."""
        match = cls(
            game_of(record.game), record.seed, start=record.start, seats=record.seats,
            limit=MatchLimit.parse(record.limit), person_limit=MatchLimit.parse(record.person_limit), margin=margin,
        )  # fmt: skip
        match.opening, match.side_swaps, match.helped = record.opening, list(record.side_swaps), record.helped
        for ply, action in enumerate(record.actions):
            decision = record.decision(ply)
            spent = record.seconds[ply] if ply < len(record.seconds) else 0.0
            match._apply(action, spent, decision)
        if record.ending is not Ending.unfinished:
            match.ending, match.fault_seat, match.message = record.ending, record.fault, record.message
        return match

    def __eq__(self, other: object) -> bool:
        """Whether the same actions were played from the same start."""
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = (self.game.spec, self.seed, self.start), (other.game.spec, other.seed, other.start)
        return mine == theirs and self.actions == other.actions

    __hash__ = None  # type: ignore[assignment]  # it changes with every action

    def __repr__(self) -> str:
        names = " – ".join(str(who.name) for who in self.seats)
        turn = "over" if self.turn is None else f"seat {self.turn} is on turn"
        return f"<Match of {self.game.spec}: {names}, {len(self.actions)} actions, {turn}>"

    def _repr_html_(self) -> str:
        """For a notebook: the players, the board and the moves."""
        names = [who.name for who in self.seats]
        return match_html(self.game, self._state, names, self.actions, returns=self.returns(), ending=self.ending)

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over, by the rules or by a fault or resignation."""
        return self._state.turn if self.ending is Ending.unfinished else None

    @property
    def turns(self) -> list[Turn]:
        """Every action so far."""
        return [Turn(*each) for each in zip(self.movers, self.actions, self.seconds, self.decisions, strict=True)]

    def view(self, seat: Seat) -> View:
        """All that `seat` may know."""
        return self._state.view(seat)

    def views_seen(self, seat: Seat) -> list[View]:
        """The views on which the seat has decided so far, for a player that takes the seat now."""
        again, seen = self.before(0), []
        for ply, action in enumerate(self.actions):
            if ply >= self.opening and self.movers[ply] == seat:
                seen.append(again.view(seat))
            again.play(action)
        return seen

    def returns(self) -> tuple[float, float]:
        """The result per seat, in [-1, 1]; zeros before the end."""
        if self.ending is Ending.agreed:
            return 0.0, 0.0
        if self.fault_seat is not None:
            return (-1.0, 1.0) if self.fault_seat == 0 else (1.0, -1.0)
        first, second = self._state.returns()
        return float(first), float(second)

    def play(self, action: Action, seconds: float = 0.0) -> None:
        """Play a person's action. Raises IllegalAction, and then changes nothing."""
        if self.turn is None:
            played = self.game.action_name(action) if 0 <= action < self.game.num_actions else str(action)
            raise IllegalAction(
                "{action!r} cannot be played: this match of {game} is over", action=played, game=self.game.spec
            )
        self._apply(action, seconds, None)

    def _apply(self, action: Action, seconds: float, decision: Decision | None) -> None:
        state = self._state
        seat = state.turn
        state.apply(action)
        assert seat is not None
        counted = 0.0 if self._has_clock(seat) and not self.is_timed(seat) else seconds
        self.actions.append(action)
        self.movers.append(seat)
        self.decisions.append(decision)
        if seen := _seen(state):
            self._seen = hashlib.blake2b(self._seen + seen, digest_size=16).digest()
        self._clock.spend(seat, counted, 0 if decision is None else decision.nodes)
        self.seconds.append(
            round(seconds, 6)
        )  # last: `live_matches`, which reads from another thread, counts by this list
        if state.turn is None:
            self.ending = Ending.finished

    def _has_clock(self, seat: Seat) -> bool:
        """Whether a person sits there whose time is limited."""
        return self.seats[seat].person and self.person_limit != MatchLimit()

    def is_timed(self, seat: Seat) -> bool:
        """Whether the next action of a person takes time from their clock: they may be late for their first one."""
        return self._has_clock(seat) and seat in self.movers[self.opening :]

    def seconds_left(self, seat: Seat, used: float = 0.0) -> float | None:
        """The seconds until the time of a person is up, if they have used so many for their next action.

        None for an agent, and for a person without a clock. The first action of a person is not timed.
        """
        if not self._has_clock(seat):
            return None
        return self._clock.left(seat, used if self.is_timed(seat) else 0.0)

    def end_if_late(self, used: float) -> bool:
        """End the match if the person on turn has no time left after so many seconds; whether it was ended."""
        seat = self.turn
        if seat is None or self.seconds_left(seat, used) != 0.0:
            return False
        self.end_by(seat, Fault(Ending.timeout, say("the person's time was up")))
        return True

    def ask(self) -> Question:
        """The question for the seat on turn; the match must not be over. Raises Fault if its time is up."""
        seat = self._state.turn
        assert seat is not None and self.ending is Ending.unfinished
        limit, timeout = self._clock.next(seat)
        return Question(seat, self._state.view(seat), limit, timeout)

    def answer(self, decision: Decision, seconds: float) -> None:
        """Play the decision of the player on turn. Raises Fault if it is not legal."""
        action = decision.action
        if not 0 <= action < self._num_actions:
            raise Fault(Ending.illegal, IllegalAction.at(self._state, action).args[0])
        try:
            self._apply(action, seconds, decision)
        except IllegalAction as error:
            raise Fault(Ending.illegal, error.args[0]) from None

    def end_by(self, seat: Seat, fault: Fault) -> None:
        """End the match: the seat loses by a fault."""
        self.ending, self.fault_seat, self.message = fault.ending, seat, fault.message
        self.waited = fault.waited

    def resign(self, seat: Seat) -> None:
        """End the match: the seat gives up, even if it is not on turn."""
        self.ending, self.fault_seat = Ending.resigned, seat

    def agree_draw(self) -> None:
        """End the match: both players agree on a draw."""
        self.ending = Ending.agreed

    def swap_sides(self) -> None:
        """The players of seats 0 and 1 swap sides."""
        self.seats = (self.seats[1], self.seats[0])
        self.side_swaps.append(len(self.actions))

    def who(self, ply: int) -> Who:
        """Who played the action at this ply; an action of the opening counts for its seat."""
        return self.seats[self.final_seat(ply)]

    def final_seat(self, ply: int) -> Seat:
        """The seat in which the player of the action at this ply sits at the end, after all swaps of sides."""
        later = sum(at > ply for at in self.side_swaps)
        return self.movers[ply] ^ (later % 2)

    def step(self, players: Mapping[Seat, Player]) -> bool:
        """Ask the player on turn and play its decision; a fault ends the match.

        False if nothing was played: the match is over, or the seat on turn has no player. Players must be prepared.
        """
        if (seat := self.turn) is None or (player := players.get(seat)) is None:
            return False
        try:
            limit, timeout = self._clock.next(seat)
            view = self._state.view(seat)
            start = now()
            decision = player.decide(view, limit, timeout)
            spent = now() - start
            if spent > timeout and not getattr(player, "keeps_time", False):
                raise Fault(Ending.timeout, "the agent needed more than {seconds:g} seconds", seconds=timeout)
            self.answer(decision, spent)
        except Fault as fault:
            self.end_by(seat, fault)
            return False
        return True

    def run(self, players: Mapping[Seat, Player]) -> Iterator[Turn]:
        """Step until no player can play; yields each action once it is played."""
        while self.step(players):
            yield Turn(self.movers[-1], self.actions[-1], self.seconds[-1], self.decisions[-1])

    def before(self, ply: int) -> Match:
        """An independent match with only the first `ply` actions."""
        match = Match(
            self.game, self.seed, start=self.start, opening=min(self.opening, ply), seats=self.seats,
            limit=self.limit, person_limit=self.person_limit, margin=self._margin,
        )  # fmt: skip
        for turn in self.turns[:ply]:
            match._apply(turn.action, turn.seconds, turn.decision)
        match.side_swaps, match.helped = [at for at in self.side_swaps if at <= ply], self.helped
        if (len(self.side_swaps) - len(match.side_swaps)) % 2:
            match.seats = (match.seats[1], match.seats[0])
        return match

    def digest(self) -> str:
        """Digest of what was played and by whom: equal for equal matches, even if their seeds differ."""
        one, two = (f"{who.identity.spec}@{who.identity.digest}" for who in self.seats)
        said = f"{self.game.spec}|{one}|{two}|{self.ending}|{self.fault_seat}|{self.actions}".encode()
        return hashlib.blake2b(self._seen + said, digest_size=8).hexdigest()

    def record(self) -> Record:
        """The record of the match as it is now; `of_record` reads it back."""
        says_anything = any(decision is not None and _says_anything(decision) for decision in self.decisions)
        return Record(
            game=self.game.spec,
            seed=self.seed,
            seats=self.seats,
            actions=tuple(self.actions),
            movers=tuple(self.movers),
            start=self.start,
            opening=self.opening,
            side_swaps=tuple(self.side_swaps),
            limit=str(self.limit),
            person_limit=str(self.person_limit),
            seconds=tuple(self.seconds),
            decisions=tuple(self.decisions) if says_anything else (),
            returns=self.returns(),
            ending=self.ending,
            fault=self.fault_seat,
            message=self.message,
            digest=self.digest(),
            helped=self.helped,
        )


def _seen(state: State, *, first: bool = False) -> bytes:
    """What tells a match apart beside its actions: equal for equal cards, even if the seeds differ.

    A state of the core has bytes with all hidden cards and future chance, so the first one is enough. Of any other game
    count what the two seats saw, after every action.
    """
    if isinstance(state, SupportsBytes):
        return bytes(state) if first else b""
    return bytes(state.view(0)) + bytes(state.view(1))


def _says_anything(decision: Decision) -> bool:
    """Whether a decision holds more than its action."""
    return bool(
        decision.value is not None
        or decision.scores
        or decision.line
        or decision.note
        or decision.nodes
        or decision.depth
        or decision.proven
        or decision.reasons
    )


def play_out(match: Match, agents: Mapping[Seat, Agent], limit: Limit) -> Iterator[tuple[Seat, Decision]]:
    """Play with agent objects in this process until the match is over or a seat without an agent is on turn.

    For notebooks and tests: the agents are trusted, and their faults are raised.
    """
    match.limit = MatchLimit(limit.seconds, limit.nodes)
    match._clock = Clock([match.limit] * 2, margin=TIMEOUT)
    for turn in match.run({seat: Inside.around(agent) for seat, agent in agents.items()}):
        assert turn.decision is not None
        yield turn.seat, turn.decision
    if match.ending.is_fault:
        raise Fault(match.ending, match.message)
