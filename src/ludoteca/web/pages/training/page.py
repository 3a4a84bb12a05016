"""The page ``/training``: the trainings of the server's folder, and with ``?run=NAME&run=NAME`` the curves of these."""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from nicegui import ui
from starlette.requests import Request

from ludoteca.errors import InvalidOption
from ludoteca.learn.run_folder import RunStatus, find_run, glance, last_evaluation, run_names
from ludoteca.web.app_state import AppState
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, page, raw
from ludoteca.web.pages.training.curves import MOST, CurvesPage, percent, progress_text
from ludoteca.web.pages.training.own import train_link
from ludoteca.web.serving.polling import Pollers

LISTING = 5.0
"""Seconds from one look at all trainings to the next."""


def register(app_state: AppState) -> None:
    """The page at ``/training``."""

    @page("/training")
    def training(visit: Visit, request: Request) -> None:
        names = [*dict.fromkeys(request.query_params.getlist("run"))]
        if not names:
            _List(visit, app_state.runs, app_state.pollers).build()
            return
        if len(names) > MOST:
            raise InvalidOption("Choose at most {most} trainings.", most=MOST)
        folders = {name: find_run(app_state.runs, name) for name in names}
        for name, folder in folders.items():
            if folder is None:
                raise NotFound("There is no training {name} here.", name=name[:80])
        CurvesPage(visit, {name: folder for name, folder in folders.items() if folder}, app_state.pollers).build()


def link_to_trainings(visit: Visit, app_state: AppState) -> None:
    """A card that leads to one's own training, and one to the trainings of the server, if there are any."""
    raw(train_link(visit))
    if run_names(app_state.runs):
        title, about = visit.say("Trainings"), visit.say("Watch networks learn: their curves, live and side by side.")
        raw(
            f'<h2 class="subtitle">{escape(title)}</h2><p class="row"><a class="button quiet" href="/training">'
            f"{escape(title)}</a> {escape(about)}</p>",
            tag="section",
        ).classes("card")


class _List:
    """All trainings of the folder; what they have reached is updated while the page is open."""

    def __init__(self, visit: Visit, folder: Path, pollers: Pollers) -> None:
        self.visit, self.names = visit, run_names(folder)
        self.poller = pollers.get((folder, "trainings"), partial(_glances, folder), LISTING)
        self.reached: dict[str, ui.html] = {}

    def build(self) -> None:
        say = self.visit.say
        ui.page_title(f"{say('Trainings')} · Ludoteca")
        raw(escape(say("Trainings")), tag="h1").classes("title")
        if not self.names:
            raw(
                f"<p>{escape(say('None yet. Start one in this folder: {command}', command='ludoteca train dqn'))}</p>",
                tag="section",
            ).classes("card")
            return
        with ui.element("form").props("action=/training method=get").classes("card matches training"):
            raw(escape(say("Tick two to six trainings to compare them.")), tag="p").classes("soft")
            for name in self.names:
                with ui.element("div").classes("match"):
                    label = escape(say("Compare {name}", name=name), quote=True)
                    value = escape(name, quote=True)
                    raw(f'<label><input type="checkbox" name="run" value="{value}" aria-label="{label}"></label>')
                    with ui.element("div").classes("grow"):
                        address = escape(f"/training?{urlencode({'run': name})}", quote=True)
                        raw(f'<a href="{address}"><b>{escape(name)}</b></a>')
                        self.reached[name] = raw("…")
            raw(f'<p><button class="button">{escape(say("Compare"))}</button></p>')
        self.client = ui.context.client
        self.client.on_connect(lambda: self.poller.subscribe(self._show))
        self.client.on_disconnect(self._on_disconnect)
        self.client.on_delete(lambda: self.poller.unsubscribe(self._show))

    def _on_disconnect(self) -> None:
        if not self.client.has_socket_connection:
            self.poller.unsubscribe(self._show)

    def _show(self, found: list[RunStatus]) -> None:
        for status in found:
            if status.name in self.reached:
                self.reached[status.name].set_content(self._row(status))

    def _row(self, status: RunStatus) -> str:
        if status.run is None:
            return f"<small>{escape(self.visit.translated(status.fault))}</small>"
        pulse = "<span class='pulse' aria-hidden='true'></span>" if status.training_now else ""
        facts = [status.run.training, status.run.settings.get("game", ""), progress_text(self.visit, status)]
        if (last := last_evaluation(status.points)) is not None:
            facts += [f"{name} {percent(self.visit, found.score)}" for name, found in last.results.items()]
        return f"<small>{pulse}{escape(' · '.join(fact for fact in facts if fact))}</small>"


def _glances(folder: Path) -> list[RunStatus]:
    """What every training has reached."""
    found = ((name, find_run(folder, name)) for name in run_names(folder))
    return [glance(path, name) for name, path in found if path is not None]
