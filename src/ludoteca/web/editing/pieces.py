"""Stones, knights and values as people see and call them: the brushes of the editors, and what these have put."""

from __future__ import annotations

from ludoteca.games.hex.game import Hex, draw_stone
from ludoteca.games.horses.game import Horses
from ludoteca.games.horses.pieces import draw_knight, draw_token, signed
from ludoteca.games.picture import Picture
from ludoteca.messages import Message, say
from ludoteca.protocols import Game

__all__ = ["draw_piece", "piece_name", "small_piece"]

SMALL = 44.0


def piece_name(brush: str) -> Message:
    """What a brush puts: ``red stone``, ``black knight``, ``+5 points``; nothing is put by an empty one."""
    names = {
        "": say("rubber"),
        "0": say("red stone"),
        "1": say("blue stone"),
        "W": say("white knight"),
        "B": say("black knight"),
    }
    return names.get(brush) or say("{points} points", points=signed(int(brush)))


def draw_piece(picture: Picture, game: Game, cell: int, brush: str) -> None:
    """What a brush has put on a cell of the board of `picture`."""
    if isinstance(game, Hex):
        draw_stone(picture, *game.centre(cell), int(brush))
    elif isinstance(game, Horses):
        x, y = game.corner(cell)
        _draw(picture, x, y, game.cell, brush)


def small_piece(brush: str) -> str:
    """What a brush puts, as a small picture for its button."""
    picture = Picture(SMALL, SMALL)
    if not brush:
        picture.add(
            "path", d="M12 30l14-18 10 8-14 18h-8z M10 38h26", fill="none", stroke="currentColor", stroke_width=3
        )
    elif brush in ("0", "1"):
        draw_stone(picture, SMALL / 2, SMALL / 2, int(brush))
    else:
        _draw(picture, 0, 0, SMALL, brush)
    return f"<svg viewBox='0 0 {SMALL:g} {SMALL:g}' aria-hidden='true'>{picture.inside()}</svg>"


def _draw(picture: Picture, x: float, y: float, side: float, brush: str) -> None:
    if brush in ("W", "B"):
        draw_knight(picture, "WB".index(brush), x + side * 0.08, y + side * 0.06, side * 0.84)
    else:
        draw_token(picture, x + side / 2, y + side / 2, side, int(brush))
