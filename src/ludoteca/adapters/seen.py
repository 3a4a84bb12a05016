"""What the environments for learning share: spaces, masks and pictures of what a seat sees. Needs Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoteca.errors import InvalidOption, extra
from ludoteca.messages import say
from ludoteca.protocols import Action, Drawable, Game, View

with extra("gym", say("the environment for learning")):
    from gymnasium import spaces

__all__ = [
    "RENDER_MODES",
    "Mask",
    "Observation",
    "action_space",
    "check_render_mode",
    "mask",
    "picture",
    "tensor_space",
]

Observation = NDArray[np.float32]
"""What a seat sees, as `View.tensor` gives it."""
Mask = NDArray[np.int8]
"""[num_actions] 1 where an action is legal, in the type that ``Discrete.sample`` wants."""

RENDER_MODES = ("ansi", "svg")
"""The board as text, and as an SVG document where the game draws. There are no pixels: no renderer comes with us."""


def tensor_space(game: Game) -> spaces.Space[Observation]:
    """The box in which all tensors of a game lie; without bounds for a game that has no ``tensor_range``."""
    low, high = getattr(game, "tensor_range", (-np.inf, np.inf))
    box: spaces.Space[Any] = spaces.Box(low, high, game.tensor_shape, np.float32)
    return box


def action_space(game: Game) -> spaces.Discrete:
    """All actions of a game, legal or not."""
    return spaces.Discrete(game.num_actions)


def mask(count: int, legal: Sequence[Action]) -> Mask:
    """A mask of `count` actions with ones at `legal`."""
    out = np.zeros(count, np.int8)
    out[legal] = 1
    return out


def check_render_mode(mode: str | None, game: Game, modes: Sequence[str] = RENDER_MODES) -> None:
    """Raises InvalidOption for a mode that does not exist, or one that this game cannot serve."""
    if mode is not None and mode not in modes:
        raise InvalidOption(
            say("render_mode={mode!r} does not exist; it is one of {modes}, or None", mode=mode, modes=list(modes))
        )
    if mode == "svg" and not isinstance(game, Drawable):
        raise InvalidOption(say("{game} draws no pictures: render it with render_mode='ansi'", game=game.spec))


def picture(view: View, mode: str) -> str:
    """A view as its text board, or as SVG."""
    game = view.game
    if mode == "svg":
        assert isinstance(game, Drawable)
        return game.svg(view)
    return game.text(view)
