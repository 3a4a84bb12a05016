"""The page for spectators of a match between two people: what is public, live."""

from __future__ import annotations

from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca.errors import LudotecaError
from ludoteca.games.details import seat_variables
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import board, public_board
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.link_previews import add_preview
from ludoteca.web.pages.play import parts
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.session import TableSession
from ludoteca.web.tables.tab_state import SPECTATOR, TabState


def register(app_state: AppState) -> None:
    """The page at ``/look/<token>``."""

    @page("/look/{token}")
    def look(visit: Visit, request: Request) -> None:
        token = request.path_params["token"]
        try:
            session = app_state.spectated(token)
        except LudotecaError as error:
            raise NotFound(error.message) from error
        table = session.table
        names = (visit.agent(who) if who != PERSON else table.nickname(seat) for seat, who in enumerate(table.names))
        players = " – ".join(name or visit.say("a person") for name in names)
        title = f"{game_title(table.game, visit.language)}: {players}"
        add_preview(request, title, visit.say("Watch this match as it is played."), table.match)
        _Spectator(app_state, visit, token, session).build()


class _Spectator:
    """One spectator's tab. It listens to no event from the browser."""

    def __init__(self, app_state: AppState, visit: Visit, token: str, session: TableSession) -> None:
        self.app_state, self.visit, self.token, self.session = app_state, visit, token, session
        self.tab = TabState(session.table, SPECTATOR)

    def build(self) -> None:
        """Makes all the elements, then fills them in."""
        self.client, say = ui.context.client, self.visit.say
        game = self.session.table.game
        with ui.element("div").classes("play spectated").style(seat_variables(game)):
            with ui.element("div").classes("board-side"):
                raw(escape(say("You are watching.")), tag="p").classes("looking")
                self.players = raw().classes("players")
                self.board = raw().classes(f"board {game.name}")
                # Below the board, which texts of other lengths would move.
                self.status = raw().classes("status").props('role=status aria-live="polite"')
            with ui.element("aside").classes("side"), ui.element("section").classes("card"):
                raw(escape(say("Moves")), tag="h2").classes("subtitle")
                self.moves = raw(tag="ol").classes("move-list").props("tabindex=0")  # it scrolls, by keys too
                self.moves.props["aria-label"] = say("Moves")
                self.hands = raw()
        self.client.on_connect(self._connect)
        self.client.on_delete(lambda: self.session.unsubscribe(self._changed))
        self._refresh()

    def _connect(self) -> None:
        try:
            self.session = self.app_state.spectated(self.token)
        except LudotecaError:  # deleted meanwhile
            self.session.mark_deleted()
        self.tab.table = self.session.table
        self.session.subscribe(self._changed)
        self._changed()

    def _changed(self) -> None:
        with self.client:
            self._refresh()

    def _refresh(self) -> None:
        visit, tab, match = self.visit, self.tab, self.session.table.match
        if (title := parts.tab_title(visit, tab)) != self.client.title:
            ui.page_title(title)
        self.players.set_content(parts.players(visit, tab, self.session.shown_reaction))
        self.status.set_content(parts.status(visit, self.session, tab, ""))
        view = tab.view()
        narrow = visit.narrow
        drawn = (
            public_board(visit, match, narrow=narrow)
            if view is None
            else board(view, playable=False, language=visit.language, narrow=narrow)
        )
        self.board.set_content(drawn)
        self.hands.set_content(parts.hands_at_end(visit, tab))
        played = zip(match.movers, tab.action_names(), strict=True)
        self.moves.set_content(
            "".join(f'<li><span class="seat{mover}">{escape(visit.spoken(name))}</span></li>' for mover, name in played)
        )
