"""OpenSpiel's games on the page: as text, against our mcts, by words."""

from __future__ import annotations

import pytest

from tests.web.browser import Browser

pytest.importorskip("pyspiel", reason="needs open-spiel")
pytestmark = pytest.mark.browser


def test_a_match_is_played_as_text(browser: Browser) -> None:
    browser.begin("openspiel", "person|mcts", "0.5s")
    assert "...\n...\n..." in browser.text()
    browser.until(lambda: browser.all(".words .button"))
    assert browser.text(".words .button").splitlines()[:3] == ["(0,0)", "(0,1)", "(0,2)"]
    browser.play_by_clicks()
    assert "x" in browser.text() and browser.all(".result")


def test_hidden_cards_stay_hidden(browser: Browser) -> None:
    """Leduc: the page shows what the seat observes, and of the other's actions nothing but that there was one."""
    browser.begin("openspiel:game=leduc_poker")
    browser.play_by_clicks()
    browser.open("/new/openspiel?game=openspiel:game=no_such_game")
    assert "OpenSpiel has no game 'no_such_game'" in browser.text()
