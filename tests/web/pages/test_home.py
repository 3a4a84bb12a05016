"""The start page offers OpenSpiel's games just where they can be played."""

from __future__ import annotations

import re

import pytest

from ludoteca import games
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.home import more_games
from ludoteca.web.pages.setup.match_form import form_defaults


@pytest.mark.parametrize(("language", "words"), [("en", "another, by its name…"), ("es", "otro, por su nombre…")])
def test_openspiels_games_are_one_click_away(language: str, words: str) -> None:
    card = more_games(Visit(language, "ana", "auto", "/"), openspiel=True)
    assert f'<a href="/new/openspiel">{words}</a>' in card


def test_every_game_offered_by_name_exists() -> None:
    pytest.importorskip("pyspiel", reason="needs open-spiel")
    offered = re.findall(r"\?game=(openspiel:game=\w+)", more_games(Visit("en", "ana", "auto", "/"), openspiel=True))
    assert len(offered) == 3
    for spec in offered:
        assert form_defaults("openspiel", {"game": spec}).game == games.game(spec)


def test_nothing_is_offered_that_is_not_installed() -> None:
    assert more_games(Visit("en", "ana", "auto", "/"), openspiel=False) == ""
