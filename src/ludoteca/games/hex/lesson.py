"""The rules of Hex in pictures, and an exercise."""

from __future__ import annotations

from typing import Final

from ludoteca.games.lesson import Exercise, Position
from ludoteca.messages import say

SMALL: Final = "hex:size=5"
FIGURES: Final = (
    Position(SMALL, ("c3", "b4")),
    Position(SMALL, ("c3", "b4", "b3", "d2", "d3", "c1", "e2", "a4", "a3")),
    Position("hex:size=5,swap=true", ("d2",)),
)
EXERCISE: Final = Exercise(
    Position("hex:size=4", ("a3", "b3", "d1", "a1")),
    say("You are red and connect left and right. Which stone wins, whatever blue answers?"),
    "b2",
    say(
        "b2 touches your stone a3, and it makes a bridge to d1: blue can take c1 or c2, and you take the other one. A "
        "bridge cannot be cut."
    ),
)
