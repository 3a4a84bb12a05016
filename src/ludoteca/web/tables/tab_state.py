"""What one tab may show of a table. All secrecy of the page is decided here, and pages ask nobody else.

::

    nothing hidden, or over, or only agents play     everything, from both seats, with every thought
    one person, hidden hands                         what the person's seat sees, now and before
    two persons at one screen, hidden hands          what the seat on turn sees, once that person has uncovered it
    two persons at two screens, hidden hands         each what their own seat sees, now and before
    somebody who only looks on, hidden hands         what everybody may know, and no view of any seat

Whoever uncovers says that they sit there. As soon as another seat is on turn the next hand is covered, and what is
covered is not sent to the browser at all.
"""

from __future__ import annotations

from ludoteca.games.side_names import side
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Decision, Seat, View
from ludoteca.web.tables.table import Table

__all__ = ["SPECTATOR", "TabState"]

SPECTATOR = ""
"""Whoever sits nowhere."""


class TabState:
    """How one tab looks at a table: from which seat, and before which action."""

    def __init__(self, table: Table, who: str | None = None) -> None:
        """who: whose screen it is, as the store knows visitors; SPECTATOR's for those who only look on.

        None: the screen at which all persons of the table sit.
        """
        self.table = table
        self._who = who
        self.ply: int | None = None
        """The action before which we look; None: the present."""
        self._seat: Seat = min(self.here, default=0)
        self._uncovered: Seat | None = None

    @property
    def here(self) -> list[Seat]:
        """The seats whose persons sit at this screen; no other is seen from or played for."""
        return self.table.persons if self._who is None else self.table.seats_of(self._who)

    @property
    def you(self) -> Seat | None:
        """The seat of the only person at this screen; None where two sit here, or nobody."""
        here = self.here
        return here[0] if len(here) == 1 else None

    # What is hidden

    @property
    def hides(self) -> bool:
        """Whether there is a hand that nobody at this screen, or not everybody, may see."""
        return self.table.hidden_information and bool(self.table.persons) and not self.table.over

    @property
    def shared(self) -> bool:
        """Whether two persons at one screen have hands that each must not see of the other."""
        return self.hides and len(self.here) == 2

    @property
    def covered(self) -> bool:
        """Whether the hand on turn waits for its person to uncover it."""
        return self.shared and self.table.turn != self._uncovered

    def uncover(self) -> None:
        """The person on turn sits at the screen."""
        self._uncovered = self.table.turn

    def cover(self) -> None:
        """Nobody has said who sits here."""
        self._uncovered = None

    def changed(self) -> None:
        """The table has changed, here or in another tab."""
        if self.table.turn != self._uncovered:
            self.cover()
        if self.ply is not None and self.ply >= len(self.table.match.actions):
            self.ply = None

    # Where it looks from

    @property
    def seats(self) -> list[Seat]:
        """From which seats this tab may look; empty while a hand is covered."""
        if not self.hides:
            return [0, 1]
        if not self.shared:
            return self.here
        return [self.table.turn] if not self.covered and self.table.turn is not None else []

    @property
    def seat(self) -> Seat | None:
        """From which seat it looks; None while a hand is covered.

        Where nothing is hidden the seat on turn looks, so that its legal actions are shown.
        """
        seats, turn = self.seats, self.table.turn
        if not seats:
            return None
        if not self.table.hidden_information and self.ply is None and turn is not None:
            return turn
        return self._seat if self._seat in seats else seats[0]

    def look_from(self, seat: Seat) -> None:
        """Looks from another seat, if this tab may."""
        if seat in self.seats:
            self._seat = seat

    @property
    def past(self) -> bool:
        """Whether this tab may look back; at a shared screen that would show the other hand."""
        return not self.shared

    def go_to(self, ply: int) -> bool:
        """Looks before the action of number `ply`; whether it may and there is one."""
        count = len(self.table.match.actions)
        if not self.past or not 0 <= ply <= count:
            return False
        self.ply = None if ply == count else ply
        return True

    # What it sees

    def view(self) -> View | None:
        """What the seat sees that this tab looks from; None while a hand is covered."""
        seat = self.seat
        if seat is None:
            return None
        match = self.table.match
        return match.view(seat) if self.ply is None else match.before(self.ply).view(seat)

    def names(self) -> list[str]:
        """The actions so far in words, as whoever looks may know them."""
        game, match = self.table.game, self.table.match
        if not self.hides:
            return [game.action_name(action) for action in match.actions]
        own = [] if self.shared else self.here
        return [
            game.action_name(action) if mover in own else game.public_name(action)
            for mover, action in zip(match.movers, match.actions, strict=True)
        ]

    def thought(self, ply: int) -> Decision | None:
        """What was thought before the action of number `ply`, unless it would give a hidden hand away."""
        decisions = self.table.match.decisions
        return decisions[ply] if not self.hides and 0 <= ply < len(decisions) else None

    @property
    def advised(self) -> bool:
        """Whether agents help here: not while two people play each other at two screens."""
        return not self.table.apart or self.table.over

    def question(self) -> Match | None:
        """The position that is looked at, if agents may be asked about it: only where the hand on turn is shown.

        Between two screens nobody is helped before the end.
        """
        table = self.table
        if not self.advised:
            return None
        turn = table.turn if self.ply is None else table.match.movers[self.ply]
        if turn is None or turn not in self.seats:
            return None
        return table.match.before(len(table.match.actions) if self.ply is None else self.ply)

    # What a person may do here

    @property
    def obstacle(self) -> str:
        """Why nobody can play here and now, to be translated; empty where a person can."""
        turn = self.table.turn
        if self.ply is not None:
            return say("This is the past. Go to the end to play.")
        if turn is None or turn not in self.here:
            return say("It is not your turn.")
        if not self.covered:
            return ""
        return say("It is the turn of {side}. Uncover when you sit there.", side=side(self.table.game, turn))

    def legal(self) -> list[Action]:
        """What a person may play here and now; nothing where there is an obstacle."""
        view = None if self.obstacle else self.view()
        return [] if view is None else view.legal()
