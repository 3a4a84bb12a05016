"""A guided first match of Dominoes."""

from __future__ import annotations

from typing import Final

from ludoteca.games.dominoes.lesson import END, SMALL
from ludoteca.games.lesson import Guide, GuideStep, Position
from ludoteca.messages import say

GUIDE: Final = Guide(
    (
        GuideStep(
            Position("dominoes", start="line: 6-6 6-4 4-1; 0: 5-1 6-3 4-4 2-0 5-3; 1: 5; turn: 0"),
            say(
                "Your tiles are below. The line is open at a 6 and at a 1: lay a lit tile, by a tap or by dragging it."
            ),
            ("5-1@right", "6-3@left"),
            say("Equal numbers lie side by side, and your tile's other number is the new end."),
            say("That tile fits neither end."),
        ),
        GuideStep(
            Position("dominoes", start="line: 6-6 6-4 4-1; 0: 6-1 5-3; 1: 5; turn: 0"),
            say(
                "6-1 fits both ends. Its upper half is for the left end, its lower half for the right one. Choose "
                "an end."
            ),
            ("6-1@left", "6-1@right"),
            say("Now both ends show the same number."),
        ),
        GuideStep(
            Position("dominoes", start="line: 6-6 6-4 4-4; 0: 5-1 3-1 5-5 2-0 5-3; 1: 5; turn: 0"),
            say("None of your tiles fits a 6 or a 4. Draw from the boneyard: click it."),
            ("draw",),
            say("Who cannot lay draws until a tile fits. When the boneyard is empty, they pass."),
        ),
        GuideStep(
            Position(SMALL, start=END),
            say(
                "A small set, up to double three, and all tiles are dealt: blue holds 2-0, 2-2 and 1-1. Lay a tile "
                "so that blue can lay nothing."
            ),
            ("3-2@right",),
            say("Both ends show a 3, and blue has no 3: blue must pass."),
            say("After that blue could lay a tile. Which number does blue not have at all?"),
            ("pass",),
        ),
        GuideStep(
            Position(SMALL, ("3-2@right", "pass"), start=END),
            say("Blue has passed, so it is your turn again. Lay the tile that keeps a 3 at both ends."),
            ("3-3@left",),
            say("A double changes no end. Blue passes once more, and you lay your last tile."),
            say("Then one end shows another number, which blue may have. Which tile is 3 on both sides?"),
            ("pass",),
        ),
        GuideStep(
            Position(SMALL, ("3-2@right", "pass", "3-3@left", "pass"), start=END),
            say("Lay your last tile."),
            (),
            say("You are the first without tiles: you win."),
        ),
    ),
    "dominoes",
)
