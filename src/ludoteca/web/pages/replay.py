"""A finished match, or any position, to look at: slider, times, evaluation, analysis, and playing on from there."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, Literal
from urllib.parse import urlencode

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca.play.live import LiveMatch
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.protocols import Decision, Seat
from ludoteca.reports.tables import duration
from ludoteca.web.board import board
from ludoteca.web.folders import short_agent
from ludoteca.web.frame import Visit, game_title, page, raw
from ludoteca.web.host import House
from ludoteca.web.pages.setup import strongest
from ludoteca.web.pages.thoughts import Analysis, curves_html, thought_of
from ludoteca.web.records import read_address, write_actions
from ludoteca.web.table import PERSON

__all__ = ["Replay", "Story", "asked_ply", "match_fields", "play_form", "position_address", "register"]

"""What each fault is called."""


def register(house: House) -> None:
    """The page at ``/replay?game=…&seed=…&start=…&actions=…&ply=…``: a position that anybody may be sent."""

    @page("/replay")
    def show(visit: Visit, request: Request) -> None:
        query = request.query_params
        match = read_address(
            query.get("game", ""), query.get("seed", "0"), query.get("actions", ""), query.get("start", "")
        )
        count = len(match.actions)
        Replay(house, visit, Story(match), asked_ply(request, count, count)).build()


def asked_ply(request: Request, count: int, default: int) -> int:
    """The action before which an address asks to look, of a match with so many; `default` where it asks for none."""
    ply = request.query_params.get("ply", "")
    return min(int(ply), count) if ply.isascii() and ply.isdigit() and len(ply) < 6 else default


def position_address(match: Match, ply: int | None = None) -> str:
    """The address at which anybody may look at a match, from a given action on."""
    fields: dict[str, object] = match_fields(match)
    if ply is not None:
        fields["ply"] = ply
    return f"/replay?{urlencode(fields, safe=':,')}"


def match_fields(match: Match) -> dict[str, object]:
    """What a match is told by in an address or a form."""
    fields: dict[str, object] = {"game": match.game.spec, "seed": match.seed, "actions": write_actions(match.actions)}
    return fields | ({"start": match.start} if match.start else {})


def play_form(visit: Visit, match: Match) -> str:
    """A form that opens a table on which a match goes on; without a script, so that it works everywhere."""
    fields = match_fields(match) | {"seats": f"{PERSON}|{strongest(match.game.name)}"}
    hidden = "".join(
        f'<input type="hidden" name="{field}" value="{escape(str(value), quote=True)}">'
        for field, value in fields.items()
    )
    label = escape(visit.say("Play on from here"))
    return f'<form method="post" action="/table">{hidden}<button class="button">{label}</button></form>'


@dataclass(frozen=True)
class Story:
    """A match to be replayed, with what is known about it."""

    match: Match
    state: Literal["over", "live", "stopped"] = "over"
    """Whether it is being played just now, or was broken off."""
    address: str = ""
    """Where it is kept, if it is; `?ply=` there leads to a position."""

    @classmethod
    def of_record(cls, record: Record, address: str = "") -> Story:
        """A stored match. Raises LudotecaError."""
        return cls(Match.of_record(record), address=address)

    @classmethod
    def of_live(cls, live: LiveMatch) -> Story:
        """A match that is being played, as far as it has come. Raises LudotecaError."""
        return cls(Match.of_record(live.record), state="live")


class Replay:
    """The elements of a replay."""

    def __init__(self, house: House, visit: Visit, story: Story, ply: int | None = None) -> None:
        self.house, self.visit, self.story = house, visit, story
        self.match = story.match
        self.game = self.match.game
        self.ply = len(self.match.actions) if ply is None else ply
        self.seat: Seat = 0
        self.heat = False
        self.extra: Decision | None = None

    def build(self) -> None:
        """Makes the elements and shows the position."""
        visit = self.visit
        ui.page_title(f"{game_title(self.game.name, visit.language)} · Ludoteca")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                self.players = raw().classes("players")
                self.status = raw().classes("status")
                self.board_html = raw().classes(f"board {self.game.name}")
                self.slider = ui.slider(min=0, max=max(1, len(self.match.actions)), step=1, value=self.ply)
                self.slider.props(f'aria-label="{visit.say("Actions")}"').on(
                    "update:model-value", self._slid, throttle=0.05
                )
                with ui.element("div").classes("row"):
                    for icon, target in (("first_page", -(10**6)), ("chevron_left", -1), ("chevron_right", 1)):
                        ui.button(icon=icon, on_click=lambda _, by=target: self._go(self.ply + by)).props("flat dense")
                    ui.button(icon="last_page", on_click=lambda: self._go(10**6)).props("flat dense")
                    if getattr(self.game, "secrets", True):
                        names = {0: visit.say("Seat {seat}", seat=0), 1: visit.say("Seat {seat}", seat=1)}
                        ui.toggle(names, value=0, on_change=self._look_from).props("no-caps dense flat")
                    self.forms = raw().classes("row")
            with ui.element("aside").classes("side"):
                self.thought_html = raw(tag="section").classes("card")
                self.thought_html.on("click", self._switch_heat, js_handler="(e) => ludoteca.told(e, emit)")
                with ui.element("section").classes("card"):
                    ui.label(visit.say("Actions")).classes("subtitle")
                    self.plot_html = raw().classes("plot-box")
                    self.moves_html = raw().classes("moves")
                    self.moves_html.on("click", self._clicked, js_handler="(e) => ludoteca.ply(e, emit)")
                self.analysis = Analysis(visit, self.house.thinking, self._question, self._show_opinion)
                self.analysis.build()
        ui.context.client.on_delete(self.analysis.stop)
        self.refresh()

    def grow(self, story: Story) -> None:
        """The match has gone on, or its end has become known; whoever looks at its last position goes along."""
        follow = self.ply == len(self.match.actions)
        self.story, self.match = story, story.match
        self.ply = len(self.match.actions) if follow else min(self.ply, len(self.match.actions))
        self.slider.props["max"] = max(1, len(self.match.actions))
        self.slider.update()
        if follow:
            self.extra = None
            self.analysis.moved()
        self.refresh()

    def refresh(self) -> None:
        """Shows the position before the action of number `ply`."""
        visit = self.visit
        self.players.set_content(self._players())
        here, decisions = self.match.before(self.ply), self.match.decisions
        at_end = self.ply == len(decisions)
        thought = decisions[-1 if at_end else self.ply] if decisions else None
        drawn = self.extra or (thought if self.heat else None)
        heat, line = (drawn.scores or None, drawn.line) if drawn else (None, ())
        if drawn is thought and at_end:
            line = line[1:]  # its first action lies on the board already
        self.board_html.set_content(
            board(here.view(self.seat), playable=False, heat=heat, line=line, language=visit.language)
        )
        self.thought_html.set_content(self._thought(thought))
        self.slider.set_value(self.ply)
        self.status.set_content(f"<p>{escape(self._said(here))}</p>")
        self.moves_html.set_content(self._moves())
        self.plot_html.set_content(curves_html(visit, self.match, decisions, self.ply))
        self.forms.set_content(self._play_on() + self._share())

    def _thought(self, thought: Decision | None) -> str:
        """What led to the action that comes next, or to the last one, and the switch of the heat map."""
        say, ply = self.visit.say, min(self.ply, len(self.match.actions) - 1)
        text = f"<p>{escape(say('No thought to show here.'))}</p>"
        if thought is not None:
            text = thought_of(self.visit, self.match, ply, thought)
        return (
            f'<h2 class="subtitle">{escape(say("What the agent thought"))}</h2><div class="thought">{text}</div>'
            f'<label class="switch"><input type="checkbox" data-do="heat"{" checked" if self.heat else ""}>'
            f"{escape(say('Heat map'))}</label>"
        )

    def _said(self, here: Match) -> str:
        visit, match = self.visit, self.match
        if self.ply == len(match.actions):
            if self.story.state == "live" and here.turn is not None:
                return visit.say("{agent} is thinking …", agent=short_agent(match.seats[here.turn].agent))
            if self.story.state == "stopped":
                return visit.say("This match was broken off. It will be played anew.")
            if match.ending.is_fault:
                return f"{visit.translate(match.ending.words)}: {visit.translated(match.message)}"
            if match.ending is Ending.resigned:
                return visit.say("Seat {seat} resigned.", seat=match.fault_seat)
        if here.turn is not None:
            return visit.say("Seat {seat} to play", seat=here.turn)
        returns = here.returns()
        if returns[0] == returns[1]:
            return visit.say("A draw.")
        return visit.say("Seat {seat} wins.", seat=returns.index(max(returns)))

    def _players(self) -> str:
        parts = []
        match = self.match
        for seat, who in enumerate(match.seats):
            spent = sum(seconds for seconds, mover in zip(match.seconds, match.movers, strict=True) if mover == seat)
            clock = f" <small>{duration(spent)}</small>" if spent else ""
            name = self.visit.say("Seat {seat}", seat=seat)
            label = self.visit.say("a person") if who.person else short_agent(who.agent)
            parts.append(f'<div class="player seat{seat}"><b>{escape(label)}</b> <small>{name}</small>{clock}</div>')
        return "".join(parts)

    def _moves(self) -> str:
        visit = self.visit
        items = [f'<button type="button" data-ply="0">{escape(visit.say("start"))}</button>']
        for ply, (mover, action, seconds, _) in enumerate(self.match.turns):
            clock = f" <small>{duration(seconds)}</small>" if seconds else ""
            here = " here" if ply + 1 == self.ply else ""
            items.append(
                f'<button type="button" data-ply="{ply + 1}" class="seat{mover}{here}">'
                f"{escape(visit.spoken(self.game.action_name(action)))}{clock}</button>"
            )
        return "".join(items)

    def _play_on(self) -> str:
        return play_form(self.visit, self.match.before(self.ply))

    def _share(self) -> str:
        kept = self.story.address
        address = f"{kept}?ply={self.ply}" if kept else position_address(self.match, self.ply)
        label = escape(self.visit.say("Address of this position"))
        return f'<a class="button quiet" href="{escape(address, quote=True)}">{label}</a>'

    def _question(self) -> Match | None:
        here = self.match.before(self.ply)
        return None if here.turn is None else here

    def _show_opinion(self, thought: Decision | None) -> None:
        self.extra = thought
        self.refresh()

    def _slid(self, event: GenericEventArguments) -> None:
        value = event.args[0] if isinstance(event.args, list) and event.args else event.args
        self._go(value)

    def _clicked(self, event: GenericEventArguments) -> None:
        self._go(event.args)

    def _switch_heat(self, event: GenericEventArguments) -> None:
        if event.args == ["do", "heat"]:
            self.heat, self.extra = not self.heat, None
            self.refresh()

    def _go(self, ply: object) -> None:
        if isinstance(ply, int) and not isinstance(ply, bool):
            self.ply = max(0, min(ply, len(self.match.actions)))
            self.extra = None
            self.analysis.moved()
            self.refresh()

    def _look_from(self, event: Any) -> None:
        if event.value in (0, 1):
            self.seat = event.value
            self.refresh()
