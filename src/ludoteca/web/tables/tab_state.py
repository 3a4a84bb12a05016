"""What one tab may show of a table. Everything about hidden hands on the page is decided here.

::

    nothing hidden, or over, or only agents play     everything, from both seats, with every thought
    one person, hidden hands                         what the person's seat sees, now and before
    two persons at one screen, hidden hands          what the seat on turn sees, once that person has uncovered it
    two persons at two screens, hidden hands         each what their own seat sees, now and before
    a spectator, hidden hands                        what is public, and no view of any seat

A person who uncovers a hand says that they sit there. As soon as another seat is on turn its hand is covered; a covered
hand is not sent to the browser at all.
"""

from __future__ import annotations

from ludoteca.games.side_names import side
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Decision, Seat, View
from ludoteca.web.tables.table import Table

SPECTATOR = ""
"""A visitor without a seat."""


class TabState:
    """The seat from which one tab shows a table, and the action before which."""

    def __init__(self, table: Table, who: str | None = None) -> None:
        """who: the visitor, as the store knows visitors, or SPECTATOR.

        None: the screen at which all persons of the table sit.
        """
        self.table = table
        self._who = who
        self.ply: int | None = None
        """The action before which the tab shows the match; None: the latest position."""
        self._seat: Seat = min(self.own_seats, default=0)
        self._uncovered: Seat | None = None

    @property
    def own_seats(self) -> list[Seat]:
        """The seats of the persons at this screen; the tab plays for no other seat."""
        return self.table.person_seats if self._who is None else self.table.seats_of(self._who)

    @property
    def you(self) -> Seat | None:
        """The seat of the only person at this screen; None when two persons or none sit here."""
        seats = self.own_seats
        return seats[0] if len(seats) == 1 else None

    # What is hidden

    @property
    def hides_hands(self) -> bool:
        """Whether a hand must be hidden from a person at this screen."""
        return self.table.hidden_information and bool(self.table.person_seats) and not self.table.over

    @property
    def shared(self) -> bool:
        """Whether two persons share this screen and must not see each other's hand."""
        return self.hides_hands and len(self.own_seats) == 2

    @property
    def covered(self) -> bool:
        """Whether the hand on turn is covered until its person uncovers it."""
        return self.shared and self.table.turn != self._uncovered

    def uncover(self) -> None:
        """The person on turn says that they sit at the screen."""
        self._uncovered = self.table.turn

    def cover(self) -> None:
        """Covers every hand until somebody uncovers one."""
        self._uncovered = None

    def table_changed(self) -> None:
        """Brings this tab up to date after a change, made here or in another tab."""
        if self.table.turn != self._uncovered:
            self.cover()
        if self.ply is not None and self.ply >= len(self.table.match.actions):
            self.ply = None

    # From which seat

    @property
    def seats(self) -> list[Seat]:
        """The seats whose views this tab may show; empty while a hand is covered."""
        if not self.hides_hands:
            return [0, 1]
        if not self.shared:
            return self.own_seats
        return [self.table.turn] if not self.covered and self.table.turn is not None else []

    @property
    def seat(self) -> Seat | None:
        """The seat whose view is shown; None while a hand is covered.

        When nothing is hidden it is the seat on turn, so that its legal actions are shown.
        """
        seats, turn = self.seats, self.table.turn
        if not seats:
            return None
        if not self.table.hidden_information and self.ply is None and turn is not None:
            return turn
        return self._seat if self._seat in seats else seats[0]

    def look_from(self, seat: Seat) -> None:
        """Shows the view of another seat, if this tab may."""
        if seat in self.seats:
            self._seat = seat

    @property
    def may_look_back(self) -> bool:
        """Whether this tab may show earlier positions; at a shared screen they would show the other hand."""
        return not self.shared

    def go_to(self, ply: int) -> bool:
        """Shows the position before action `ply`. Returns whether the tab may and there is one."""
        count = len(self.table.match.actions)
        if not self.may_look_back or not 0 <= ply <= count:
            return False
        self.ply = None if ply == count else ply
        return True

    # What it shows

    def view(self) -> View | None:
        """The view to draw; None while a hand is covered."""
        seat = self.seat
        if seat is None:
            return None
        match = self.table.match
        return match.view(seat) if self.ply is None else match.before(self.ply).view(seat)

    def action_names(self) -> list[str]:
        """The names of the actions so far, without what this tab must not know."""
        game, match = self.table.game, self.table.match
        if not self.hides_hands:
            return [game.action_name(action) for action in match.actions]
        own = [] if self.shared else self.own_seats
        return [
            game.action_name(action) if mover in own else game.public_name(action)
            for mover, action in zip(match.movers, match.actions, strict=True)
        ]

    def thought(self, ply: int) -> Decision | None:
        """What the agent thought before action `ply`, unless that would reveal a hidden hand."""
        decisions = self.table.match.decisions
        return decisions[ply] if not self.hides_hands and 0 <= ply < len(decisions) else None

    @property
    def may_ask_agents(self) -> bool:
        """Whether agents may help: not while two people play each other at two screens."""
        return not self.table.two_screens or self.table.over

    def position_to_ask(self) -> Match | None:
        """The position shown, if agents may be asked about it: only when the hand on turn is visible."""
        table = self.table
        if not self.may_ask_agents:
            return None
        turn = table.turn if self.ply is None else table.match.movers[self.ply]
        if turn is None or turn not in self.seats:
            return None
        return table.match.before(len(table.match.actions) if self.ply is None else self.ply)

    # What a person may do here

    @property
    def obstacle(self) -> str:
        """Why no person can play here now, to be translated; empty when one can."""
        turn = self.table.turn
        if self.ply is not None:
            return say("This is an earlier position. Go to the end to play.")
        if turn is None or turn not in self.own_seats:
            return say("It is not your turn.")
        if not self.covered:
            return ""
        if name := self.table.nickname(turn):
            return say("It is {player}'s turn. Show the hand once {player} sits at the screen.", player=name)
        return say(
            "It is {side}'s turn. Show the hand once that player sits at the screen.", side=side(self.table.game, turn)
        )

    @property
    def may_plan(self) -> bool:
        """Whether a person may choose an action before their turn.

        Not with hidden hands: there the next draw decides what can be played.
        """
        turn, own = self.table.turn, self.own_seats
        others = turn is not None and bool(own) and turn not in own
        return others and self.ply is None and not self.table.hidden_information

    def legal(self) -> list[Action]:
        """The actions that a person may play here now; none while there is an obstacle."""
        view = None if self.obstacle else self.view()
        return [] if view is None else view.legal()
