"""A guided first match of Kittens."""

from __future__ import annotations

from typing import Final

from ludoteca.games.kittens.lesson import DECK
from ludoteca.games.lesson import Guide, GuideStep, Position
from ludoteca.messages import say

BOMB: Final = "deck: bomb safe safe skip safe; 0: defuse skip safe; 1: 3; turn: 0; owed: 1"
GUIDE: Final = Guide(
    (
        GuideStep(
            Position("kittens", start="deck: safe skip bomb safe; 0: defuse skip attack; 1: 3; turn: 0; owed: 1"),
            say(
                "Some cards of the deck are bombs: who draws one without a Defuse loses. A turn ends with a draw. "
                "Click the deck."
            ),
            ("draw",),
            say("A Safe card: nothing happens. Now the other has to draw."),
            say("Keep your cards for now, and draw."),
        ),
        GuideStep(
            Position("kittens", start=BOMB),
            say("You hold a Defuse, so one bomb cannot hurt you. Draw again."),
            ("draw",),
            say("A bomb! Your Defuse saves you. It is used up now."),
            say("Keep your cards for now, and draw."),
        ),
        GuideStep(
            Position("kittens", ("draw",), start=BOMB),
            say("Now hide the bomb in the deck, where the other does not see it. Where will the other draw next?"),
            ("place top",),
            say("The other draws the top card next: the bomb."),
            say("The other draws from the top. There the bomb hits first."),
        ),
        GuideStep(
            Position("kittens", start=DECK),
            say("Without a Defuse a draw is dangerous. Play See to look at the top three cards."),
            ("see",),
            say("The first card is a bomb, and only you know it."),
            say("Look first: click See."),
        ),
        GuideStep(
            Position("kittens", ("see",), start=DECK),
            say("The top card is a bomb. Do not draw it: play Skip."),
            ("skip",),
            say("Skip ends your turn without a draw. The other has to draw the bomb, and you win."),
            say("That would be the end of you. Click Skip."),
            ("draw",),
        ),
        GuideStep(
            Position("kittens", start="deck: safe bomb safe safe safe; 0: attack safe; 1: safe safe; turn: 0; owed: 1"),
            say("Attack ends your turn too, and the other must draw two cards. Play it."),
            ("attack",),
            say("Two draws: the second card was the bomb."),
            say("Click Attack."),
            ("draw", "draw"),
        ),
    ),
    "kittens",
)
