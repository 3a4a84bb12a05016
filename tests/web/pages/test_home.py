"""The start page offers OpenSpiel's games just where they can be played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest

from ludoteca import games
from ludoteca.web.pages import home
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.setup.match_form import form_defaults


@pytest.fixture(autouse=True)
def looked_up_anew() -> Iterator[None]:
    home._has_openspiel.cache_clear()
    yield
    home._has_openspiel.cache_clear()


@pytest.mark.parametrize(("language", "words"), [("en", "another, by its name…"), ("es", "otro, por su nombre…")])
def test_openspiels_games_are_one_click_away(monkeypatch: pytest.MonkeyPatch, language: str, words: str) -> None:
    monkeypatch.setattr(home, "find_spec", lambda name: ModuleSpec(name, None))
    card = home.more_games(Visit(language, "ana", "auto", "/"))
    assert f'<a href="/new/openspiel">{words}</a>' in card


def test_what_is_offered_by_name_is_there() -> None:
    pytest.importorskip("pyspiel", reason="needs open-spiel")
    offered = re.findall(r"\?game=(openspiel:game=\w+)", home.more_games(Visit("en", "ana", "auto", "/")))
    assert len(offered) == 3
    for spec in offered:
        assert form_defaults("openspiel", {"game": spec}).game == games.game(spec)


def test_nothing_is_offered_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "find_spec", lambda name: None)
    assert home.more_games(Visit("en", "ana", "auto", "/")) == ""
