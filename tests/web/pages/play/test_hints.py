"""Hints and heat maps: whom the page asks, and what it says."""

from __future__ import annotations

import asyncio

from ludoteca.errors import LudotecaError
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Decision, Reason
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.play.hints import Hints
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.queue import Work

REASONS = (Reason(say("it takes {count} points", count=8)), Reason("the second"))


class Engine:
    """Answers with one decision, and remembers which agent was asked."""

    def __init__(self, answer: Decision | LudotecaError) -> None:
        self.answer, self.asked = answer, list[tuple[str, bool]]()

    async def decide(
        self, position: Match, agent: str, seconds: float, *, work: Work, within: float
    ) -> tuple[Decision, float]:
        self.asked.append((agent, seconds < within <= 2.0 and work is Work.hint))
        if isinstance(self.answer, LudotecaError):
            raise self.answer
        return self.answer, seconds


def hints_of(engine: Engine, opponent: str = "engine:level=1", language: str = "en", *, heat: bool = False) -> Hints:
    """The hints of a tab, after a hint or a heat map of the first position was asked for."""

    async def visit() -> Hints:
        done = asyncio.Event()
        table = Table(new_match(MatchRequest("horses", (PERSON, opponent), 1)))
        speaker = Visit("es" if language == "es" else "en", "ana", "auto", "/")
        hints = Hints(speaker, engine.decide, TabState(table), lambda: done.set() if engine.asked else None)
        (hints.ask_for_heat if heat else hints.ask_for_hint)()
        await done.wait()
        return hints

    return asyncio.run(visit())


def test_a_hint_is_the_strongest_engines_at_every_level() -> None:
    for opponent in ("random", "engine:level=1", "minimax", PERSON):
        engine = Engine(Decision(0, value=0.7, reasons=REASONS, note="rule 7"))
        text = hints_of(engine, opponent).text
        assert engine.asked == [("engine", True)]
        assert "Engine suggests" in text and "It takes 8 points." in text
        assert "second" not in text and "rule" not in text


def test_a_hint_says_how_sure_it_is() -> None:
    said = [
        hints_of(Engine(Decision(0, value=value, proven=proven, nodes=nodes))).text
        for value, proven, nodes in ((1.0, True, 9), (-0.8, False, 1200), (0.0, False, 1))
    ]
    proven, losing, even = (text.partition(". ")[2] for text in said)
    assert "proven" in proven and "not sure" not in proven
    for text, count in ((losing, "1,200 positions"), (even, "1 position")):  # a chance where matches tell, else how far
        assert "% to win" in text or ("not sure" in text and count in text)
    spanish = hints_of(Engine(Decision(0, value=0.0, nodes=7)), language="es").text
    assert "posiciones" in spanish or "%" in spanish


def test_a_heat_map_is_the_strongest_engines_or_the_page_says_why_there_is_none() -> None:
    engine = Engine(Decision(0, scores={0: 1.0, 1: 0.5}, line=(0,)))
    hints = hints_of(engine, heat=True)
    assert hints.heat == ("engine", Decision(0, scores={0: 1.0, 1: 0.5})) and not hints.heat_pending
    assert engine.asked == [("engine", True)] and not hints.heat_failure
    hints = hints_of(Engine(Decision(0)), heat=True)
    assert hints.heat is None and "No heat map" in hints.heat_failure and not hints.heat_pending
    hints = hints_of(Engine(LudotecaError(say("it is tired"))), heat=True)
    assert hints.heat is None and "it is tired" in hints.heat_failure and not hints.heat_pending


def test_a_hint_that_has_come_is_not_followed_by_a_word_about_a_busy_machine() -> None:
    async def visit() -> str:
        table = Table(new_match(MatchRequest("horses", (PERSON, "random"), 1)))
        engine = Engine(Decision(0, value=0.7, reasons=REASONS))
        hints = Hints(Visit("en", "ana", "auto", "/"), engine.decide, TabState(table), lambda: None, within=0.0)
        hints.ask_for_hint()
        for _ in range(3):  # the engine answers at once; then the time is over
            await asyncio.sleep(0)
        return hints.text

    assert "Engine suggests" in asyncio.run(visit())
