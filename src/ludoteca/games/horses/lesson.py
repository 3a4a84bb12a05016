"""The rules of Horses in pictures, and an exercise."""

from __future__ import annotations

from typing import Final

from ludoteca.games.lesson import Exercise, Position
from ludoteca.messages import say

LAYOUT: Final = "horses:layout=W@c3/B@f6/+10@d5/-5@e4/+3@b5/-1@g4"
TRAP: Final = ("e4", "c2", "c3", "e3", "d5", "d1", "b4", "b2", "a2", "c4", "c1", "a5")
FIGURES: Final = (
    Position(LAYOUT),
    Position(LAYOUT, ("d5", "g4", "f4", "e3")),
    Position("horses:size=5", (*TRAP, "b3"), seed=851),
)
EXERCISE: Final = Exercise(
    Position("horses:size=5", TRAP, seed=851),
    say("You are white, 4 points behind. Which square wins the match?"),
    "b3",
    say(
        "b3 is the only square to which the black knight could move. Now it is stuck, loses 4 points and passes, and "
        "you take 10 points on c5. Taking 4 points on e2 at once would lose: black leaves by b3."
    ),
)
