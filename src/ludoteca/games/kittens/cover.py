"""The cover of Kittens: a hand of cards, the bomb among them."""

from __future__ import annotations

from functools import cache

from ludoteca.games.kittens.cards import NAMES
from ludoteca.games.kittens.picture import FACES, HEIGHT, draw_card, draw_icon
from ludoteca.games.picture import COVER, Picture

WIDTH = 76.0
HAND = ("safe", "defuse", "bomb", "skip", "see")


@cache
def cover() -> str:
    """The picture as SVG, without a word."""
    picture = Picture(*COVER)
    x, y = COVER[0] / 2, 44.0
    for place in (0, 4, 1, 3, 2):  # the middle lies on top
        name = HAND[place]
        card, turn = NAMES.index(name), 14 * (place - len(HAND) // 2)
        picture.put(f"<g transform='rotate({turn} {x:.0f} 310)'>")
        draw_card(picture, x - WIDTH / 2, y, WIDTH, FACES[card])
        draw_icon(picture, card, x, y + HEIGHT * WIDTH * 0.42, 1.25)
        picture.put("</g>")
    return picture.svg()
