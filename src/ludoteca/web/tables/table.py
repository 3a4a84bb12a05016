"""One match on the page, with the rules of the page: what people may do with it. Every change is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoteca.agents.identity import Identity
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
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
    ) -> None:
        self.match = match
        self.owner = owner
        """The visitor who opened it, as the store knows visitors."""
        self.invitation = invitation
        """The seat of a second person at another screen; None when every person sits at the owner's screen."""
        self.deleted = False
        """Whether it was deleted: then nothing changes it any more."""
        self._save = save

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.match.game

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
        """Whether sides can be swapped: not where a person would see the other hand, and not between two screens."""
        return not self.over and not (self.hidden_information and self.person_seats) and not self.two_screens

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

    def play(self, action: Action, seconds: float = 0.0) -> None:
        """A person's action. Raises IllegalAction and TableDeleted."""
        self._check()
        self.match.play(action, seconds)
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
        self._changed()

    def resign(self, seat: Seat) -> None:
        """Resigns for a person's seat. Raises InvalidTable."""
        self._check()
        if self.over or seat not in self.person_seats:
            raise InvalidTable("seat {seat} cannot resign now", seat=seat)
        self.match.resign(seat)
        self._changed()

    def swap_sides(self) -> None:
        """The two players swap sides. Raises InvalidTable where that would show a hidden hand."""
        self._check()
        if not self.may_swap_sides:
            raise InvalidTable(
                say("sides cannot be swapped in a match with hidden hands, between two screens, or after the end")
            )
        self.match.swap_sides()
        self._changed()

    def _check(self) -> None:
        if self.deleted:
            raise TableDeleted(say("this match was deleted"))

    def _changed(self) -> None:
        self._save(self.match.record())
