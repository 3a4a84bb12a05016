"""What those who look on see of a game with hidden hands."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from ludoteca import games
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.web.drawing.board import public_board

DIFFERENT_HANDS = [
    ("dominoes", ["line: 6-6; 0: 6-4 5-5; 1: 6-0 3-3; turn: 0", "line: 6-6; 0: 4-4 1-0; 1: 6-1 2-2; turn: 0"]),
    (
        "kittens",
        ["deck: safe bomb skip; 0: attack; 1: see; turn: 0", "deck: skip safe bomb; 0: skip; 1: attack; turn: 0"],
    ),
]


@pytest.mark.parametrize(("game", "starts"), DIFFERENT_HANDS, ids=["dominoes", "kittens"])
@pytest.mark.parametrize("narrow", [False, True])
def test_it_is_the_same_whatever_the_hands_are(game: str, starts: list[str], narrow: bool) -> None:
    drawn = {public_board(Speaker("en"), Match(games.game(game), 3, start=each), narrow=narrow) for each in starts}
    assert len(drawn) == 1
    (picture,) = drawn
    assert ElementTree.fromstring(picture).tag.endswith("svg")


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_line_and_the_counts_are_drawn_and_can_be_read_out(language: str) -> None:
    match = Match(games.game("dominoes"), 3, start="line: 6-6 6-4; 0: 4-1 5-5; 1: 6-0 3-3; turn: 0")
    match.play(match.game.parse_action("4-1@right"))
    drawn = public_board(Speaker(language), match)
    names = re.findall("aria-label='([^']*)'", drawn)
    assert len(names) == 1 and names[0].endswith("6-6 6-4 4-1"), "nothing but the line has faces"
    texts = re.findall("<text[^>]*>([^<]*)<", drawn)
    assert texts == (
        ["red: 1 tile", "blue: 2 tiles", "boneyard: 22 tiles"]
        if language == "en"
        else ["rojo: 1 ficha", "azul: 2 fichas", "pozo: 22 fichas"]
    )


def test_a_table_of_kittens_shows_deck_bombs_and_what_was_played() -> None:
    match = Match(games.game("kittens"), 3, start="deck: safe bomb skip; 0: attack; 1: see; turn: 0")
    match.play(match.game.parse_action("attack"))
    drawn = public_board(Speaker("en"), match)
    assert re.findall("aria-label='([^']*)'", drawn) == ["played: Attack", "played: –"]
    texts = re.findall("<text[^>]*>([^<]*)<", drawn)
    assert {"red: 0 cards", "blue: 1 card", "deck: 3 cards, 1", "cards to draw: 2"} <= {*texts}


def test_a_game_of_somebody_elses_shows_nothing() -> None:
    assert "shows nothing" in public_board(Speaker("en"), Match(games.game("hex:size=3"), 0))
