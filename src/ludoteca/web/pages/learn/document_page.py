"""The pages of the documentation of games and agents."""

from __future__ import annotations

from html import escape

from nicegui import ui
from starlette.requests import Request

from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, page, raw
from ludoteca.web.pages.learn.documentation import find


def register(app_state: AppState) -> None:
    """The pages at ``/docs/<folder>/<name>``."""

    @page("/docs/{folder}/{name}")
    def show(visit: Visit, request: Request) -> None:
        found = find(request.path_params["folder"], request.path_params["name"], visit.language)
        if found is None:
            raise NotFound("There is no such page: {path}", path=request.url.path[:200])
        ui.page_title(f"{found.title} · Ludoteca")
        raw(f'<a href="/learn">← {escape(visit.say("Learn"))}</a>')
        if found.language != visit.language:
            raw(escape(visit.say("This page has not been translated: it is in English.")), tag="p").classes("soft")
        with ui.element("article").classes("card document").props(f"lang={found.language}"):
            raw(escape(found.title), tag="h1").classes("title")
            ui.markdown(found.text).classes("about")
