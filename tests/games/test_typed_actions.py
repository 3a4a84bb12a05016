"""What a person types is understood by its name, its beginning, or a word of the person's language; or explained."""

from __future__ import annotations

import pytest

import ludoteca
from ludoteca.errors import InvalidAction
from ludoteca.games.typed_actions import parse_typed_action
from ludoteca.messages import translate

pytestmark = pytest.mark.no_sanitize


def test_names_and_beginnings_are_understood() -> None:
    game = ludoteca.game("dominoes:start=seat")
    legal = game.deal(1).view(0).legal()
    name = game.action_name(legal[0])
    assert parse_typed_action(game, f" {name.upper()} ", legal) == legal[0]
    assert parse_typed_action(game, name[:4], legal) == legal[0]
    kittens = ludoteca.game("kittens")
    assert parse_typed_action(kittens, "dr", kittens.deal(1).legal()) == kittens.parse_action("draw")


@pytest.mark.parametrize("text", ["", "zz", "draw", "9-9", "x" * 10_000, "robar"])
def test_the_rest_is_explained(text: str) -> None:
    game = ludoteca.game("dominoes:start=seat")
    with pytest.raises(InvalidAction):
        parse_typed_action(game, text, game.deal(1).view(0).legal(), "es")


def test_words_of_the_language_are_understood_besides_those_of_the_game() -> None:
    game = ludoteca.game("kittens")
    legal = game.deal(1).legal()
    for text in ("robar", "Robar ", "rob", "draw"):
        assert parse_typed_action(game, text, legal, "es") == game.parse_action("draw")
    with pytest.raises(InvalidAction, match="'robar' is no action of kittens"):
        parse_typed_action(game, "robar", legal)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("s", "'s' puede ser saltar, ver"),
        ("barajar", "'barajar' no es legal ahora"),
        ("see", "'see' no es legal ahora"),
    ],
)
def test_an_ambiguous_or_illegal_action_is_refused_in_the_language(text: str, reason: str) -> None:
    game = ludoteca.game("kittens:deck=rich")
    skip, see = game.parse_action("skip"), game.parse_action("see")
    legal = [skip, see] if text == "s" else [skip]
    with pytest.raises(InvalidAction) as caught:
        parse_typed_action(game, text, legal, "es")
    assert translate(caught.value.message, "es") == reason
