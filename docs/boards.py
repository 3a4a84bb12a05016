"""Draws the pictures of README and docs: ``make pictures``. The tests check that they are up to date."""

from __future__ import annotations

from pathlib import Path

import ludoteca
from ludoteca.games.picture import Picture
from ludoteca.testing import random_actions

HERE = Path(__file__).parent
POSITIONS = {"hex:size=9": (4, 32), "horses": (5, 10), "dominoes": (296, 13), "kittens:deck=rich": (389, 25)}
"""For each game the seed of a random match, and how many of its actions are played for the picture."""


def view_of(spec: str, seed: int, actions: int) -> ludoteca.View:
    """What the seat on turn sees after so many random actions."""
    game = ludoteca.game(spec)
    state = game.deal(seed)
    for action in random_actions(game, seed)[:actions]:
        state.apply(action)
    return state.view(state.turn or 0)


def four_boards() -> str:
    """The four games side by side, each scaled into a box of its own."""
    width, gap, tall, low = 400.0, 16.0, 400.0, 250.0
    sheet = Picture(2 * width + 3 * gap, tall + low + 3 * gap, title="Hex, Horses, Dominoes and Kittens")
    for index, (spec, (seed, actions)) in enumerate(POSITIONS.items()):
        view = view_of(spec, seed, actions)
        row, column = divmod(index, 2)
        x, y = gap + column * (width + gap), gap + row * (tall + gap)
        sheet.embed_svg(view.game.svg(view), x, y, width, low if row else tall)  # type: ignore[attr-defined]
    return sheet.svg()


if __name__ == "__main__":
    (HERE / "boards.svg").write_text(four_boards() + "\n", encoding="utf-8")
