"""What people call a game with its options: ``Hex 7×7`` for ``hex:size=7``."""

from __future__ import annotations

from functools import lru_cache

from ludoteca import games
from ludoteca import spec as specs
from ludoteca.errors import InvalidGame
from ludoteca.messages import joined, say
from ludoteca.web.serving.allowed_specs import game_options


@lru_cache(maxsize=256)
def game_name(spec: str) -> str:
    """A game's title with the options that are not the usual ones, to be translated; an unknown game's spec.

    >>> game_name("hex:size=7"), game_name("horses:size=8,layout=W@b1/B@g8"), game_name("chess:size=8")
    ('Hex 7×7', 'Horses (layout: set by hand)', 'chess:size=8')
    """
    try:
        name, given = specs.split(spec, InvalidGame)
        known = {each.name: each for each in game_options(name)}
    except InvalidGame:
        return spec
    if not set(given) <= set(known):
        return spec
    title: str = getattr(games.game_class(name), "title", name.capitalize())
    unusual = {key: value for key, value in given.items() if value != specs.show(known[key].default)}
    if (size := unusual.pop("size", "")).isdecimal():
        title = joined([title, f"{size}×{size}"], " ")
    options = [joined([known[key].title, _value(known[key], value)], ": ") for key, value in unusual.items()]
    return say("{game} ({options})", game=title, options=joined(options)) if options else title


def _value(option: specs.Option, value: str) -> str:
    """An option's value in words; a whole position or deck, which nobody reads, is only said to be there."""
    named = option.value_title(value)
    return say("set by hand") if option.kind is str and named == value else named
