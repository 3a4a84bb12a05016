"""The rules of Kittens in pictures, and an exercise."""

from __future__ import annotations

from typing import Final

from ludoteca.games.lesson import Exercise, Position
from ludoteca.messages import say

DECK: Final = "deck: bomb safe safe; 0: see skip safe; 1: safe safe; turn: 0; owed: 1"
FIGURES: Final = (
    Position("kittens", ("draw",), start="deck: bomb safe safe skip safe; 0: defuse skip safe; 1: 3; turn: 0; owed: 1"),
    Position("kittens", start="deck: safe bomb skip safe; 0: defuse skip attack see; 1: 3; turn: 0; owed: 1"),
    Position("kittens", ("see",), start=DECK),
)
EXERCISE: Final = Exercise(
    Position("kittens", ("see",), start=DECK),
    say("You have looked at the top three cards: the first is a bomb, and you have no Defuse. What do you do?"),
    "skip",
    say("Skip cancels your draw. Your opponent has to draw the bomb and has no Defuse either."),
)
