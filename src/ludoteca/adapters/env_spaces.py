"""What all environments for learning share: spaces, masks and rendering. Needs Gymnasium."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoteca import games
from ludoteca.errors import InvalidOption, extra
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.protocols import Action, Drawable, Game, View

with extra("gym", say("the environment for learning")):
    from gymnasium import spaces

Observation = NDArray[np.float32]
"""What a seat sees, as `View.tensor` gives it."""
Mask = NDArray[np.int8]
"""[num_actions] 1 where an action is legal, in the type that ``Discrete.sample`` takes."""

RENDER_MODES = ("ansi", "svg")
"""The board as text, or as SVG if the game draws. There are no pixels, because Ludoteca has no rasterizer."""


def env_id(name: str) -> str:
    """Gymnasium's id for a game of this name.

    >>> env_id("hex"), env_id("my-game")
    ('ludoteca/Hex-v0', 'ludoteca/MyGame-v0')
    """
    words = re.split(r"[^a-zA-Z0-9]+", name)
    return f"ludoteca/{''.join(word[:1].upper() + word[1:] for word in words)}-v0"


def game_of(spec: str, only: str | None = None) -> Game:
    """The game of a spec. Raises InvalidOption if its name is not `only`."""
    game = games.game(spec)
    if only is not None and game.name != only:
        raise InvalidOption(
            "game={spec!r} is not {name}, which {id} is: give a variant of it such as {example!r}, or make {other}",
            spec=spec,
            name=only,
            id=env_id(only),
            example=f"{only}:OPTION=VALUE",
            other=env_id(game.name),
        )
    return game


def tensor_space(game: Game) -> spaces.Space[Observation]:
    """The box that holds all tensors of a game; unbounded for a game without ``tensor_range``."""
    low, high = details_of(game).tensor_range
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
    """Raises InvalidOption for an unknown mode, or one that this game does not have."""
    if mode is not None and mode not in modes:
        raise InvalidOption(
            "render_mode={mode!r} does not exist; it is one of {modes}, or None", mode=mode, modes=list(modes)
        )
    if mode == "svg" and not isinstance(game, Drawable):
        raise InvalidOption("{game} draws no pictures: render it with render_mode='ansi'", game=game.spec)


def picture(view: View, mode: str) -> str:
    """A view as its text board, or as SVG."""
    game = view.game
    if mode == "svg":
        assert isinstance(game, Drawable)
        return game.svg(view)
    return game.text(view)
