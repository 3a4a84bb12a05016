"""The replay of a match, by hand or automatic, with times, decisions and analysis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Literal

from nicegui import app, ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request
from starlette.responses import Response

from ludoteca.errors import LudotecaError
from ludoteca.games.details import details_of, seat_variables
from ludoteca.games.side_names import side
from ludoteca.messages import Message
from ludoteca.play.live_matches import LiveMatch
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Decision, Drawable, Seat
from ludoteca.reports.fault_summary import replay_note
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import board, first_reason
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.pages.analysis import Analysis
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.link_previews import PICTURES, preview_tags
from ludoteca.web.pages.match_links import asked_ply, play_form, position_address
from ludoteca.web.pages.replay import parts
from ludoteca.web.pages.replay.downloads import answer, kinds_of
from ludoteca.web.pages.replay.parts import SPEEDS
from ludoteca.web.pages.thoughts import capital, curves_html
from ludoteca.web.tables.pictures import TooManyPictures
from ludoteca.web.tables.shared_match import SharedMatch, read_shared, shared_query, texts_of
from ludoteca.web.thinking.reviews import review_curve
from ludoteca.web.thinking.single_decision import Decide, decide_once


def register(app_state: AppState) -> None:
    """The page at ``/replay?game=…&seed=…&start=…&actions=…&ply=…``: a position as a link.

    ``/replay/match.json`` and ``/replay/match.sgf`` with the same query are the match as a file.
    """

    @page("/replay")
    def show(visit: Visit, request: Request) -> None:
        shared = read_shared(request.query_params)
        match = shared.match
        count = len(match.actions)
        if isinstance(match.game, Drawable):
            ui.add_head_html(shared_preview(visit, shared, str(request.base_url)))
        ways = {kind: f"/replay/match.{kind}?{shared_query(match)}" for kind in kinds_of(match.game)}
        Replay(
            app_state,
            visit,
            ReplayedMatch(match, downloads=ways, pictures=True, turning=shared.turning),
            asked_ply(request, count, count),
            alone=True,
        ).build()

    def load(request: Request, kind: str) -> Response:
        return answer(Visit.of(request), kind, "ludoteca-match", lambda: _asked(request))

    async def picture(request: Request, kind: str) -> Response:
        visit = Visit.of(request)
        try:
            drawn = await app_state.pictures.get(kind, request.query_params, visit.language, visit.address)
        except LudotecaError as error:
            status = 429 if isinstance(error, TooManyPictures) else 400
            return Response(visit.explain(error), status_code=status, media_type="text/plain; charset=utf-8")
        media = "image/gif" if kind.endswith(".gif") else "image/png"
        return Response(drawn, media_type=media, headers={"Cache-Control": "public, max-age=86400"})

    picture.__annotations__ = {"request": Request, "kind": str, "return": Response}
    app.get(PICTURES + "{kind}")(picture)
    load.__annotations__ = {"request": Request, "kind": str, "return": Response}
    app.get("/replay/match.{kind}")(load)


def _asked(request: Request) -> Match:
    """The match of an address. Raises LudotecaError."""
    return read_shared(request.query_params).match


def shared_preview(visit: Visit, shared: SharedMatch, origin: str) -> str:
    """What programs that preview links read: the result in words, and the address of a picture.

    origin: scheme and host of this server, as the request named it; `OriginCheck` refuses names that are not ours.
    """
    texts, query = texts_of(shared, visit), shared_query(shared.match, shared.turning)
    return preview_tags(
        f"{texts.title}: {' – '.join(texts.players)}",
        ". ".join(each.rstrip(".") for each in (texts.result, texts.turning) if each) + ".",
        f"{origin.rstrip('/')}{PICTURES}preview.png?{query}",
        f"{texts.title}. {texts.result}",
        sized=True,
    )


@dataclass(frozen=True)
class ReplayedMatch:
    """A match to be replayed, with what is known about it."""

    match: Match
    state: Literal["over", "live", "stopped"] = "over"
    """Whether it is being played now, or was interrupted."""
    address: str = ""
    """The address of a stored match; `?ply=` there leads to a position."""
    downloads: Mapping[str, str] = field(default_factory=dict)
    """The addresses of its downloads, by file suffix."""
    pictures: bool = False
    """Whether pictures of it are offered: only where the visitor may know everything that its address says."""
    turning: int | None = None
    """The number of the action by which it turned, if its address says so."""
    twice: Message | None = None
    """The note about a match that was played twice."""

    @classmethod
    def of_record(cls, record: Record, address: str = "") -> ReplayedMatch:
        """A stored match, with its downloads below its address. Raises LudotecaError."""
        match = Match.of_record(record)
        files = {kind: f"{address}/match.{kind}" for kind in kinds_of(match.game)} if address else {}
        return cls(match, address=address, downloads=files, twice=replay_note(record))

    @classmethod
    def of_live(cls, live: LiveMatch, address: str = "") -> ReplayedMatch:
        """A live match as far as it has come. Raises LudotecaError."""
        return cls(Match.of_record(live.record), state="live", address=address)


class Replay:
    """The elements of a replay; `alone` on a page, it keeps the address bar up to date."""

    def __init__(
        self, app_state: AppState, visit: Visit, replayed: ReplayedMatch, ply: int | None = None, *, alone: bool = False
    ) -> None:
        self.app_state, self.visit, self.replayed, self.alone = app_state, visit, replayed, alone
        self.match = replayed.match
        self.game = self.match.game
        self.ply = len(self.match.actions) if ply is None else ply
        self.seat: Seat = 0
        self.heat = False
        self.extra: Decision | None = None
        self.speed = "1"

    def build(self) -> None:
        """Makes the elements and shows the position."""
        visit = self.visit
        if self.alone:
            ui.page_title(f"{game_title(self.game, visit.language)} · Ludoteca")
        with ui.element("div").classes("play replay").style(seat_variables(self.game)):
            with ui.element("div").classes("board-side"):
                self.players = raw().classes("players")
                self.status = raw().classes("status").props('role=status aria-live="polite"')
                self.twice_html = raw()
                self.board_html = raw().classes(f"board {self.game.name}")
                self.slider = ui.element("input").props("type=range min=0").classes("slider")
                self.slider.props["aria-label"] = visit.say("Moves")
                self.slider.on("input", self._clicked, throttle=0.05, js_handler="(e) => emit(Number(e.target.value))")
                self.controls = raw().classes("row controls")
                self.controls.on("click", self._run_command, js_handler="(e) => ludoteca.command(e, emit)")
                self.controls.on("change", self._set_speed, js_handler="(e) => emit(e.target.value)")
                self.forms = raw().classes("row")
            with ui.element("aside").classes("side"):
                self.thought_html = raw(tag="section").classes("card")
                self.thought_html.on("click", self._run_command, js_handler="(e) => ludoteca.command(e, emit)")
                with ui.element("section").classes("card"):
                    raw(escape(visit.say("Moves")), tag="h2").classes("subtitle")
                    self.plot_html = raw().classes("plot-box")
                    self.moves_html = raw().classes("moves")
                    self.moves_html.on("click", self._clicked, js_handler="(e) => ludoteca.ply(e, emit)")
                decide: Decide = partial(decide_once, self.app_state.agent_queue)
                self.analysis = Analysis(visit, decide, self._question, self._show_opinion)
                self.analysis.build()
        self.timer = ui.timer(SPEEDS[self.speed], self._step, active=False, immediate=False)
        ui.context.client.on_delete(self.analysis.stop)
        self.refresh()

    def grow(self, replayed: ReplayedMatch) -> None:
        """Takes over a later state of the match; a tab that shows the last position follows it."""
        follow = self.ply == len(self.match.actions)
        self.replayed, self.match = replayed, replayed.match
        self.ply = len(self.match.actions) if follow else min(self.ply, len(self.match.actions))
        if follow:
            self.extra = None
            self.analysis.moved()
        self.refresh()

    def refresh(self) -> None:
        """Shows the position before the action of number `ply`."""
        visit = self.visit
        heading = f'<h1 class="unseen">{escape(game_title(self.game, visit.language))}</h1>' if self.alone else ""
        self.players.set_content(heading + parts.players(visit, self.match, self.ply))
        here, decisions = self.match.before(self.ply), self.match.decisions
        at_end = self.ply == len(decisions)
        thought = decisions[-1 if at_end else self.ply] if decisions else None
        drawn = self.extra or (thought if self.heat else None)
        heat, line = (drawn.scores or None, drawn.line) if drawn else (None, ())
        if drawn is thought and at_end:
            line = line[1:]  # its first action is on the board already
        self.board_html.set_content(
            board(
                here.view(self.seat),
                playable=False,
                heat=heat,
                line=line,
                reasons_of=drawn or first_reason(thought),
                language=visit.language,
                narrow=visit.narrow,
            )
        )
        self.thought_html.set_content(parts.thoughts(visit, self.match, self.ply, self.heat))
        self.slider.props.update({"max": max(1, len(self.match.actions)), "value": self.ply})
        self.controls.set_content(self._controls())
        self.status.set_content(f"<p>{escape(self._status_text(here))}</p>")
        twice = self.replayed.twice
        self.twice_html.set_content("" if twice is None else f'<p class="soft">{escape(visit.translate(twice))}</p>')
        self.moves_html.set_content(parts.moves(visit, self.match, self.ply))
        self.plot_html.set_content(curves_html(visit, self.match, decisions, self.ply, self._engine_curve()))
        self.forms.set_content(self._play_on() + self._share() + self._downloads() + self._pictures())

    def _controls(self) -> str:
        row = parts.controls(self.visit, playing=self.timer.active, speed=self.speed)
        return row + (
            parts.seat_choice(self.visit, self.game, self.seat) if details_of(self.game).hidden_information else ""
        )

    def _status_text(self, here: Match) -> str:
        visit, match = self.visit, self.match
        if self.ply == len(match.actions):
            if self.replayed.state == "live" and here.turn is not None:
                return visit.say("{agent} is thinking …", agent=visit.agent(match.seats[here.turn].agent))
            if self.replayed.state == "stopped":
                return visit.say("This match was interrupted. It will be played again.")
            if match.ending.is_fault:
                return f"{visit.translate(match.ending.words)}: {visit.translated(match.message)}"
            if match.ending is Ending.agreed:
                return f"{visit.say('Both players agreed.')} {visit.say('A draw.')}"
            if match.ending is Ending.resigned:
                return capital(visit.say("{side} resigned.", side=side(self.game, match.fault_seat or 0)))
        if here.turn is not None:
            return capital(visit.say("{side} to play", side=side(self.game, here.turn)))
        returns = here.returns()
        if returns[0] == returns[1]:
            return visit.say("A draw.")
        return capital(visit.say("{side} wins.", side=side(self.game, returns.index(max(returns)))))

    def _engine_curve(self) -> Curve | None:
        """The curve of a finished review, if there is one."""
        review = self.app_state.reviews.finished(self.match)
        return None if review is None else review_curve(review, review.searches.actions)

    def _play_on(self) -> str:
        if not self.app_state.has_tables:
            return ""
        here = self.match.before(self.ply)
        return play_form(here, here.seats[1 - (here.turn or 0)].agent, self.visit.say("Play on from here"))

    @property
    def address(self) -> str:
        """The address of the position shown."""
        kept = self.replayed.address
        return f"{kept}?ply={self.ply}" if kept else position_address(self.match, self.ply, self.replayed.turning)

    def _share(self) -> str:
        say, address = self.visit.say, escape(self.address, quote=True)
        copied = escape(say("Copied"), quote=True)
        return (
            f'<a class="button quiet" href="{address}" data-copy data-copied="{copied}" '
            f'title="{escape(say("Address of this position"), quote=True)}">{escape(say("Copy link"))}</a>'
        )

    def _downloads(self) -> str:
        return "".join(
            f'<a class="button quiet" href="{escape(address, quote=True)}" download>'
            f"{escape(self.visit.say('Download {kind}', kind=kind.upper()))}</a>"
            for kind, address in self.replayed.downloads.items()
        )

    def _pictures(self) -> str:
        """Links to pictures of the position and of the whole match; none while it is being played."""
        if not isinstance(self.game, Drawable) or self.replayed.state != "over" or not self.replayed.pictures:
            return ""
        say, query = self.visit.say, shared_query(self.match)
        links = {
            f"{PICTURES}position.png?{query}&ply={self.ply}": ("ludoteca.png", say("This position as a picture")),
            f"{PICTURES}match.gif?{query}": ("ludoteca.gif", say("The match as an animated picture")),
        }
        return "".join(
            f'<a class="button quiet" href="{escape(address, quote=True)}" download="{name}" rel="nofollow">'
            f"{escape(text)}</a>"
            for address, (name, text) in links.items()
        )

    def _question(self) -> Match | None:
        here = self.match.before(self.ply)
        return None if here.turn is None else here

    def _show_opinion(self, thought: Decision | None) -> None:
        self.extra = thought
        self.refresh()

    # Events

    def _clicked(self, event: GenericEventArguments) -> None:
        self._go(event.args)

    def _run_command(self, event: GenericEventArguments) -> None:
        match event.args:
            case ["do", "first"]:
                self._go(0)
            case ["do", "back"]:
                self._go(self.ply - 1)
            case ["do", "next"]:
                self._go(self.ply + 1)
            case ["do", "last"]:
                self._go(len(self.match.actions))
            case ["do", "play"]:
                self._play_or_pause()
            case ["do", "heat"]:
                self.heat, self.extra = not self.heat, None
                self.refresh()
            case ["do", "seat0" | "seat1" as chosen]:
                self.seat = int(chosen == "seat1")
                self.refresh()

    def _set_speed(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str) and event.args in SPEEDS:
            self.speed = event.args
            self.timer.interval = SPEEDS[self.speed]
            self.refresh()

    def _play_or_pause(self) -> None:
        """Starts or pauses autoplay; at the end it starts over."""
        if self.timer.active:
            self.timer.deactivate()
        elif self.match.actions:
            if self.ply == len(self.match.actions):
                self.ply = 0
            self.timer.activate()
        self._go(self.ply, paused=False)

    def _step(self) -> None:
        if self.ply + 1 >= len(self.match.actions) and self.replayed.state != "live":
            self.timer.deactivate()
        self._go(self.ply + 1, paused=False)

    def _go(self, ply: object, *, paused: bool = True) -> None:
        """Shows another position; paused: stops autoplay."""
        if isinstance(ply, int) and not isinstance(ply, bool):
            if paused:
                self.timer.deactivate()
            self.ply = max(0, min(ply, len(self.match.actions)))
            self.extra = None
            self.analysis.moved()
            self.refresh()
            if self.alone:
                ui.navigate.history.replace(self.address)
