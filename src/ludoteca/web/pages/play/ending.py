"""The end of a match in words: who won, why, and what was left in hidden hands."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.protocols import Seat
from ludoteca.web.pages.frame import Visit, control, icon
from ludoteca.web.pages.match_links import position_address, review_address
from ludoteca.web.pages.thoughts import capital
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table


def result(visit: Visit, tab: TabState) -> str:
    """Who has won, from the visitor's side."""
    table = tab.table
    returns = table.match.returns()
    winner = returns.index(max(returns))
    if returns[0] == returns[1]:
        text = visit.say("A draw.")
    elif winner == tab.you:
        text = visit.say("You win!")
    elif tab.you is None or table.two_screens:
        text = capital(visit.say("{side} wins.", side=side(table.game, winner)))
    else:
        text = visit.say("{agent} wins.", agent=visit.agent(table.names[winner]))
    return text if table.resigned is None else f"{_resigned(visit, tab, table.resigned)} {text}"


def outcome(tab: TabState) -> str:
    """``won`` or ``lost`` by the visitor, otherwise ``drawn``; the page has a sound for each."""
    returns = tab.table.match.returns()
    if tab.you is None or returns[0] == returns[1]:
        return "drawn"
    return "won" if returns[tab.you] > returns[1 - tab.you] else "lost"


def _resigned(visit: Visit, tab: TabState, seat: Seat) -> str:
    if seat == tab.you:
        return visit.say("You resigned.")
    return capital(visit.say("{side} resigned.", side=side(tab.table.game, seat)))


def why(visit: Visit, table: Table) -> list[str]:
    """What decided the match, in sentences; nothing after a resignation."""
    if not table.over or table.resigned is not None:
        return []
    return [capital(visit.translate(each)) for each in details_of(table.game).end_reasons(table.match.view(0))]


def hands(visit: Visit, table: Table) -> list[str]:
    """What each seat held at the end; nothing in a game without hands."""
    if not table.over:
        return []
    details, match = details_of(table.game), table.match
    texts = [visit.translate(details.hand_text(match.view(seat))) for seat in (0, 1)]
    return [f"{capital(visit.translate(side(table.game, seat)))}: {text}" for seat, text in enumerate(texts) if text]


def end_buttons(visit: Visit, tab: TabState, undo: str = "") -> str:
    """The buttons after a match: rematch, review, another opponent, share; undo: one more."""
    table = tab.table
    say, match = visit.say, table.match
    review = review_address(match, table.names)
    rematch = control("rematch", say("Rematch, swap sides"), "swap_horiz", "n")
    return (
        rematch.replace('class="control"', 'class="control ended"')
        + link(review, say("Review"), "insights")
        + link(another_opponent(table), say("Another opponent"), "group")
        + undo
        + copying(position_address(match), say("Share"), say("Link copied."))
    )


def another_opponent(table: Table) -> str:
    """The address of the form for a match of the same game."""
    return f"/new/{table.game.name}?{urlencode({'game': table.game.spec}, safe=':,')}"


def link(address: str, text: str, sign: str) -> str:
    """A link that looks like the other buttons of a table. sign: the name of an icon."""
    return f'<a class="control ended" href="{escape(address, quote=True)}">{icon(sign)}<span>{escape(text)}</span></a>'


def copying(address: str, text: str, done: str) -> str:
    """A link that a click copies; see ``data-copy`` in page.js."""
    return (
        f'<a class="control" href="{escape(address, quote=True)}" data-copy '
        f'data-copied="{escape(done, quote=True)}">{icon("share")}<span>{escape(text)}</span></a>'
    )
