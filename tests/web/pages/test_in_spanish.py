"""A visitor who reads Spanish or Portuguese sees no English: pages, agents' reasons and errors."""

from __future__ import annotations

import itertools
import re
from urllib.parse import quote

import pytest

from ludoteca import agents, games
from ludoteca.messages import Speaker, translate
from ludoteca.reports.ladder import ladders
from ludoteca.web.pages.learn.lessons import AGENTS
from ludoteca.web.thinking.agent_titles import agent_title
from tests.web.browser import PHONE, Browser
from tests.web.test_server import Visitor

ENGLISH = re.compile(
    r"\b(the|of|and|is|to|with|by|not|your|you|play|watch|matches|seats?|agents?|legal moves|plies|after|"
    r"must|cannot|whole number|there|draw|pass)\b",
    re.IGNORECASE,
)
# What explains an option names its values, which are words of the notation; it is looked at in a test of its own.
VISIBLE = """
const page = document.body.cloneNode(true);
const left_out = '[lang=en], code, script, style, .material-icons, option, label.field > small';
page.querySelectorAll(left_out).forEach(each => each.remove());
return page.textContent;
"""


def english(browser: Browser) -> list[str]:
    """English words on the page, each with what stands around it."""
    text = re.sub(r"\s+", " ", browser.driver.execute_script(VISIBLE))
    return [text[max(0, found.start() - 40) : found.end() + 40] for found in ENGLISH.finditer(text)]


def stop_the_match(browser: Browser) -> None:
    """Agents pause, or have ended their match: what is to be clicked does not move away any more."""

    def pressed() -> bool:
        if browser.all(".status .result"):
            return True
        for each in browser.all('[data-do="pause"]'):
            each.click()
            return True
        return False

    browser.until(pressed)
    browser.until(lambda: browser.all(".status .result") or "En pausa" in browser.text(".status"))


@pytest.mark.browser
@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_every_page_fits_a_phone_loads_nothing_from_elsewhere_and_has_no_word_of_english(browser: Browser) -> None:
    pages = ["/", "/watch", "/learn", "/solved", "/puzzles", "/edit", "/replay?game=hex:size=3&actions=4.0", "/nowhere"]
    pages += [f"/{part}/{name}" for name in games.names() for part in ("learn", "new", "edit")]
    for path, language in zip(pages, itertools.cycle(("es", "pt-BR")), strict=False):  # each page in one of them
        browser.open(f"/language/{language}?back={quote(path)}")
        assert browser.driver.execute_script("return [innerWidth, document.documentElement.lang]") == [390, language]
        assert english(browser) == [], path
        assert not browser.wider_than_screen(), path
        assert browser.hosts() == {browser.address}, path
        assert browser.complaints() == [] or path == "/nowhere", path


REASONS = [
    ("hex:size=3", "astar", "razón|gana|pierde"),
    ("horses:size=5", "minimax", "por delante|hasta el final"),
    ("dominoes:pips=3,hand=3", "tumbafichas", "por delante|casa|obligada|hasta el final"),
    ("kittens:deck=bomb2+safe3+skip1", "v2", "regla|la bomba vuelve"),
]
"""One agent of each game: that all the notes of all agents have their Spanish, tests/tools/test_words.py sees to."""


def said(browser: Browser) -> str:
    """The agent's reasons and notes, also those behind the disclosure."""
    script = "return [...document.querySelectorAll('.thought .note')].map(each => each.textContent).join(' ')"
    return str(browser.driver.execute_script(script))


@pytest.mark.browser
@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_agents_give_their_reasons_in_spanish(browser: Browser) -> None:
    for game, agent, reason in REASONS:
        browser.begin(game, f"{agent}|{agent}", "0.1s")
        browser.until(lambda: re.search(f"(?i){reason}", said(browser)))  # noqa: B023
        stop_the_match(browser)
        browser.click('.moves [data-ply="0"]')
        browser.until(lambda: browser.all(".moves .start.here"))
        browser.button("Preguntar a todos")
        named = translate(agent_title(agent), "es")
        browser.until(lambda: named in browser.text(".opinions"))  # noqa: B023
        browser.stop_analysis()
        assert english(browser) == [], game


@pytest.mark.browser
@pytest.mark.parametrize("browser", [PHONE], indirect=True)
def test_what_is_typed_may_be_spanish_and_is_answered_so(browser: Browser) -> None:
    browser.begin("kittens")
    browser.type("zz")
    browser.until(lambda: "no es una acción de kittens: las acciones son" in browser.text(".q-notification"))
    browser.type("robar")
    browser.until(lambda: browser.count > 0)
    assert "robar" in browser.text(".moves")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/nowhere", "No existe esta página: /nowhere"),
        ("/new/chess", "ningún juego se llama"),
        ("/learn/chess", "ningún juego se llama"),
        ("/new/hex?game=hex:size=99", "debe ser un número entero de 1 a 19"),
        ("/new/hex?game=horses", "no es hex"),
        ("/new/hex?seats=a|b|c", "deben ser dos, como en person|random"),
        ("/table/AAAAAAAAAAAAAAAAAAAAAA", "ninguna partida en esta dirección"),
        ("/replay?game=hex&actions=1.1", "no es legal para el asiento 1 de hex; legales: a1"),
        ("/replay?game=hex&seed=x", "no es un número entero de 0 a"),
        ("/replay?game=hex&actions=x", "son números separados por puntos"),
        ("/watch/x", "no es el número de una serie ni de una partida"),
        ("/watch/99999", "Aquí no hay ninguna serie 99999"),
        ("/edit/chess", "no se pueden preparar a mano"),
    ],
)
def test_errors_are_shown_in_spanish(address: str, path: str, reason: str) -> None:
    _, body = Visitor(address).get(path, **{"Accept-Language": "es"})
    assert reason in body


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", ["dominoes", "hex", "horses", "kittens"])
def test_agents_are_shown_with_their_ratings(address: str, name: str, language: str) -> None:
    _, body = Visitor(address).get(f"/learn/{name}", **{"Accept-Language": language})
    for agent in agents.names(name):
        found = translate(AGENTS[agent], language).split("\n\n")[0]
        assert found.partition("'")[0][:60] in body, agent
    for ladder in ladders(name):
        for rung in ladder.rungs:
            assert f"{abs(rung.elo):.0f}" in body
        assert Speaker(language).number(ladder.matches, ",") in body and ladder.command in body


def test_every_game_and_agent_of_ours_has_its_lesson() -> None:
    assert set(AGENTS) == set(agents.names())
    for lesson in (*AGENTS.values(), *map(games.rules_text, games.names())):
        found = translate(lesson, "es")
        assert found != lesson and found.count("\n\n") == lesson.count("\n\n")
