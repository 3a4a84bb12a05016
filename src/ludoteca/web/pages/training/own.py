"""The pages ``/train`` and ``/train/<key>``: train a small network, watch it learn, play against it, keep it."""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable
from html import escape

from nicegui import app, ui
from nicegui.client import Client
from nicegui.page import page as nicegui_page
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from ludoteca.errors import LudotecaError
from ludoteca.learn.run_folder import RunReader, RunStatus, last_evaluation
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.learning_curves import Line, draw_chart
from ludoteca.web.errors import NotFound
from ludoteca.web.learning.kept import UNUSED, Kept
from ludoteca.web.learning.trainings import GAMES, WALL_SECONDS
from ludoteca.web.pages.frame import Visit, error_card, frame, game_title, page, raw, while_connected
from ludoteca.web.pages.training.curves import EVERY, epsilons, losses_of, percent, win_rates
from ludoteca.web.pages.training.own_words import Words, words_of
from ludoteca.web.tables.match_request import PERSON, MatchRequest
from ludoteca.web.tables.registry import owner_of

LEARN_COMMAND = "make play EXTRAS=web,learn"


def register(app_state: AppState) -> None:
    """The two pages, the forms on them, and the files of networks."""

    @page("/train")
    def start(visit: Visit, request: Request) -> None:
        ui.page_title(f"{visit.say('Train one yourself')} · Ludoteca")
        raw(_start_page(visit, app_state)).classes("stack")

    @page("/train/{key}")
    def one(visit: Visit, request: Request) -> None:
        kept = app_state.trainings.of(request.path_params["key"])
        app_state.trainings.kept.note_use(kept.key)
        OwnTraining(visit, app_state, kept).build()

    app.post("/train")(_form(app_state, _start))
    app.post("/train/{key}/{command}")(_form(app_state, _change))
    app.get("/train/{key}/network.onnx")(_download(app_state))


def train_link(visit: Visit) -> str:
    """A card that leads to the page."""
    title = visit.say("Train one yourself")
    about = visit.say("Start a small network that knows nothing, watch it learn, and play against it.")
    return (
        f'<section class="card"><h2 class="subtitle">{escape(title)}</h2><p class="row">'
        f'<a class="button quiet" href="/train">{escape(title)}</a> {escape(about)}</p></section>'
    )


def _start_page(visit: Visit, app_state: AppState) -> str:
    say, trainings, owner = visit.say, app_state.trainings, owner_of(visit.visitor)
    about = say(
        "A network starts with random numbers and knows nothing but the rules. It plays, sees who wins, and changes "
        "its numbers a little, thousands of times. You watch it and can play against it at any moment."
    )
    parts = [f'<h1 class="title">{escape(say("Train one yourself"))}</h1><p>{escape(about)}</p>']
    if not trainings.available:
        missing = say("PyTorch is not installed on this server, so nothing can be trained here.")
        how = say("If this is your own computer, close the page and start it again with:")
        parts.append(
            f'<section class="card"><p>{escape(missing)}</p><p>{escape(how)}<br>'
            f"<code>{LEARN_COMMAND}</code></p></section>"
        )
    active = trainings.active_of(owner)
    if active is not None:
        has = say("You have a training that is not over.")
        parts.append(
            f'<p class="card row"><span>{escape(has)}</span>'
            f'<a class="button" href="/train/{active.key}">{escape(say("Look at it"))}</a></p>'
        )
    elif trainings.available:
        cards = "".join(_game_card(visit, name) for name in GAMES)
        parts.append(f'<div class="games">{cards}</div>')
    own = trainings.kept.of(owner)
    if own:
        rows = "".join(
            f'<div class="match"><a class="grow" href="/train/{kept.key}">'
            f"<b>{escape(game_title(kept.game, visit.language))}</b> <small>{_day(kept.started)}</small></a>"
            f'<a class="button quiet" href="/train/{kept.key}">{escape(say("Look"))}</a></div>'
            for kept in own
        )
        parts.append(
            f'<section class="card matches"><h2 class="subtitle">{escape(say("Your networks"))}</h2>{rows}</section>'
        )
    return "".join(parts)


def _game_card(visit: Visit, game: str) -> str:
    words = words_of(visit, game)
    title = escape(words.title)
    return (
        f'<article class="card game"><img src="{visit.picture(game)}" alt="" width="300" height="240">'
        f"<h2>{title}</h2><p>{escape(words.learns)}</p>"
        f'<form method="post" action="/train"><input type="hidden" name="game" value="{game}">'
        f'<button class="button" aria-label="{escape(visit.say("Start"), quote=True)}: {title}">'
        f"{escape(visit.say('Start'))}</button> <small>{escape(words.takes)}</small></form></article>"
    )


def _day(seconds: float) -> str:
    day = datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%d")
    return f'<time datetime="{day}">{day}</time>'


class OwnTraining:
    """One tab that shows a training, whoever started it; only its own visitor may stop or delete it."""

    def __init__(self, visit: Visit, app_state: AppState, kept: Kept) -> None:
        self.visit, self.kept, self.trainings = visit, kept, app_state.trainings
        self.words: Words = words_of(visit, kept.game)
        self.mine = owner_of(visit.visitor) == kept.owner
        self.status: RunStatus | None = None
        self.shown: dict[ui.html, str] = {}
        reader = RunReader(kept.folder, kept.key)
        self.poller = app_state.pollers.get((kept.folder, "training"), reader.read, EVERY)

    def build(self) -> None:
        """Makes the elements."""
        say = self.visit.say
        ui.page_title(f"{self.words.title} · Ludoteca")
        back = f'<a href="/train">← {escape(say("Train one yourself"))}</a>'
        raw(f'{back}<h1 class="title">{escape(self.words.title)}</h1>').classes("stack")
        self.state = raw().classes("run-state").props('role=status aria-live="polite"')
        self.now = raw()
        self.chart = raw().classes("charts")
        self.play = raw()
        self.keep = raw()
        raw(self.words.explanation(), tag="section").classes("card lesson")
        with ui.element("details").classes("card"):
            raw(escape(say("More curves: loss and curiosity")), tag="summary")
            self.more = raw().classes("charts")
        self._show()
        while_connected(self._subscribe, self._unsubscribe)

    def _subscribe(self) -> None:
        self.trainings.watch(self.kept.key, self._show)
        self.poller.subscribe(self._show_status)

    def _unsubscribe(self) -> None:
        self.trainings.unwatch(self.kept.key, self._show)
        self.poller.unsubscribe(self._show_status)

    def _show_status(self, status: RunStatus) -> None:
        self.status = status
        self._show()

    def _set(self, element: ui.html, content: str) -> None:
        """Sends only what has changed, so that nothing that is read or selected disappears."""
        if self.shown.get(element) != content:
            self.shown[element] = content
            element.set_content(content)

    def _show(self) -> None:
        points = self.status.points if self.status is not None else ()
        unit = self.words.unit
        self._set(self.state, self._progress())
        names = [*dict.fromkeys(name for point in points for name in point.results)]
        lines = [
            Line(self.words.opponents.get(name, name), win_rates(points, name), place)
            for place, name in enumerate(names)
        ]
        title = self.visit.say("How many matches it wins, with the 95% interval")
        self._set(self.chart, draw_chart(self.visit, lines, title, unit, shares=True))
        self._set(self.now, self._in_words())
        losses = [*dict.fromkeys(name for point in points for name in point.loss)]
        charts = [
            draw_chart(
                self.visit,
                [Line(name, losses_of(points, name), place) for place, name in enumerate(losses)],
                self.visit.say("Loss: how wrong its expectations were"), unit, shares=False,
            ),
            draw_chart(
                self.visit,
                [Line("epsilon", epsilons(points))], self.visit.say("Epsilon: the chance of a random action"), unit,
                shares=True,
            ),
        ]  # fmt: skip
        self._set(self.more, "".join(charts))
        networks = self.kept.networks()
        self._set(self.play, self._play_form(networks) if networks else "")
        self._set(self.keep, self._keep_card(networks))

    def _progress(self) -> str:
        say, key = self.visit.say, self.kept.key
        ticket, before = self.trainings.ticket(key), self.trainings.before(key)
        points = self.status.points if self.status is not None else ()
        at = points[-1].at if points else 0
        run = self.status.run if self.status is not None else None
        total = run.total if run is not None and run.total else 0
        reached = self.words.reached(at, total) if total else ""
        if before is not None:
            most = before * WALL_SECONDS / 60
            first = say("It waits: {count} before it, which takes at most {most:.0f} minutes and mostly far less.",
                        count=before, most=most)  # fmt: skip
            text = f"{first} {say('Keep this page open, or it loses its place.')}"
        elif ticket is not None and ticket.stopping:
            text = say("It is being stopped …")
        elif ticket is not None:
            text = say("It is learning now: {reached}", reached=reached) if total else say("It starts …")
        elif self.status is None:
            text = say("Reading the curve …")
        elif self.status.ended:
            text = say("It has finished: {reached}", reached=reached)
        else:
            why = self.visit.translate(self.trainings.reasons.get(key, ""))
            text = (
                say("It has ended early: {reached}", reached=reached)
                if reached
                else say("It ended before it learnt anything: start another one.")
            ) + (f" ({why})" if why else "")
        pulse = "<span class='pulse' aria-hidden='true'></span>" if ticket is not None and before is None else ""
        share = min(1.0, at / total) if total else 0.0
        bar = f"<div class='done'><i style='width:{share:.1%}'></i></div>" if total else ""
        stop = ""
        if self.mine and ticket is not None and not ticket.stopping:
            stop = (
                f'<form method="post" action="/train/{key}/stop"><button class="button quiet">'
                f"{escape(say('Stop'))}</button></form>"
            )
        return f"<p>{pulse}{escape(text)}</p>{bar}{stop}"

    def _in_words(self) -> str:
        """What the curve says now, and what it said at first."""
        if self.status is None or (last := last_evaluation(self.status.points)) is None:
            return ""
        first = next(point for point in self.status.points if point.results)
        sentences = []
        for name, found in last.results.items():
            against = self.words.opponents.get(name, name)
            if name in first.results and first.at < last.at:
                sentences.append(
                    self.visit.say(
                        "Against “{opponent}” it wins {now} of its matches; at first it was {then}.",
                        opponent=against, now=percent(self.visit, found.score),
                        then=percent(self.visit, first.results[name].score),
                    )
                )  # fmt: skip
            else:
                sentences.append(
                    self.visit.say(
                        "Against “{opponent}” it wins {now} of its matches.",
                        opponent=against,
                        now=percent(self.visit, found.score),
                    )
                )
        return f"<p>{'<br>'.join(map(escape, sentences))}</p>"

    def _play_form(self, networks: list[int]) -> str:
        say, key = self.visit.say, self.kept.key
        newest, *older = networks[::-1]
        choices = [(newest, say("as it is now ({reached})", reached=self.words.count(newest)))]
        choices += [
            (at, self.words.count(at) if at else say("as it began: it knows nothing")) for at in older
        ]  # fmt: skip
        options = "".join(f'<option value="{at}">{escape(text)}</option>' for at, text in choices)
        return (
            f'<form method="post" action="/train/{key}/play" class="card row train-play">'
            f'<h2 class="subtitle">{escape(say("Play against it"))}</h2>'
            f'<label class="field"><span>{escape(say("How much it has learnt"))}</span>'
            f'<select name="at">{options}</select></label>'
            f'<button class="button" name="seat" value="0">{escape(say("Play, I begin"))}</button>'
            f'<button class="button quiet" name="seat" value="1">{escape(say("Play, it begins"))}</button></form>'
        )

    def _keep_card(self, networks: list[int]) -> str:
        say, key = self.visit.say, self.kept.key
        if not networks:
            return ""
        days = int(UNUSED // 86_400)
        kept = say(
            "It is kept here until nobody has used it for {days} days, or until you train more than five; "
            "a full server deletes first what was not used for longest. The file is yours.",
            days=days,
        )
        how = say(
            "Anyone who has this address can watch it and play against it; only the one who started it can stop it."
        )
        download = escape(say("Download it (.onnx)"))
        file = f'<a class="button quiet" href="/train/{key}/network.onnx" download>{download}</a>'
        delete = ""
        if self.mine:
            delete = (
                f'<form method="post" action="/train/{key}/delete"><button class="button quiet">'
                f"{escape(say('Delete it'))}</button></form>"
            )
        command = (
            f"ludoteca play {self.words.game} --against {self.words.agent}:weights={file_name(self.kept, networks[-1])}"
        )
        there = say("In a terminal:")
        return (
            f'<section class="card"><h2 class="subtitle">{escape(say("Keep it"))}</h2><p>{escape(kept)}</p>'
            f'<p>{escape(how)}</p><div class="row">{file}{delete}</div>'
            f"<p>{escape(there)} <code>{escape(command)}</code></p></section>"
        )


# Forms and files

Handler = Callable[[AppState, Visit, Request, dict[str, str]], Awaitable[str]]


def _form(app_state: AppState, act: Handler) -> Callable[[Request], Awaitable[Response]]:
    """A route that does what a form asks, and leads to the address that `act` returns."""

    async def submit(request: Request) -> Response:
        form = await request.form()
        given = {name: str(value) for name, value in form.items() if isinstance(value, str)}
        visit = Visit.of(request)
        try:
            address = await act(app_state, visit, request, given)
        except LudotecaError as error:
            with Client(nicegui_page(""), request=request) as client, frame(visit):
                error_card(visit, visit.explain(error))
            return client.build_response(request, 404 if isinstance(error, NotFound) else 400)
        return RedirectResponse(address, status_code=303)

    submit.__annotations__ = {"request": Request, "return": Response}
    return submit


async def _start(app_state: AppState, visit: Visit, request: Request, given: dict[str, str]) -> str:
    kept = app_state.trainings.start(owner_of(visit.visitor), given.get("game", ""), visit.address)
    return f"/train/{kept.key}"


async def _change(app_state: AppState, visit: Visit, request: Request, given: dict[str, str]) -> str:
    key, command = request.path_params["key"], request.path_params["command"]
    trainings, owner = app_state.trainings, owner_of(visit.visitor)
    if command == "stop":
        trainings.stop(owner, key)
        return f"/train/{key}" if trainings.kept.find(key) is not None else "/train"
    if command == "delete":
        trainings.delete(owner, key)
        return "/train"
    if command != "play":
        raise NotFound("There is no such page: {path}", path=visit.path[:200])
    kept = trainings.of(key)
    trainings.kept.note_use(key)
    at = _known_network(kept, given.get("at", ""))
    seats = (PERSON, kept.spec(at)) if given.get("seat") != "1" else (kept.spec(at), PERSON)
    game = words_of(visit, kept.game).game
    return f"/table/{await app_state.open(visit.visitor, MatchRequest(game, seats, None, '1s'), visit.address)}"


def _known_network(kept: Kept, text: str) -> int:
    """The network that a visitor asks for, by default the newest. Raises NotFound."""
    networks = kept.networks()
    if not networks or (text and text not in map(str, networks)):
        raise NotFound("this training has no network {name!r}", name=text[:20])
    return int(text) if text else networks[-1]


def file_name(kept: Kept, at: int) -> str:
    """What the file of a network is called where it is downloaded."""
    return f"{kept.game}-{at}.onnx"


def _download(app_state: AppState) -> Callable[[str, Request], Response]:
    """The route of a network's file."""

    def download(key: str, request: Request) -> Response:
        try:
            kept = app_state.trainings.of(key)
            at = _known_network(kept, request.query_params.get("at", ""))
        except LudotecaError as error:
            return Response(Visit.of(request).explain(error), status_code=404, media_type="text/plain")
        app_state.trainings.kept.note_use(key)
        return FileResponse(kept.folder / f"{at}.onnx", filename=file_name(kept, at))

    download.__annotations__ = {"key": str, "request": Request, "return": Response}
    return download
