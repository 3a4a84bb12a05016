"""One match on the page, with the rules of the page: what people may do with it. Every change is saved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ludoteca.agents.identity import Identity
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who, clean_nickname
from ludoteca.play.store.invitations import Invitation
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Decision, Game, Seat
from ludoteca.web.errors import InvalidTable, TableDeleted
from ludoteca.web.tables.match_request import PERSON


class Table:
    """A match with the rules of the page. After every change its record goes to `save`."""

    def __init__(
        self,
        match: Match,
        save: Callable[[Record], None] = lambda record: None,
        owner: str = "",
        invitation: Invitation | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match = match
        self.owner = owner
        """The visitor who opened it, as the store knows visitors."""
        self.invitation = invitation
        """The seat of a second person at another screen; None when every person sits at the owner's screen."""
        self.deleted = False
        """Whether it was deleted: then nothing changes it any more."""
        self.draw_offer: Seat | None = None
        """The seat that offers a draw, until the other one answers or plays."""
        self._offered = [-1, -1]
        """By seat the number of actions before its last offer of a draw."""
        self._save, self._clock = save, clock
        self._turn_since = clock()

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.match.game

    @property
    def helped(self) -> bool:
        """Whether an agent helped a person here, or something was undone; such a match is not rated."""
        return self.match.helped

    def note_help(self) -> None:
        """Stores that an agent helped a person in this match."""
        if not self.match.helped and not self.deleted:
            self.match.helped = True
            self._save(self.match.record())

    @property
    def person_seats(self) -> list[Seat]:
        """The seats in which a person sits."""
        return [seat for seat, who in enumerate(self.match.seats) if who.person]

    @property
    def two_screens(self) -> bool:
        """Whether two people play here, each at their own screen."""
        return self.invitation is not None

    def seats_of(self, owner: str) -> list[Seat]:
        """The seats that this visitor may see and play for; none for a visitor who does not sit here."""
        if not owner:
            return []
        if self.invitation is None:
            return self.person_seats if owner == self.owner else []
        if owner == self.owner:
            return [1 - self.invitation.seat]
        return [self.invitation.seat] if owner == self.invitation.guest else []

    @property
    def names(self) -> tuple[str, str]:
        """By seat PERSON or the spec of the agent."""
        first, second = self.match.seats
        return first.agent or PERSON, second.agent or PERSON

    def nickname(self, seat: Seat) -> str:
        """What the person in a seat calls themselves; empty for an agent, or if they did not say."""
        return self.match.seats[seat].nickname

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over or resigned."""
        return self.match.turn

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.match.turn is None

    @property
    def resigned(self) -> Seat | None:
        """The seat that resigned, if one did."""
        return self.match.fault_seat if self.match.ending is Ending.resigned else None

    @property
    def hidden_information(self) -> bool:
        """Whether the game hides anything from a seat."""
        return details_of(self.game).hidden_information

    @property
    def undo_obstacle(self) -> str:
        """Why nothing can be undone, to be translated; empty when something can."""
        if self.two_screens:
            return say("you cannot undo in a match between two screens")
        if self.has_clock:
            return say("you cannot undo in a match with a clock")
        if self.over and self.hidden_information and self.person_seats:
            return say("you cannot undo after every hand has been shown")
        return say("there is nothing to undo") if self._undo_ply is None else ""

    @property
    def _undo_ply(self) -> int | None:
        """The number of actions left after an undo; None when there is nothing to undo."""
        persons, match = self.person_seats, self.match
        if self.resigned is not None:
            return len(match.actions)
        forced = details_of(self.game).forced_pass  # would be played again at once
        plies = [ply for ply in range(match.opening, len(match.actions)) if match.actions[ply] != forced]
        return max((ply for ply in plies if match.final_seat(ply) in persons or not persons), default=None)

    @property
    def may_swap_sides(self) -> bool:
        """Whether sides can be swapped.

        Not where a person would see the other hand, not between two screens, and not with a clock.
        """
        if self.over or self.two_screens or self.has_clock:
            return False
        return not (self.hidden_information and self.person_seats)

    @property
    def agent_on_turn(self) -> Who | None:
        """The agent on turn, if it is an agent's turn."""
        turn = self.turn
        return None if turn is None or self.match.seats[turn].person else self.match.seats[turn]

    def note_version(self, seat: Seat, agent: Identity) -> None:
        """Notes that an agent continues in a seat. If another version began there, the record names neither."""
        who = self.match.seats[seat]
        if who.identity.digest not in ("", agent.digest):
            seats = list(self.match.seats)
            seats[seat] = replace(who, identity=Identity(who.agent))
            self.match.seats = (seats[0], seats[1])

    # Time

    @property
    def has_clock(self) -> bool:
        """Whether the people here have a limited time."""
        return bool(self.person_seats) and self.match.person_limit != MatchLimit()

    @property
    def _used(self) -> float:
        """Seconds since the turn began; 0 as long as the invited person is not here."""
        return 0.0 if self._waits_for_guest else self._clock() - self._turn_since

    @property
    def _waits_for_guest(self) -> bool:
        return self.invitation is not None and self.invitation.guest is None

    def restart_turn(self) -> None:
        """The turn begins now: nobody was here. With a clock it goes on."""
        if not self.has_clock:
            self._turn_since = self._clock()

    def seconds_left(self, seat: Seat) -> float | None:
        """The seconds until the time of a person is up, as far as the referee knows; None without a clock."""
        return self.match.seconds_left(seat, self._used if seat == self.turn else 0.0)

    @property
    def clock_runs(self) -> bool:
        """Whether the person on turn is losing time."""
        seat = self.turn
        return seat is not None and not self._waits_for_guest and self.match.is_timed(seat)

    def end_if_late(self) -> bool:
        """Ends the match if the time of the person on turn is up; whether it did."""
        if self.deleted or not self.match.end_if_late(self._used):
            return False
        self._changed()
        return True

    # What people and agents do

    def play(self, action: Action) -> None:
        """A person's action. Raises IllegalAction, also when their time is up, and TableDeleted."""
        self._check()
        self.end_if_late()
        mover = self.turn
        self.match.play(action, self._used)
        if self.draw_offer not in (None, mover):
            self.draw_offer = None
        self._changed()

    def play_forced(self) -> None:
        """Passes for a person who can do nothing else; see `GameDetails.forced_pass`."""
        forced = details_of(self.game).forced_pass
        if forced is None or self.deleted:
            return
        while self.turn in self.person_seats and self.match.view(self.turn).legal() == [forced]:
            self.play(forced)

    def answer(self, decision: Decision, seconds: float) -> None:
        """An agent's action. Raises Fault for what is not legal, and TableDeleted."""
        self._check()
        self.match.answer(decision, seconds)
        self._changed()

    def undo(self) -> None:
        """Undoes the last action of a person and everything after it. Raises InvalidTable."""
        self._check()
        back = self._undo_ply
        if (obstacle := self.undo_obstacle) or back is None:
            raise InvalidTable(obstacle)
        self.match = self.match.before(back)
        self.match.helped = True
        self._changed()

    def resign(self, seat: Seat) -> None:
        """Resigns for a person's seat. Raises InvalidTable."""
        self._check()
        self.end_if_late()
        if self.over or seat not in self.person_seats:
            raise InvalidTable("seat {seat} cannot resign now", seat=seat)
        self.match.resign(seat)
        self._changed()

    def take_seat(self, invitation: Invitation, nickname: str) -> None:
        """The invited person has come, and the turn begins."""
        self.invitation = invitation
        who = replace(self.match.seats[invitation.seat], nickname=clean_nickname(nickname))
        seats = (self.match.seats[0], who) if invitation.seat else (who, self.match.seats[1])
        self.match.seats = seats
        self._changed()

    def may_offer_draw(self, seat: Seat) -> bool:
        """Whether this person may offer a draw: where the game knows one, against a person, once per own action."""
        if self.over or len(self.person_seats) < 2 or not details_of(self.game).can_end_in_draw:
            return False
        own = self.match.movers.count(seat)
        return self.draw_offer is None and self._offered[seat] != own

    def offer_draw(self, seat: Seat) -> None:
        """Offers the other person a draw. Raises InvalidTable."""
        self._check()
        if not self.may_offer_draw(seat):
            raise InvalidTable(say("you cannot offer a draw now"))
        self.draw_offer, self._offered[seat] = seat, self.match.movers.count(seat)

    def answer_draw(self, seat: Seat, *, accept: bool) -> None:
        """Accepts or declines the draw that the other person offers. Raises InvalidTable."""
        self._check()
        if self.over or self.draw_offer != 1 - seat:
            raise InvalidTable(say("there is no offer of a draw any more"))
        self.draw_offer = None
        if accept:
            self.match.agree_draw()
            self._changed()

    def swap_sides(self) -> None:
        """The two players swap sides. Raises InvalidTable where that would show a hidden hand."""
        self._check()
        if not self.may_swap_sides:
            raise InvalidTable(
                say(
                    "sides cannot be swapped in a match with hidden hands or a clock, between two screens, or after "
                    "the end"
                )
            )
        self.match.swap_sides()
        self._changed()

    def _check(self) -> None:
        if self.deleted:
            raise TableDeleted(say("this match was deleted"))

    def _changed(self) -> None:
        self._turn_since = self._clock()
        self._save(self.match.record())
