"""The rules of our games in a minute, for people: the same words on page and terminal."""

from __future__ import annotations

from dataclasses import dataclass

from ludoteca.messages import say

__all__ = ["GAMES", "Lesson"]


@dataclass(frozen=True)
class Lesson:
    """A game in a minute."""

    line: str
    rules: str
    """Paragraphs with an empty line between them."""


GAMES = {
    "hex": Lesson(
        line=say("Connect your two sides; nobody can draw."),
        rules=say(
            "Two players put one stone per turn on an empty cell. Red connects its two red sides, blue its two blue "
            "ones.\n\nStones never move. A full board always joins exactly one pair of sides, so somebody wins.\n\n"
            "Whoever begins has the better start. With the swap rule the second player may answer the first stone by "
            "taking it over, mirrored on the long diagonal."
        ),
    ),
    "horses": Lesson(
        line=say("Two knights gather points on a board that falls away."),
        rules=say(
            "White and black move in turn, like a knight in chess, to a square that still stands. Its value, good"
            " or bad, goes to the score of whoever enters it.\n\nEvery square that a knight has stood on is "
            "destroyed.\n\nWho cannot move while the other can loses 4 points and passes. When neither can move, "
            "more points win."
        ),
    ),
    "dominoes": Lesson(
        line=say("Lay matching tiles; get rid of yours first."),
        rules=say(
            "In turn lay a tile that matches the left or the right end of the line.\n\nWho has none that fits draws "
            "from the boneyard until one does, and passes when nothing is left.\n\nThe first hand without a tile "
            "wins. When neither can go on, the fewer pips win. You see your tiles, not the other's."
        ),
    ),
    "kittens": Lesson(
        line=say("Draw, but not the bomb."),
        rules=say(
            "On your turn you owe a draw from the deck. Draw a bomb without a Defuse and you lose; with one you "
            "put the bomb back where you like, unseen.\n\nBefore drawing you may play cards: Skip cancels a draw, "
            "Attack ends your turn and the other owes two, See shows the top three cards, Bottom draws from the "
            "bottom, Shuffle shuffles.\n\nYou are told how likely the top card is a bomb, from what you know."
        ),
    ),
}
"""By the name of the game."""
