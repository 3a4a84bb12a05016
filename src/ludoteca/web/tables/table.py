"""One match on the page, with the rules of the page: what people may do with it. Every change is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoteca.agents.identity import Identity
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.play.invitations import Invitation
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending
from ludoteca.protocols import Action, Decision, Game, Seat
from ludoteca.web.errors import InvalidTable, TableDeleted
from ludoteca.web.tables.match_request import PERSON

__all__ = ["Table"]


class Table:
    """A match with the rules of the page around it. After every change its record is handed to `keep`."""

    def __init__(
        self,
        match: Match,
        keep: Callable[[Record], None] = lambda record: None,
        owner: str = "",
        invitation: Invitation | None = None,
    ) -> None:
        self.match = match
        self.owner = owner
        """Whose it is, as the store knows visitors."""
        self.invitation = invitation
        """Who else may sit here, at another screen; None where all persons sit at the owner's."""
        self.cleared = False
        """Whether it was cleared away: then nothing changes it any more."""
        self._keep = keep

    @property
    def game(self) -> Game:
        """What is played."""
        return self.match.game

    @property
    def persons(self) -> list[Seat]:
        """The seats in which a person sits."""
        return [seat for seat, who in enumerate(self.match.seats) if who.person]

    @property
    def apart(self) -> bool:
        """Whether two people play here, each at a screen of their own."""
        return self.invitation is not None

    def seats_of(self, owner: str) -> list[Seat]:
        """The seats that whoever is known so may see and play for; none for anybody who does not sit here."""
        if not owner:
            return []
        if self.invitation is None:
            return self.persons if owner == self.owner else []
        if owner == self.owner:
            return [1 - self.invitation.seat]
        return [self.invitation.seat] if owner == self.invitation.guest else []

    @property
    def names(self) -> tuple[str, str]:
        """By seat PERSON or the spec of the agent."""
        first, second = self.match.seats
        return first.agent or PERSON, second.agent or PERSON

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over or given up."""
        return self.match.turn

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.match.turn is None

    @property
    def resigned(self) -> Seat | None:
        """Who has given up, if anybody has."""
        return self.match.fault_seat if self.match.ending is Ending.resigned else None

    @property
    def hidden_information(self) -> bool:
        """Whether the game hides anything from a seat."""
        return details_of(self.game).hidden_information

    @property
    def may_undo(self) -> bool:
        """Whether an action can be taken back: not once every hand has been shown, nor what another screen has seen."""
        return (
            bool(self.match.actions) and not (self.over and self.hidden_information and self.persons) and not self.apart
        )

    @property
    def may_change_seats(self) -> bool:
        """Whether seats can be changed: not where a person would see the other hand, nor between two screens."""
        return not self.over and not (self.hidden_information and self.persons) and not self.apart

    @property
    def agent_on_turn(self) -> Who | None:
        """The agent that is to think now, if one is."""
        turn = self.turn
        return None if turn is None or self.match.seats[turn].person else self.match.seats[turn]

    def taken_up(self, seat: Seat, agent: Identity) -> None:
        """Lets this agent go on in a seat. If another version began there, the record names neither."""
        who = self.match.seats[seat]
        if who.identity.digest not in ("", agent.digest):
            seats = list(self.match.seats)
            seats[seat] = replace(who, identity=Identity(who.agent))
            self.match.seats = (seats[0], seats[1])

    def play(self, action: Action, seconds: float = 0.0) -> None:
        """A person's action. Raises IllegalAction and TableDeleted."""
        self._check()
        self.match.play(action, seconds)
        self._changed()

    def answer(self, decision: Decision, seconds: float) -> None:
        """An agent's action. Raises Fault for what is not legal, and TableDeleted."""
        self._check()
        self.match.answer(decision, seconds)
        self._changed()

    def undo(self) -> None:
        """Takes back everything since a person last chose, that choice included. Raises InvalidTable."""
        self._check()
        if self.apart:
            raise InvalidTable(say("nothing is taken back between two screens: it is the other's match too"))
        persons, movers = self.persons, self.match.movers
        if self.over and self.hidden_information and persons:
            raise InvalidTable(say("every hand has been shown: nothing of this match can be taken back"))
        back = max((ply for ply, seat in enumerate(movers) if seat in persons or not persons), default=None)
        if self.resigned is None and back is None:
            raise InvalidTable(say("there is nothing to take back"))
        self.match = self.match.before(len(movers) if self.resigned is not None or back is None else back)
        self._changed()

    def resign(self, seat: Seat) -> None:
        """Gives the match up for a person's seat. Raises InvalidTable."""
        self._check()
        if self.over or seat not in self.persons:
            raise InvalidTable(say("seat {seat} cannot resign now", seat=seat))
        self.match.resign(seat)
        self._changed()

    def change_seats(self) -> None:
        """Whoever sat in seat 0 goes on in seat 1 and the other way round. Raises InvalidTable where it would cheat."""
        self._check()
        if not self.may_change_seats:
            raise InvalidTable(
                say("seats cannot be changed in a match with hidden hands, between two screens, nor after its end")
            )
        self.match.exchange_seats()
        self._changed()

    def _check(self) -> None:
        if self.cleared:
            raise TableDeleted(say("this table was cleared away"))

    def _changed(self) -> None:
        self._keep(self.match.record())
