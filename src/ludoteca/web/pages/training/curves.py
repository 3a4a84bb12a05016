"""The learning curves of one training, live, or of several in the same charts, with their settings and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from nicegui import ui

from ludoteca.dates import say_local_time
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.run_folder import RunReader, RunStatus, last_evaluation
from ludoteca.web.drawing.learning_curves import Line, draw_chart, key
from ludoteca.web.pages.frame import Visit, raw
from ludoteca.web.serving.path_redaction import redact_paths
from ludoteca.web.serving.polling import Poller, Pollers

EVERY = 2.0
"""Seconds from one look at a training to the next."""
MOST = 6
"""Trainings that are compared."""
CHARTS = 12
ROWS = 60
"""Evaluations in the table of figures."""


def percent(visit: Visit, share: float) -> str:
    """A share in per cent with one decimal."""
    return f"{visit.number(100 * share, '.1f')}%"


def progress_text(visit: Visit, status: RunStatus) -> str:
    """How far a training is, and whether it goes on."""
    run, at = status.run, status.points[-1].at if status.points else 0
    if run is None:
        return ""
    count, total = visit.number(at, ","), "" if run.total is None else visit.number(run.total, ",")
    if run.unit == "matches":
        reached = visit.say("{count} of {total} matches", count=count, total=total)
    elif total:
        reached = visit.say("{count} of {total} positions", count=count, total=total)
    else:
        reached = visit.say("{count} positions", count=count)
    if status.training_now:
        state = visit.say("being trained now")
    elif status.ended:
        state = visit.say("complete")
    else:
        state = visit.say("stopped; --resume continues it") if status.resumable else visit.say("stopped")
    return f"{reached} · {state}"


class CurvesPage:
    """One tab that shows trainings; updated while it is open.

    Files are read by pollers, in a thread and only for tabs that are open.
    """

    def __init__(self, visit: Visit, folders: Mapping[str, Path], pollers: Pollers) -> None:
        self.visit, self.names = visit, [*folders]
        self.pollers: dict[str, Poller[RunStatus]] = {
            name: pollers.get((folder, "training"), RunReader(folder, name).read, EVERY)
            for name, folder in folders.items()
        }
        self.shows = {name: partial(self._show, name) for name in folders}
        self.found: dict[str, RunStatus] = {}
        self.shown: dict[ui.html, str] = {}

    def build(self) -> None:
        """Makes the elements."""
        say = self.visit.say
        title = self.names[0] if len(self.names) == 1 else say("{count} trainings compared", count=len(self.names))
        ui.page_title(f"{title} · Ludoteca")
        back = f'<a href="/training">← {escape(say("Trainings"))}</a>'
        raw(f'{back}<h1 class="title">{escape(title)}</h1>').classes("stack")
        self.state = raw(f"<p>{escape(say('Reading the curves …'))}</p>").classes("run-state")
        self.state.props('role=status aria-live="polite"')
        self.charts = raw().classes("charts")
        with ui.element("section").classes("card training scroll"):
            self.last = raw()
            with ui.element("details"):
                raw(escape(say("All evaluations as a table")), tag="summary")
                self.figures = raw()
        with ui.element("section").classes("card training scroll"):
            self.settings = raw()
            with ui.element("details") as self.equal_settings:
                raw(escape(say("Equal settings")), tag="summary")
                self.equal = raw()
        self.equal_settings.set_visibility(len(self.names) > 1)
        self.client = ui.context.client
        self.client.on_connect(self._subscribe)
        self.client.on_disconnect(self._on_disconnect)
        self.client.on_delete(self._unsubscribe)

    def _subscribe(self) -> None:
        for name, poller in self.pollers.items():
            poller.subscribe(self.shows[name])

    def _on_disconnect(self) -> None:
        if not self.client.has_socket_connection:
            self._unsubscribe()

    def _unsubscribe(self) -> None:
        for name, poller in self.pollers.items():
            poller.unsubscribe(self.shows[name])

    def _show(self, name: str, status: RunStatus) -> None:
        self.found[name] = status
        if len(self.found) < len(self.names):
            return
        found = [self.found[each] for each in self.names]
        readable = [status for status in found if status.run is not None]
        self._set(self.state, "".join(map(self._progress, found)))
        units = [*dict.fromkeys(status.run.unit for status in readable if status.run is not None)]
        if len(units) > 1:
            self._set(self.charts, "")
            wrong = self.visit.say("These trainings count different things: compare trainings of one kind.")
            self._set(self.state, f"<p>{escape(wrong)}</p>")
            return
        unit = self.visit.say("matches") if "matches" in units else self.visit.say("positions")
        self._set(self.charts, "".join(self._drawn(readable, unit)))
        self._set(self.last, self._last(readable))
        self._set(self.figures, "".join(self._figures(status, unit) for status in readable))
        self._show_settings(readable)

    def _set(self, element: ui.html, content: str) -> None:
        """Sends only what has changed, so that nothing that is read or selected disappears."""
        if self.shown.get(element) != content:
            self.shown[element] = content
            element.set_content(content)

    def _progress(self, status: RunStatus) -> str:
        name = f"<b>{escape(status.name)}</b> " if len(self.names) > 1 else ""
        pulse = "<span class='pulse' aria-hidden='true'></span>" if status.training_now else ""
        fault = f" <span class='trouble'>{escape(self.visit.translated(status.fault))}</span>" if status.fault else ""
        if status.run is None:
            return f"<p>{name}{fault}</p>"
        facts = [status.run.training, status.run.settings.get("game", ""), progress_text(self.visit, status)]
        share = min(1.0, status.points[-1].at / status.run.total) if status.points and status.run.total else 0
        bar = f"<div class='done'><i style='width:{share:.1%}'></i></div>" if status.run.total else ""
        return f"<p>{pulse}{name}{escape(' · '.join(facts))}{fault}</p>{bar}"

    # Charts

    def _drawn(self, found: Sequence[RunStatus], unit: str) -> list[str]:
        say = self.visit.say
        rates = _unique(name for status in found for point in status.points for name in point.results)
        losses = _unique(name for status in found for point in status.points for name in point.loss)
        explore = say("Epsilon: the chance of a random action")
        if len(self.names) == 1:
            points = found[0].points if found else ()
            return [
                draw_chart(
                    self.visit, [Line(name, win_rates(points, name), place % MOST) for place, name in enumerate(rates)],
                    say("Win rate, with its 95% interval"), unit, shares=True,
                ),
                draw_chart(
                    self.visit,
                    [Line(name, losses_of(points, name), place % MOST) for place, name in enumerate(losses)],
                    # Translators: the error of a network in training, not a lost match
                    say("Loss"), unit, shares=False,
                ),
                draw_chart(self.visit, [Line("epsilon", epsilons(points))], explore, unit, shares=True),
            ]  # fmt: skip
        charts = []
        places = {name: place for place, name in enumerate(self.names)}
        for name in rates[:CHARTS]:
            lines = [Line(each.name, win_rates(each.points, name), places[each.name]) for each in found]
            charts.append(draw_chart(self.visit, lines, say("Win rate against {agent}", agent=name), unit, shares=True))
        for name in losses:
            lines = [Line(each.name, losses_of(each.points, name), places[each.name]) for each in found]
            title = say("Loss") if len(losses) == 1 else f"{say('Loss')}: {name}"
            charts.append(draw_chart(self.visit, lines, title, unit, shares=False))
        lines = [Line(each.name, epsilons(each.points), places[each.name]) for each in found]
        return [*charts, draw_chart(self.visit, lines, explore, unit, shares=True)]

    # Tables

    def _heads(self, found: Sequence[RunStatus]) -> str:
        """Headings of the columns of trainings."""
        if len(self.names) == 1:
            return f"<th>{escape(self.names[0])}</th>"
        return "".join(
            f"<th>{key(self.names.index(each.name))} <a href='/training?{escape(urlencode({'run': each.name}))}'>"
            f"{escape(each.name)}</a></th>"
            for each in found
        )

    def _last(self, found: Sequence[RunStatus]) -> str:
        say, number = self.visit.say, self.visit.number
        lasts = [last_evaluation(each.points) for each in found]
        opponents = _unique(name for last in lasts if last for name in last.results)
        heading = f"<h2 class='subtitle'>{escape(say('Last evaluation'))}</h2>"
        if not opponents:
            return f"{heading}<p>{escape(say('Not measured yet.'))}</p>"
        rows = [
            f"<tr><th scope='row'>{escape(name)}</th>"
            + "".join(f"<td>{_cell(self.visit, last.results.get(name) if last else None)}</td>" for last in lasts)
            + "</tr>"
            for name in opponents
        ]
        after = "".join(f"<td>{number(last.at, ',')}</td>" if last else "<td></td>" for last in lasts)
        rows.append(f"<tr><th scope='row'>{escape(say('after'))}</th>{after}</tr>")
        how = say("Share of the points with its 95% interval; a draw counts half.")
        return (
            f"{heading}<table class='plain'><tr><th>{escape(say('Opponent'))}</th>{self._heads(found)}</tr>"
            f"{''.join(rows)}</table><small>{escape(how)}</small>"
        )

    def _figures(self, status: RunStatus, unit: str) -> str:
        """The evaluations of a training, the newest first."""
        number = self.visit.number
        points = [point for point in status.points if point.results][-ROWS:][::-1]
        opponents = _unique(name for point in points for name in point.results)
        losses = _unique(name for point in points for name in point.loss)
        heads = [unit, *opponents, *losses, "epsilon", self.visit.say("minutes")]
        rows = "".join(
            f"<tr><th scope='row'>{number(point.at, ',')}</th>"
            + "".join(f"<td>{_cell(self.visit, point.results.get(name))}</td>" for name in opponents)
            + "".join(
                f"<td>{number(point.loss[name], '.3g')}</td>" if name in point.loss else "<td></td>" for name in losses
            )
            + ("<td></td>" if point.epsilon is None else f"<td>{number(point.epsilon, '.2f')}</td>")
            + f"<td>{number(point.seconds / 60, '.1f')}</td></tr>"
            for point in points
        )
        caption = f"<caption>{escape(status.name)}</caption>" if len(self.names) > 1 else ""
        head = "".join(f"<th>{escape(each)}</th>" for each in heads)
        return f"<table class='plain'>{caption}<tr>{head}</tr>{rows}</table>"

    def _show_settings(self, found: Sequence[RunStatus]) -> None:
        say = self.visit.say
        columns = [self._all_settings(each) for each in found]
        names = _unique(name for column in columns for name in column)
        different = [name for name in names if len({column.get(name, "") for column in columns}) > 1]
        if len(self.names) == 1:
            shown, heading, mark = names, say("Settings"), ""
        else:
            shown, mark = different, " class='differs'"
            heading = say("Different settings") if different else say("No setting differs")

        def table(chosen: Sequence[str], style: str) -> str:
            rows = "".join(
                f"<tr><th scope='row'>{escape(name)}</th>"
                + "".join(f"<td{style}>{escape(redact_paths(column.get(name, '–')))}</td>" for column in columns)
                + "</tr>"
                for name in chosen
            )
            return f"<table class='plain'><tr><th>{escape(say('Setting'))}</th>{self._heads(found)}</tr>{rows}</table>"

        drawn = table(shown, mark) if shown else ""
        self._set(self.settings, f"<h2 class='subtitle'>{escape(heading)}</h2>{drawn}")
        if len(self.names) > 1:
            self._set(self.equal, table([name for name in names if name not in different], ""))

    def _all_settings(self, status: RunStatus) -> dict[str, str]:
        run = status.run
        if run is None:
            return {}
        about = {"training": run.training, **run.settings, **run.versions}
        if len(self.names) == 1:
            about |= {self.visit.say("command"): run.command, self.visit.say("started"): self._moment(run.started)}
        return about

    def _moment(self, written: str) -> str:
        """When the training started; as its file says it where that is no moment."""
        try:
            return self.visit.translate(say_local_time(datetime.fromisoformat(written).timestamp()))
        except (ValueError, OSError, OverflowError):
            return written


def _unique(names: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(names)]


def _cell(visit: Visit, found: Result | None) -> str:
    if found is None:
        return ""
    return (
        f"<b>{percent(visit, found.score)}</b> "
        f"<small>{visit.number(100 * found.low, '.1f')}–{percent(visit, found.high)}</small> "
        f"<small>+{visit.number(found.wins, ',')} ={visit.number(found.draws, ',')} "
        f"−{visit.number(found.losses, ',')}</small>"
    )


_Points = tuple[tuple[float, float, float, float], ...]


def win_rates(points: Sequence[Point], name: str) -> _Points:
    """Share of the points against an opponent, with its interval."""
    found = [(point.at, point.results[name]) for point in points if name in point.results]
    return tuple((at, each.score, each.low, each.high) for at, each in found)


def losses_of(points: Sequence[Point], name: str) -> _Points:
    """The loss of this name."""
    return tuple((each.at, each.loss[name], each.loss[name], each.loss[name]) for each in points if name in each.loss)


def epsilons(points: Sequence[Point]) -> _Points:
    """The chance of a random action."""
    return tuple((each.at, each.epsilon, each.epsilon, each.epsilon) for each in points if each.epsilon is not None)
