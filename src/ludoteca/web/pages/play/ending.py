"""The end of a match in words: who won, why, and what was left in hidden hands."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.players.faults import Ending
from ludoteca.protocols import Seat
from ludoteca.web.drawing.curves import Curve, curves_after, curves_of, turning_point
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
        name = table.nickname(winner)
        text = capital(visit.say("{side} wins.", side=side(table.game, winner)))
        text = visit.say("{player} wins.", player=name) if name else text
    else:
        text = capital(visit.say("{agent} wins.", agent=visit.agent(table.names[winner])))
    return " ".join([*_before_end(visit, tab), text])


def outcome(tab: TabState) -> str:
    """``won`` or ``lost`` by the visitor, otherwise ``drawn``; the page has a sound for each."""
    returns = tab.table.match.returns()
    if tab.you is None or returns[0] == returns[1]:
        return "drawn"
    return "won" if returns[tab.you] > returns[1 - tab.you] else "lost"


def _before_end(visit: Visit, tab: TabState) -> list[str]:
    """How the match ended, if not by the rules."""
    match, say = tab.table.match, visit.say
    if match.ending is Ending.agreed:
        return [say("You both agreed.")] if tab.you is not None else [say("Both players agreed.")]
    seat = match.fault_seat
    if seat is None:
        return []
    name, late = player_name(visit, tab.table, seat), match.ending is Ending.timeout
    if seat == tab.you:
        return [say("Your time is up.") if late else say("You resigned.")]
    return [say("{player}: the time is up.", player=name) if late else say("{player} resigned.", player=name)]


def player_name(visit: Visit, table: Table, seat: Seat) -> str:
    """The name of the person in a seat, or else its side, as at the beginning of a sentence."""
    return table.nickname(seat) or capital(visit.translate(side(table.game, seat)))


def why(visit: Visit, table: Table) -> list[str]:
    """What decided the match, in sentences; nothing if it did not end by the rules."""
    if table.match.ending is not Ending.finished:
        return []
    return [capital(visit.translate(each)) for each in details_of(table.game).end_reasons(table.match.view(0))]


def hands(visit: Visit, table: Table) -> list[str]:
    """What each seat held at the end; nothing in a game without hands."""
    if not table.over:
        return []
    details, match = details_of(table.game), table.match
    texts = [visit.translate(details.hand_text(match.view(seat))) for seat in (0, 1)]
    return [f"{capital(visit.translate(side(table.game, seat)))}: {text}" for seat, text in enumerate(texts) if text]


def end_buttons(visit: Visit, tab: TabState, more: str = "", engine: Curve | None = None) -> str:
    """The buttons after a match: rematch, review, another opponent, share; more: another one.

    engine: the engine's curve, if there is one, which says where the match turned.
    """
    table = tab.table
    say, match = visit.say, table.match
    review = review_address(match, table.names)
    turning = turning_point(curves_after(engine, curves_of(match, match.decisions)))
    rematch = control("rematch", say("Rematch, swap sides"), "swap_horiz", "n")
    return (
        rematch.replace('class="control"', 'class="control ended"')
        + link(review, say("Review"), "insights")
        + link(another_opponent(table), say("Another opponent"), "group")
        + more
        + copying(position_address(match, turning=turning), say("Share"), say("Link copied."))
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
