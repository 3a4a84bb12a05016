"""A row for one of a visitor's own matches: thumbnail, opponent, status and date."""

from __future__ import annotations

import datetime
from html import escape

from ludoteca.games.side_names import side
from ludoteca.play.store import StoredMatch
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.frame import Visit, game_title
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.registry import TableRegistry, owner_of
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.opponents import agent_title


def own_match(visit: Visit, tables: TableRegistry, kept: StoredMatch) -> str:
    """A row that links to the table. Only the visitor who opened the table may delete it."""
    say, key, who = visit.say, kept.name, owner_of(visit.visitor)
    label = escape(say("Delete"), quote=True)
    delete = f'<button type="button" class="control" data-delete="{key}" aria-label="{label}">✕</button>'
    try:
        table = tables.find(visit.visitor, key)
    except InvalidTable:
        return f'<div class="match"><span class="grow">{escape(say("cannot be read"))}</span>{delete}</div>'
    tab = TabState(table, who)
    day = datetime.datetime.fromtimestamp(kept.updated, datetime.UTC).strftime("%Y-%m-%d")
    return (
        f'<div class="match"><a class="thumbnail" href="/table/{key}" tabindex="-1" aria-hidden="true">'
        f'<img src="{_picture(visit, tab, key)}" alt="" loading="lazy" width="72" height="54"></a>'
        f'<a class="grow" href="/table/{key}"><b>{escape(game_title(table.game, visit.language))}</b> '
        f"<span>{escape(_against(visit, tab))}</span><br><small>{escape(_status(visit, tab))} · "
        f'<time datetime="{day}">{day}</time></small></a><a class="button quiet" href="/table/{key}">'
        f"{escape(say('Look') if table.over else say('Continue'))}</a>{delete if table.owner == who else ''}</div>"
    )


def _picture(visit: Visit, tab: TabState, key: str) -> str:
    """The address of the thumbnail, escaped for HTML; the game's picture while the hands are covered."""
    if tab.seat is None:
        return visit.picture(tab.table.game.name)
    match = tab.table.match
    looks = f"language={visit.language}&amp;theme={visit.theme}"
    return f"/thumbnail/{key}.svg?at={len(match.actions)}&amp;ending={match.ending.value}&amp;{looks}"


def _against(visit: Visit, tab: TabState) -> str:
    table, you = tab.table, tab.you
    if you is None:
        names = (visit.say("a person") if each == PERSON else agent_title(each) for each in table.names)
        return " – ".join(visit.translate(each) for each in names)
    other = table.names[1 - you]
    return visit.say("against {opponent}", opponent=_person(visit, table) if other == PERSON else agent_title(other))


def _person(visit: Visit, table: Table) -> str:
    free = table.invitation is not None and table.invitation.guest is None
    return visit.say("a friend who is not here yet") if free else visit.say("a person")


def _status(visit: Visit, tab: TabState) -> str:
    """The result for the visitor, or whose turn it is."""
    table, you, say = tab.table, tab.you, visit.say
    if not table.over:
        return say("your turn") if table.turn == you else say("in progress")
    returns = table.match.returns()
    if returns[0] == returns[1]:
        return say("a draw")
    winner = returns.index(max(returns))
    if you is None:
        return say("{side} won", side=side(table.game, winner))
    return say("you won") if winner == you else say("you lost")
