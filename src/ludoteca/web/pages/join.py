"""The page of an invitation, with the button that takes the seat.

Opening the link does not take the seat: programs open links too, for previews.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape

from nicegui import app
from nicegui.client import Client
from nicegui.page import page as nicegui_page
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ludoteca import games
from ludoteca.errors import LudotecaError
from ludoteca.games.side_names import goal
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, error_card, frame, game_title, page, raw
from ludoteca.web.pages.home import code_form
from ludoteca.web.pages.link_previews import add_preview
from ludoteca.web.pages.setup.match_form import CLOCKS
from ludoteca.web.pages.setup.option_fields import labelled, name_field
from ludoteca.web.tables.registry import owner_of
from ludoteca.web.tables.table import Table


def register(app_state: AppState) -> None:
    """The pages at ``/join/<token>`` and ``/join?code=…``, and the route of their button."""

    @page("/join/{token}")
    def linked(visit: Visit, request: Request) -> None:
        try:
            table = app_state.tables.find_invited(token=request.path_params["token"])
            invited = visit.say("You are invited to play {game}", game=game_title(table.game, visit.language))
            add_preview(request, invited, visit.translate(games.summary(table.game.name)))
            _show(visit, table)
        except LudotecaError as error:
            raise NotFound(error.message) from error

    @page("/join")
    def typed(visit: Visit, request: Request) -> None:
        code = request.query_params.get("code", "")[:40]
        if not code:
            raw(code_form(visit))
            return
        try:
            _show(visit, app_state.tables.find_invited(code=code, address=visit.address))
        except LudotecaError as error:
            raise NotFound(error.message) from error

    app.post("/join")(_taker(app_state))


def _show(visit: Visit, table: Table) -> None:
    """Shows the game and the seat; to the host, that they should send the invitation on."""
    invitation, say = table.invitation, visit.say
    assert invitation is not None
    title = escape(say("You are invited to play {game}", game=game_title(table.game, visit.language)))
    picture = f'<img src="{visit.picture(table.game.name)}" alt="" width="300" height="190">'
    if invitation.host == owner_of(visit.visitor):
        own = escape(say("This is your own invitation: send it to somebody else. You already have your seat."))
        action = f'<p>{own}</p><a class="button" href="/table/{invitation.match}">{escape(say("To the match"))}</a>'
    else:
        action = (
            f"{_conditions(visit, table)}<p>{escape(visit.translate(goal(table.game, invitation.seat)))}</p>"
            f'<form method="post" action="/join"><input type="hidden" name="token" value="{invitation.token}">'
            f"{labelled(say('Your name'), name_field('name'), say('Optional.'))}"
            f'<button class="button begin">{escape(say("Take the seat"))}</button></form>'
            f'<a href="/learn/{table.game.name}">{escape(say("How to play"))}</a>'
        )
    raw(f'<h1 class="title">{title}</h1>{picture}{action}', tag="section").classes("card message invited")


def _conditions(visit: Visit, table: Table) -> str:
    """Who invites, if they have a name, and the clock, if there is one."""
    assert table.invitation is not None
    host, clock = table.nickname(1 - table.invitation.seat), str(table.match.person_limit)
    texts = [visit.say("{player} invites you.", player=host)] if host else []
    if clock:
        texts.append(visit.say("Clock: {clock}.", clock=CLOCKS.get(clock, clock)))
        texts.append(visit.say("The first move of each player is not timed."))
    return f"<p>{escape(' '.join(texts))}</p>" if texts else ""


def _taker(app_state: AppState) -> Callable[[Request], Awaitable[Response]]:
    """The route of the button: the first visitor gets the seat and goes to the table."""

    async def take(request: Request) -> Response:
        form = await request.form()
        visit = Visit.of(request)
        try:
            key = await app_state.take_seat(visit.visitor, str(form.get("token", "")), str(form.get("name", "")))
        except LudotecaError as error:
            with Client(nicegui_page(""), request=request) as client, frame(visit):
                error_card(visit, visit.explain(error))
            return client.build_response(request, 404)
        return RedirectResponse(f"/table/{key}", status_code=303)

    take.__annotations__ = {"request": Request, "return": Response}
    return take
