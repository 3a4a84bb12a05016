"""One match: the referee that holds the truth, shows each seat its view, keeps the clock and writes the record.

Terminal, page, notebook and arena all drive it. Whoever can wait for the players lets `run` ask them one after another.
Whoever cannot, as the page with its many visitors, does what `run` does in its own time: `ask` for the question, let
the player think wherever it lives, and give its decision to `answer`. A person is a seat without a player: what they
choose arrives by `play`.
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

__all__ = ["Match", "Question", "Turn", "play_out"]

PERSONS = (Who(), Who())


class Turn(NamedTuple):
    """One action with how it came about."""

    seat: Seat
    action: Action
    seconds: float
    decision: Decision | None
    """What the agent thought; None for a person's action and an opening's."""


class Question(NamedTuple):
    """What the player on turn is to be asked."""

    seat: Seat
    view: View
    limit: Limit
    timeout: float
    """Seconds after which the referee stops waiting."""


class Match:
    """A game being played; it can be left at any moment and taken up again from its record.

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
        margin: float = MARGIN,
    ) -> None:
        """A match dealt from `seed`, or from the position `start`, in which `actions` are played already.

        opening: so many of these actions were given with the match, and chosen by nobody. Raises IllegalAction and
        InvalidPosition.
        """
        self.game, self.seed, self.start, self.opening = game, seed, start, opening
        self.seats = seats
        self.limit = MatchLimit() if limit is None else limit
        self.actions: list[Action] = []
        self.movers: list[Seat] = []
        """For each action the seat that played it."""
        self.seconds: list[float] = []
        self.decisions: list[Decision | None] = []
        self.exchanged: list[int] = []
        self.ending = Ending.unfinished
        self.fault_seat: Seat | None = None
        self.message = ""
        self.waited = 0.0
        """After a time-out the seconds that the machine took from the agent; see `Fault`."""
        self._margin = margin
        self._clock = Clock(self.limit, margin)
        self._num_actions = game.num_actions
        self._state = first_state(game, seed, start)
        self._beginning = _beginning(self._state, seed)
        for action in actions:
            self.play(action)
        if self._state.turn is None:
            self.ending = Ending.finished

    @classmethod
    def of_spec(cls, spec: str, seed: int, actions: Iterable[Action] = (), *, start: str = "") -> Self:
        """The match of a game named by its spec. Raises InvalidGame and what the constructor raises."""
        return cls(game_of(spec), seed, actions, start=start)

    @classmethod
    def of_record(cls, record: Record, *, margin: float = MARGIN) -> Self:
        """The match that a record tells of, to look at or, unfinished, to go on with. Raises LudotecaError."""
        limit = MatchLimit.parse(record.limit)
        match = cls(
            game_of(record.game), record.seed, start=record.start, seats=record.seats, limit=limit, margin=margin
        )
        match.opening, match.exchanged = record.opening, list(record.exchanged)
        for ply, action in enumerate(record.actions):
            decision = record.decision(ply)
            spent = record.seconds[ply] if ply < len(record.seconds) else 0.0
            match._apply(action, spent, decision)
        if record.ending is not Ending.unfinished:
            match.ending, match.fault_seat, match.message = record.ending, record.fault, record.message
        return match

    def __eq__(self, other: object) -> bool:
        """Whether the same was played from the same beginning."""
        if not isinstance(other, Match):
            return NotImplemented
        mine, theirs = (self.game.spec, self.seed, self.start), (other.game.spec, other.seed, other.start)
        return mine == theirs and self.actions == other.actions

    __hash__ = None  # type: ignore[assignment]  # it changes with every action

    def _repr_html_(self) -> str:
        """For a notebook: the players, the board and the moves."""
        names = [who.name for who in self.seats]
        return match_html(self.game, self._state, names, self.actions, returns=self.returns(), ending=self.ending)

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over, by the rules or otherwise."""
        return self._state.turn if self.ending is Ending.unfinished else None

    @property
    def turns(self) -> list[Turn]:
        """Every action so far with how it came about."""
        return [Turn(*each) for each in zip(self.movers, self.actions, self.seconds, self.decisions, strict=True)]

    def view(self, seat: Seat) -> View:
        """All that `seat` may know."""
        return self._state.view(seat)

    def views_seen(self, seat: Seat) -> list[View]:
        """The views about which the seat was asked so far, for a player who takes the seat now."""
        again, seen = self.before(0), []
        for ply, action in enumerate(self.actions):
            if ply >= self.opening and self.movers[ply] == seat:
                seen.append(again.view(seat))
            again.play(action)
        return seen

    def returns(self) -> tuple[float, float]:
        """The result per seat, in [-1, 1]; zeros before the end."""
        if self.fault_seat is not None:
            return (-1.0, 1.0) if self.fault_seat == 0 else (1.0, -1.0)
        first, second = self._state.returns()
        return float(first), float(second)

    def play(self, action: Action, seconds: float = 0.0) -> None:
        """A person's action. Raises IllegalAction and changes nothing if it is not legal now."""
        if self.turn is None:
            played = self.game.action_name(action) if 0 <= action < self.game.num_actions else str(action)
            raise IllegalAction(
                say("{action!r} cannot be played: this match of {game} is over", action=played, game=self.game.spec)
            )
        self._apply(action, seconds, None)

    def _apply(self, action: Action, seconds: float, decision: Decision | None) -> None:
        state = self._state
        seat = state.turn
        state.apply(action)
        assert seat is not None
        self.actions.append(action)
        self.movers.append(seat)
        self.decisions.append(decision)
        self._clock.spend(seat, seconds, 0 if decision is None else decision.nodes)
        self.seconds.append(round(seconds, 6))  # last: whoever watches from another thread counts by this list
        if state.turn is None:
            self.ending = Ending.finished

    def ask(self) -> Question:
        """What the seat on turn is to be asked; only while it is somebody's turn. Raises Fault if its time is up."""
        seat = self._state.turn
        assert seat is not None and self.ending is Ending.unfinished
        limit, timeout = self._clock.next(seat)
        return Question(seat, self._state.view(seat), limit, timeout)

    def answer(self, decision: Decision, seconds: float) -> None:
        """Plays what the player on turn decided in so many seconds. Raises Fault for what is not legal."""
        action = decision.action
        if not 0 <= action < self._num_actions:
            raise Fault(Ending.illegal, IllegalAction.at(self._state, action).args[0])
        try:
            self._apply(action, seconds, decision)
        except IllegalAction as error:
            raise Fault(Ending.illegal, error.args[0]) from None

    def end_by(self, seat: Seat, fault: Fault) -> None:
        """The seat has lost by a fault."""
        self.ending, self.fault_seat, self.message = fault.ending, seat, fault.message
        self.waited = fault.waited

    def resign(self, seat: Seat) -> None:
        """The seat gives up, whoever is on turn."""
        self.ending, self.fault_seat = Ending.resigned, seat

    def exchange_seats(self) -> None:
        """Whoever sat in seat 0 goes on in seat 1, and the other way round."""
        self.seats = (self.seats[1], self.seats[0])
        self.exchanged.append(len(self.actions))

    def step(self, players: Mapping[Seat, Player]) -> bool:
        """Asks the player on turn and plays what it decides; a fault of its ends the match and stands in the record.

        False when nothing was played: the match is over, or the seat on turn has no player. Players come prepared.
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
                raise Fault(Ending.timeout, say("the agent needed more than {seconds:g} seconds", seconds=timeout))
            self.answer(decision, spent)
        except Fault as fault:
            self.end_by(seat, fault)
            return False
        return True

    def run(self, players: Mapping[Seat, Player]) -> Iterator[Turn]:
        """Steps until nothing more can be played; yields each action once it is."""
        while self.step(players):
            yield Turn(self.movers[-1], self.actions[-1], self.seconds[-1], self.decisions[-1])

    def before(self, ply: int) -> Match:
        """The match as it was when `ply` actions had been played, to be gone on with on its own."""
        match = Match(
            self.game, self.seed, start=self.start, opening=min(self.opening, ply), seats=self.seats,
            limit=self.limit, margin=self._margin,
        )  # fmt: skip
        for turn in self.turns[:ply]:
            match._apply(turn.action, turn.seconds, turn.decision)
        match.exchanged = [at for at in self.exchanged if at <= ply]
        if (len(self.exchanged) - len(match.exchanged)) % 2:
            match.seats = (match.seats[1], match.seats[0])
        return match

    def digest(self) -> str:
        """Of what was played, by whom: equal for equal matches, however the seeds differ that led to them."""
        one, two = (f"{who.identity.spec}@{who.identity.digest}" for who in self.seats)
        said = f"{self.game.spec}|{one}|{two}|{self.ending}|{self.fault_seat}|{self.actions}".encode()
        return hashlib.blake2b(self._beginning + said, digest_size=8).hexdigest()

    def record(self) -> Record:
        """What there is to tell of the match now; `of_record` takes it up again."""
        told = any(decision is not None and _says_anything(decision) for decision in self.decisions)
        return Record(
            game=self.game.spec,
            seed=self.seed,
            seats=self.seats,
            actions=tuple(self.actions),
            movers=tuple(self.movers),
            start=self.start,
            opening=self.opening,
            exchanged=tuple(self.exchanged),
            limit=str(self.limit),
            seconds=tuple(self.seconds),
            decisions=tuple(self.decisions) if told else (),
            returns=self.returns(),
            ending=self.ending,
            fault=self.fault_seat,
            message=self.message,
            digest=self.digest(),
        )


def _beginning(state: State, seed: int) -> bytes:
    """What a match began from, chance to come included: equal where deals are equal, though their seeds differ.

    Two deals of hidden cards that happen to be played alike are two observations all the same.
    """
    if isinstance(state, SupportsBytes):
        return bytes(state)  # the whole truth of a game of the core
    return bytes(state.view(0)) + bytes(state.view(1)) + str(seed).encode()


def _says_anything(decision: Decision) -> bool:
    """Whether there is more to a decision than its action."""
    return bool(
        decision.value is not None
        or decision.scores
        or decision.line
        or decision.note
        or decision.nodes
        or decision.depth
        or decision.proven
    )


def play_out(match: Match, agents: Mapping[Seat, Agent], limit: Limit) -> Iterator[tuple[Seat, Decision]]:
    """Lets agent objects play in this process until the match is over or a seat without one is on turn.

    For notebooks and tests: the agents are trusted, and a fault of theirs is raised.
    """
    match.limit = MatchLimit(limit.seconds, limit.nodes)
    match._clock = Clock(match.limit, margin=TIMEOUT)
    for turn in match.run({seat: Inside.around(agent) for seat, agent in agents.items()}):
        assert turn.decision is not None
        yield turn.seat, turn.decision
    if match.ending.is_fault:
        raise Fault(match.ending, match.message)
