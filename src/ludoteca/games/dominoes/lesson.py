"""The rules of Dominoes in pictures, and an exercise."""

from __future__ import annotations

from typing import Final

from ludoteca.games.lesson import Exercise, Position
from ludoteca.messages import say

SMALL: Final = "dominoes:pips=3"
END: Final = "line: 3-0 0-0 0-1 1-2; 0: 3-2 3-3 3-1; 1: 2-0 2-2 1-1; turn: 0"
FIGURES: Final = (
    Position("dominoes", start="line: 6-6 6-4 4-1; 0: 5-1 6-3 4-4 2-0 5-3; 1: 5; turn: 0"),
    Position("dominoes", start="line: 6-6 6-4 4-4; 0: 5-1 3-1 5-5 2-0 5-3; 1: 5; turn: 0"),
    Position("dominoes", start="line: 6-6 6-4 4-1; 0: 5-1; 1: 2; turn: 0"),
)
EXERCISE: Final = Exercise(
    Position(SMALL, start=END),
    say(
        "The set goes only up to double three, and all tiles are dealt, so you know what your opponent holds: 2-0, 2-2 "
        "and 1-1. Which tile wins, and at which end?"
    ),
    "3-2@right",
    say(
        "With 3-2 on the right both ends show a 3. Your opponent has no 3 and must pass, again and again, while you "
        "lay your last two tiles."
    ),
)
