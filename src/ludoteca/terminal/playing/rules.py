"""``rules``: the rules in a minute, with the options of this match."""

from __future__ import annotations

import inspect

from ludoteca import games, spec
from ludoteca.errors import InvalidGame
from ludoteca.games.details import details_of
from ludoteca.messages import Speaker
from ludoteca.protocols import Game


def short_rules(game: Game, speaker: Speaker) -> list[str]:
    """The rules in a few paragraphs; for a game that is not ours, the beginning of its description."""
    details = details_of(game)
    if details.rules_text:
        rules = [speaker.translate(details.summary), *speaker.translate(details.rules_text).split("\n\n")]
    else:
        text = inspect.getdoc(inspect.getmodule(type(game))) or inspect.getdoc(type(game)) or ""
        rules = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")[:2]]
    return [*filter(None, rules), *_options(game, speaker)]


def _options(game: Game, speaker: Speaker) -> list[str]:
    """The options of this match that differ from the defaults."""
    _, chosen = spec.split(game.spec, InvalidGame)
    known = {option.name: option for option in spec.options(games.game_class(game.name))}
    chosen_options = [
        f"{speaker.translate(known[name].title)}: {speaker.translate(known[name].value_title(value))}"
        for name, value in chosen.items()
    ]
    return [speaker.say("In this match: {options}.", options="; ".join(chosen_options))] if chosen_options else []
