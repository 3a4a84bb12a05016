"""A guided first match of Hex."""

from __future__ import annotations

from typing import Final

from ludoteca.games.lesson import Guide, GuideStep, Position
from ludoteca.messages import say

SMALL: Final = "hex:size=5"
GUIDE: Final = Guide(
    (
        GuideStep(
            Position(SMALL),
            say("You are red. Connect the red edges, left and right, with a chain of stones. Begin in the middle: c3."),
            ("c3",),
            say("A stone stays where it is: nothing moves, nothing is taken. Now it is blue's turn."),
            say("The middle is c3: the third cell of the third row."),
            ("b1",),
        ),
        GuideStep(
            Position(SMALL, ("c3", "b1")),
            say(
                "You could go on cell by cell. A bridge is faster: a stone two steps away, with two empty cells "
                "between. Place one on e2."
            ),
            ("e2",),
            say("c3 and e2 are a bridge: d2 and d3 both join them. And e2 already touches the right edge."),
            say("e2 is at the right edge: the last cell of the second row."),
            ("d2",),
        ),
        GuideStep(
            Position(SMALL, ("c3", "b1", "e2", "d2")),
            say("Blue has taken d2, one of the two cells of your bridge. Keep your stones connected."),
            ("d3",),
            say("A bridge cannot be cut: there are two ways, and blue can take only one of them."),
            say(
                "Not that one: then blue takes the other cell, and the bridge is gone. Which cell is left between "
                "c3 and e2?"
            ),
            ("c1",),
        ),
        GuideStep(
            Position(SMALL, ("c3", "b1", "e2", "d2", "d3", "c1")),
            say("Now to the left edge. Place a stone in column b that touches c3."),
            ("b3", "b4"),
            say("Your stone touches two empty cells of the left edge: that is a bridge to the edge."),
            say("b3 and b4 touch c3."),
        ),
        GuideStep(
            Position(SMALL, ("c3", "b1", "e2", "d2", "d3", "c1", "b3", "a3")),
            say("Blue blocks one of these two cells. Finish your chain."),
            ("a4",),
            say("Your chain joins both red edges: you win! In Hex one side always wins, there are no draws."),
            say("Blue is on a3. Which cell of the left edge still touches b3?"),
        ),
    ),
    "hex:size=5",
)
