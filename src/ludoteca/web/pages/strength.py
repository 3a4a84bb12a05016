"""A visitor's strength: a rating from matches against agents with measured ratings, and the next opponent.

The results lie in the browser (``ludoteca.results`` in page.js) and nowhere else. The browser sends them here, and gets
the rating in words, a chart, and for each game an opponent against whom the visitor wins about half.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from nicegui import app
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from ludoteca import games
from ludoteca.messages import say
from ludoteca.players.faults import Ending
from ludoteca.ratings.elo import Interval
from ludoteca.ratings.placing import place
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.strength_chart import strength_chart
from ludoteca.web.pages.frame import Visit, game_title
from ludoteca.web.serving.addresses import AddressRateLimit
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.opponents import Opponent, default_opponent, measured_opponents, opponents

MOST_RESULTS = 500
"""Results of a visitor that count; the browser keeps no more."""
MOST_BYTES = 100_000
RECENT = 30
"""The rating is that of the last so many matches of a game: people learn."""
MOST_POINTS = 12
"""Of the chart of a game: each takes about four milliseconds to compute."""
MOST_ASKED, WITHIN = 60, 60.0
"""Ratings that visitors of one address may ask for, in so many seconds."""
FEWEST = 3
"""Matches after which a rating is shown."""


@dataclass(frozen=True)
class Strength:
    """A visitor's rating in one game, from the third match on, in steps of some matches."""

    game: str
    matches: int
    history: tuple[Interval, ...]

    @property
    def next_opponent(self) -> Opponent | None:
        """The opponent of the list nearest to the rating; None without a rating."""
        if not self.history:
            return None
        rated = [each for each in opponents(self.game) if each.elo is not None]
        return min(rated, key=lambda each: abs((each.elo or 0.0) - self.history[-1].elo))


def register(app_state: AppState) -> None:
    """The route at ``/strength``, to which the browser sends its results; people find them on the start page."""
    app.post("/strength")(_answer())
    app.get("/strength")(lambda: RedirectResponse("/"))


def _answer() -> Callable[[Request], Awaitable[Response]]:
    asked, one = AddressRateLimit(MOST_ASKED, WITHIN), asyncio.Semaphore(1)

    async def answer(request: Request) -> Response:
        visit = Visit.of(request)
        if asked.is_exceeded(visit.address):
            return Response(status_code=429)
        asked.count(visit.address)
        results = read_results(await request.body())
        async with one:  # beside the event loop: a tenth of a second is longer than a click may wait
            found = await asyncio.to_thread(strengths, results)
        chosen = {each.game: opponent for each in found if (opponent := each.next_opponent) is not None}
        return JSONResponse(
            {
                "html": strength_card(visit, found),
                "opponents": {
                    game: {"seats": f"{PERSON}|{each.spec}", "text": against(visit, each)}
                    for game, each in chosen.items()
                },
            }
        )

    answer.__annotations__ = {"request": Request, "return": Response}
    return answer


def against(visit: Visit, opponent: Opponent) -> str:
    """The opponent beside a button that starts a match."""
    return visit.say("against {opponent}: {strength}", opponent=opponent.name, strength=opponent.strength)


def result_of(table: Table, key: str) -> dict[str, object] | None:
    """What the browser keeps of a match; None unless it says something about the strength of its only person.

    That is a whole match without help against an agent that was measured in this game.
    """
    match, persons = table.match, table.person_seats
    if not table.over or len(persons) != 1 or table.helped or match.start or match.opening or match.side_swaps:
        return None
    you = persons[0]
    agent = match.seats[1 - you].agent
    if agent not in measured_opponents(match.game.spec) or (
        match.ending is not Ending.finished and match.fault_seat != you
    ):
        return None
    mine, theirs = match.returns()[you], match.returns()[1 - you]
    score = 0.5 if mine == theirs else float(mine > theirs)
    return {"key": key, "game": match.game.spec, "agent": agent, "score": score}


def read_results(body: bytes) -> dict[str, list[tuple[float, float]]]:
    """By game the opponents' ratings with the scores, the oldest first; leaves out all that is no such result."""
    found: dict[str, list[tuple[float, float]]] = {}
    try:
        sent: Any = json.loads(body) if len(body) <= MOST_BYTES else []
    except (ValueError, RecursionError):
        return found
    for each in (sent if isinstance(sent, list) else [])[-MOST_RESULTS:]:
        match each:
            case {"game": str(game), "agent": str(agent), "score": 0 | 0.5 | 1 as score}:
                elo = measured_opponents(game).get(agent) if len(game) <= LONGEST_GAME else None
                if elo is not None:
                    found.setdefault(game, []).append((elo, float(score)))
    return found


LONGEST_GAME = 80


def strengths(results: dict[str, list[tuple[float, float]]]) -> list[Strength]:
    """The ratings by game, in the order of the games."""
    order = [*games.names(), *sorted(results)]
    return [
        Strength(game, len(played), tuple(_rating(game, tuple(played[:count][-RECENT:])) for count in _counts(played)))
        for game, played in sorted(results.items(), key=lambda item: order.index(item[0]))
    ]


def _counts(played: Sequence[object]) -> list[int]:
    """After how many matches a rating is computed: the last count is that of all matches."""
    last = len(played)
    step = max(1, -(-(last - FEWEST + 1) // MOST_POINTS))
    return [*range(last, FEWEST - 1, -step)][::-1]


@lru_cache(maxsize=4096)
def _rating(game: str, played: tuple[tuple[float, float], ...]) -> Interval:
    """The most likely rating after these matches, and one drawn match against the usual opponent of newcomers.

    That one match keeps the rating finite for a visitor who has won everything, or nothing.
    """
    usual = measured_opponents(game).get(default_opponent(game), 0.0)
    return place([(usual, 0.5), *played])


def strength_card(visit: Visit, found: Sequence[Strength]) -> str:
    """The card of the start page; empty without results."""
    if not found:
        return ""
    kept = visit.say("Points above random play, with the 95% interval. Kept in this browser only.")
    forget = f'<button type="button" class="control" data-forget>{escape(visit.say("Forget my results"))}</button>'
    return (
        f'<h2 class="title">{escape(visit.say("Your strength"))}</h2>'
        f'<div class="strengths">{"".join(_game(visit, each) for each in found)}</div>'
        f'<div class="row"><small class="grow">{escape(kept)}</small>{forget}</div>'
    )


def _game(visit: Visit, strength: Strength) -> str:
    title = escape(game_title(games.game(strength.game), visit.language))
    played = visit.say_count("{count} match", "{count} matches", strength.matches)
    opponent = strength.next_opponent
    if opponent is None:
        more = FEWEST - strength.matches
        text = visit.say_count("One more match, then your rating.", "{count} more matches, then your rating.", more)
        return f"<section><h3>{title}</h3><p>{escape(played)}. {escape(text)}</p></section>"
    last = strength.history[-1]
    about = visit.say("{elo:.0f} ({low:.0f} to {high:.0f})", elo=last.elo, low=last.low, high=last.high)
    chart = strength_chart(strength.history, visit.say("Your rating after each match"))
    return (
        f"<section><h3>{title}</h3><p><b>{escape(about)}</b> <small>{escape(played)}</small></p>{chart}"
        f'<form method="post" action="/table" class="at-once"><input type="hidden" name="game" value="{strength.game}">'
        f'<input type="hidden" name="seats" value="{escape(f"{PERSON}|{opponent.spec}", quote=True)}">'
        f'<button class="button">{escape(visit.translate(EVEN))}</button>'
        f"<small>{escape(against(visit, opponent))}</small></form></section>"
    )


EVEN = say("Play an even match")
