"""The start page: the games, a match of two agents, a field for an invitation code, and the visitor's matches."""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable
from functools import cache
from html import escape
from importlib.util import find_spec

from nicegui import app
from nicegui.events import GenericEventArguments
from starlette.requests import Request
from starlette.responses import Response

from ludoteca import games
from ludoteca.dates import say_day
from ludoteca.errors import LudotecaError
from ludoteca.games.side_names import side
from ludoteca.play.store import StoredMatch
from ludoteca.protocols import Seat
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import still_picture
from ludoteca.web.drawing.theme import with_theme
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.learn.guide import guide_link
from ludoteca.web.pages.puzzles.page import todays_game
from ludoteca.web.pages.watch.two_agents import two_agents_form
from ludoteca.web.tables.match_request import FRIEND, PERSON
from ludoteca.web.tables.registry import TableRegistry, owner_of
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.opponents import Opponent, default_opponent, opponents

SHOWN = 12  # of the visitor's matches


def register(app_state: AppState) -> None:
    """The page at ``/``, and the small pictures of the visitor's matches on it."""

    @page("/")
    def home(visit: Visit, request: Request) -> None:
        cards = "".join(_game_card(visit, name) for name in games.names())
        say = visit.say
        title = escape(say("Play, and see why"))
        about = escape(
            say(
                "Four games against opponents of every strength, or against a friend. Every agent tells you why "
                "it moved. Free, and without an account."
            )
        )
        raw(
            f'<h1 class="hero">{title}</h1><p class="slogan">{about}</p><div class="games">{cards}</div>'
            '<section class="card strength" data-strength hidden></section>'
        )
        _Matches(app_state, visit).build()
        raw(
            f'<div class="ways">{daily_link(visit)}{friend_card(visit)}{train_card(visit)}{real_table(visit)}</div>'
            f"{two_agents_form(visit)}{more_games(visit, _has_openspiel())}"
        )

    app.get("/thumbnail/{key}.svg")(_thumbnails(app_state))


def _game_card(visit: Visit, name: str) -> str:
    """A game with its picture and a button that starts a match at once."""
    say = visit.say
    line = visit.translate(games.summary(name))
    title = escape(game_title(name, visit.language))
    spec = default_opponent(name)
    opponent = next((each for each in opponents(name) if each.spec == spec), Opponent(spec, spec))
    against = say("against {opponent}: {strength}", opponent=opponent.name, strength=opponent.strength)
    play = say("Play")
    friend, rules = say("Play a friend"), say("How to play")
    return (
        f'<article class="card game"><a href="/new/{name}" tabindex="-1" aria-hidden="true">'
        f'<img src="{visit.picture(name)}" alt="" width="300" height="190"></a>'
        f'<h2>{title}</h2><p>{escape(line)}</p><form method="post" action="/table" class="at-once">'
        f'<input type="hidden" name="game" value="{name}">'
        f'<input type="hidden" name="seats" value="{escape(f"{PERSON}|{spec}", quote=True)}">'
        f'<button class="button" aria-label="{escape(play)} {title}">{escape(play)}</button>'
        f"<small>{escape(against)}</small></form>"
        + guide_link(visit, name, looks=' class="button quiet"')
        + f'<p class="row"><a href="/new/{name}" aria-label="{title}: {escape(say("Choose opponent…"))}">'
        f"{escape(say('Choose opponent…'))}</a>"
        f'<a href="/new/{name}?opponent={FRIEND}" aria-label="{title}: {escape(friend)}">{escape(friend)}</a>'
        f'<a href="/learn/{name}" aria-label="{title}: {escape(rules)}">{escape(rules)}</a></p>'
        f"</article>"
    )


def way_card(title: str, about: str, address: str) -> str:
    """A card of the start page that is one large link."""
    return (
        f'<section class="card way"><h2 class="subtitle"><a href="{address}">{escape(title)}</a></h2>'
        f"<p>{escape(about)}</p></section>"
    )


def daily_link(visit: Visit) -> str:
    """The way to the puzzle of the day."""
    game = game_title(todays_game(), visit.language)
    return way_card(
        visit.say("Puzzle of the day"), visit.say("{game}: one answer is right. Which?", game=game), "/puzzles"
    )


def train_card(visit: Visit) -> str:
    """The way to the page that trains a network."""
    about = visit.say("Start a small network that knows nothing, watch it learn, and play against it.")
    return way_card(visit.say("Train one yourself"), about, "/train")


def real_table(visit: Visit) -> str:
    """The way to the adviser."""
    return way_card(visit.say("Playing at a real table?"), visit.say("Enter what happens and get advice."), "/advise")


def more_games(visit: Visit, openspiel: bool) -> str:
    """Links to some of OpenSpiel's games, which play as text; empty when OpenSpiel is not installed."""
    if not openspiel:
        return ""
    say, new = visit.say, "/new/openspiel"
    links = {
        f"{new}?game=openspiel:game=connect_four": say("Connect Four"),
        f"{new}?game=openspiel:game=breakthrough": say("Breakthrough"),
        f"{new}?game=openspiel:game=leduc_poker": say("Leduc poker"),
        new: say("another, by its name…"),
    }
    return (
        f'<p class="card row more-games"><span>{escape(say("OpenSpiel games, as text:"))}</span>'
        + "".join(f'<a href="{address}">{escape(title)}</a>' for address, title in links.items())
        + "</p>"
    )


@cache
def _has_openspiel() -> bool:
    return find_spec("pyspiel") is not None  # not imported: that takes a second


def friend_card(visit: Visit) -> str:
    """How two people play: who invites, and the form for the code of an invitation."""
    say = visit.say
    about = say("Choose “{link}” at a game, and send the link or show its QR code.", link=say("Play a friend"))
    return (
        f'<section class="card"><h2 class="subtitle">{escape(say("With a friend"))}</h2><p>{escape(about)}</p>'
        f"{code_form(visit)}</section>"
    )


def code_form(visit: Visit) -> str:
    """The form for an invitation code."""
    say = visit.say
    return (
        f'<form action="/join" class="row code-form"><label for="code">{escape(say("Have a code?"))}</label>'
        f'<input id="code" name="code" required maxlength="20" autocomplete="off" autocapitalize="characters" '
        f'spellcheck="false" placeholder="{escape(say("Code, such as {code}", code="AB2C-D3EF"), quote=True)}">'
        f'<button class="button quiet">{escape(say("Join"))}</button></form>'
    )


def _thumbnails(app_state: AppState) -> Callable[[str, Request], Awaitable[Response]]:
    """The route of a match's thumbnail: it shows what its visitor may see."""

    async def thumbnail(key: str, request: Request) -> Response:  # in the thread to which the tables belong
        visit = Visit.of(request)
        try:
            table = app_state.tables.find(visit.visitor, key)
        except LudotecaError:
            return Response(status_code=404)
        view = TabState(table, owner_of(visit.visitor)).view()
        drawing = "" if view is None else still_picture(view, narrow=visit.narrow, language=visit.language)
        if not drawing:
            return Response(status_code=404)
        drawing = with_theme(drawing, visit.theme, visit.palette)
        return Response(drawing, media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})

    thumbnail.__annotations__ = {"key": str, "request": Request, "return": Response}
    return thumbnail


class _Matches:
    """The visitor's matches, as one HTML element: there may be dozens."""

    def __init__(self, app_state: AppState, visit: Visit) -> None:
        self.app_state, self.visit = app_state, visit

    def build(self) -> None:
        self._card = raw(tag="section").classes("card matches")
        self._card.on("click", self._delete, js_handler="(e) => ludoteca.deleted(e, emit)")
        self._show()

    def _show(self) -> None:
        kept, say = self.app_state.tables.of_visitor(self.visit.visitor)[:SHOWN], self.visit.say
        rows = "".join(own_match(self.visit, self.app_state.tables, each) for each in kept)
        self._card.set_content(f'<h2 class="title">{escape(say("Your matches"))}</h2>{rows}')
        self._card.set_visibility(bool(kept))

    async def _delete(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            await self.app_state.delete(self.visit.visitor, event.args)
            self._show()


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
    played = datetime.datetime.fromtimestamp(kept.updated, datetime.UTC)
    day = f'<time datetime="{played:%Y-%m-%d}">{visit.translate(say_day(played))}</time>'
    return (
        f'<div class="match"><a class="thumbnail" href="/table/{key}" tabindex="-1" aria-hidden="true">'
        f'<img src="{_picture(visit, tab, key)}" alt="" loading="lazy"></a>'
        f'<a class="grow" href="/table/{key}"><b>{escape(game_title(table.game, visit.language))}</b> '
        f"<span>{escape(_against(visit, tab))}</span><br><small>{escape(_status(visit, tab))} · "
        f'{day}</small></a><a class="button quiet" href="/table/{key}">'
        f"{escape(say('Look') if table.over else say('Continue'))}</a>{delete if table.owner == who else ''}</div>"
    )


def _picture(visit: Visit, tab: TabState, key: str) -> str:
    """The address of the thumbnail, escaped for HTML; the game's picture while the hands are covered."""
    if tab.seat is None:
        return visit.picture(tab.table.game.name)
    match = tab.table.match
    looks = f"language={visit.language}&amp;theme={visit.theme}&amp;palette={visit.palette}"
    looks += "&amp;narrow=1" if visit.narrow else ""
    return f"/thumbnail/{key}.svg?at={len(match.actions)}&amp;ending={match.ending.value}&amp;{looks}"


def _against(visit: Visit, tab: TabState) -> str:
    table, you = tab.table, tab.you
    if you is None:
        names = (
            table.nickname(seat) or visit.say("a person") if each == PERSON else visit.agent(each)
            for seat, each in enumerate(table.names)
        )
        return " – ".join(names)
    other = table.names[1 - you]
    return visit.say(
        "against {opponent}", opponent=_person(visit, table, 1 - you) if other == PERSON else agent_title(other)
    )


def _person(visit: Visit, table: Table, seat: Seat) -> str:
    free = table.invitation is not None and table.invitation.guest is None
    return visit.say("a friend who is not here yet") if free else table.nickname(seat) or visit.say("a person")


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
