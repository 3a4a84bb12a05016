"""A guided first match of Horses."""

from __future__ import annotations

from typing import Final

from ludoteca.games.horses.lesson import TRAP
from ludoteca.games.lesson import Guide, GuideStep, Position
from ludoteca.messages import say

SMALL: Final = "horses:size=5,layout=W@c1/B@c5/+5@d3/+2@b3/-4@e5/+3@b5"
GUIDE: Final = Guide(
    (
        GuideStep(
            Position(SMALL),
            say("You are white. Your knight moves as in chess, to a marked square. Take the 5 points."),
            ("d3",),
            say("You have 5 points. Look at c1: the square that you left is destroyed."),
            say("That square gives less. The green coin with +5 is on d3."),
            ("b3",),
        ),
        GuideStep(
            Position(SMALL, ("d3", "b3")),
            say(
                "Black has taken 2 points. A green coin is a gain, a purple lozenge a loss. Go anywhere without "
                "losing points."
            ),
            ("b2", "b4", "e1"),
            say("Your score stays as it is, and one more square has fallen away."),
            say("This one costs you points."),
        ),
        GuideStep(
            Position("horses:size=5", ("d2", "d4", "c4", "e2", "a3", "c3"), seed=310),
            say("The board is getting thin. You can go to b1 for 3 points or to c2 for 1 point. Which is better?"),
            ("c2",),
            say("From c2 your knight has four squares to go on to. On b1 it would have trapped itself."),
            say("From b1 your knight could never move again: it would trap itself. Try the other square."),
        ),
        GuideStep(
            Position("horses:size=5", TRAP, seed=851),
            say(
                "If you cannot move while the other can, you lose 4 points and pass. Take the black knight's only "
                "square."
            ),
            ("b3",),
            say("Black is stuck, loses 4 points and passes. You go on alone."),
            say("The black knight on a5 can go to one square only. Where?"),
            ("pass",),
        ),
        GuideStep(
            Position("horses:size=5", (*TRAP, "b3", "pass"), seed=851),
            say("Black has passed. Now take the 10 points: you win."),
            ("c5",),
            say("When neither knight can move, the higher score wins. That is all."),
            say("The coin with +10 is on c5."),
        ),
    ),
    "horses:size=5",
)
