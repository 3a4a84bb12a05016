"""A table as a page: the board to play on, what the agents think, and the way back through the match."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from html import escape
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca.arena import Match
from ludoteca.errors import LudotecaError
from ludoteca.protocols import Action, Seat, View
from ludoteca.web.board import board, value_plot, words_needed
from ludoteca.web.frame import Visit, game_title, page, raw
from ludoteca.web.host import Host, House
from ludoteca.web.pages.replay import position_address
from ludoteca.web.pages.setup import strongest
from ludoteca.web.pages.thoughts import Analysis, thought_html
from ludoteca.web.phrases import meant
from ludoteca.web.table import PERSON, InvalidTable, Thought, understand
from ludoteca.web.tables import fresh_seed
from ludoteca.web.thinking import Busy, Failed, Job

__all__ = ["register"]

LISTED = 12  # legal actions named when somebody chose an illegal one
HINT_SECONDS = 1.0


def register(house: House) -> None:
    """The page at ``/table/<key>``."""

    @page("/table/{key}")
    def show(visit: Visit, request: Request) -> None:
        host = house.host(visit.visitor, request.path_params["key"])
        _TablePage(house, visit, host).build()


class _TablePage:
    """One tab that shows a table."""

    def __init__(self, house: House, visit: Visit, host: Host) -> None:
        self.house, self.visit, self.host = house, visit, host
        self.say = visit.say
        self.seat: Seat = min(host.table.head.persons, default=0)
        self.ply: int | None = None
        """The action before which we look; None: the present."""
        self.uncovered: Seat | None = None
        """Which of two persons at one screen has said that they sit there."""
        self.heat = False
        self.extra: Thought | None = None
        """A hint, or an opinion of the analysis, to be drawn."""
        self.hint_text = ""
        self._hint: asyncio.Task[None] | None = None
        self.drawn: tuple[object, ...] = ()
        """What the board and the lists were drawn from last."""

    # What is on the page

    def build(self) -> None:
        """Makes all the elements, then fills them in."""
        table, say = self.host.table, self.say
        self.client = ui.context.client
        ui.page_title(f"{game_title(table.game.name, self.visit.language)} · Ludoteca")
        with ui.element("div").classes("play"):
            with ui.element("div").classes("board-side"):
                self.seats_html = raw().classes("players")
                self.status = raw().classes("status").props('role=status aria-live="polite"')
                self.board_html = raw().classes(f"board {table.game.name}")
                self.board_html.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit)")
                self.cover = ui.button(say("uncover"), icon="visibility", on_click=self._uncover)
                self.cover.props("no-caps unelevated size=lg").classes("cover")
                self.words_html = raw().classes("words")
                self.words_html.on("click", self._clicked, js_handler="(e) => ludoteca.click(e, emit)")
                self._build_input()
                self._build_buttons()
            with ui.element("aside").classes("side"):
                self._build_thoughts()
                self._build_moves()
                self.analysis = Analysis(self.visit, self.house.thinkers, self._question, self._show_opinion)
                self.analysis.build()
        self.host.join(self._changed)
        self.client.on_delete(self._leave)
        self.refresh()

    def _build_input(self) -> None:
        table = self.host.table
        legal = table.match.view(0).legal() or table.match.view(1).legal() or [0]
        example = table.game.action_name(legal[len(legal) // 2])
        # The form sends its text itself: what was typed last might otherwise arrive after it.
        sender = "(e) => emit(e.target.querySelector('input').value)"
        with ui.element("form").classes("typed").on("submit.prevent", self._typed, js_handler=sender):
            self.input = ui.input(placeholder=self.say("type_action", example=example))
            self.input.props("dense outlined autocomplete=off maxlength=40 autocapitalize=off spellcheck=false")
            self.input.classes("grow")
            ui.button("⏎").props(f'type=submit no-caps unelevated aria-label="{self.say("play")}"')

    def _build_buttons(self) -> None:
        say = self.say
        with ui.element("div").classes("row controls"):
            self.undo = _button(say("undo"), "undo", self._do_undo, "u")
            self.hint = _button(say("hint"), "lightbulb", self._do_hint, "h")
            self.change = _button(say("change"), "swap_horiz", self._do_change, "c")
            self.pause = _button(say("pause"), "pause", self._do_pause, "p")
            self.retry = _button(say("again"), "refresh", self.host.try_again, "r")
            self.resign = _button(say("resign"), "flag", self._do_resign)
            _button(say("new"), "add", self._do_new, "n")
            _button(say("share"), "share", self._do_share)

    def _build_thoughts(self) -> None:
        with ui.element("section").classes("card"):
            ui.label(self.say("thoughts")).classes("subtitle")
            self.thought_html = raw().classes("thought")
            self.plot_html = raw().classes("plot-box")
            self.heat_switch = ui.switch(self.say("show_heat"), on_change=self._do_heat)

    def _build_moves(self) -> None:
        with ui.element("section").classes("card"):
            ui.label(self.say("moves")).classes("subtitle")
            self.slider = ui.slider(min=0, max=1, step=1, value=0).props('aria-label="ply"')
            self.slider.on("update:model-value", self._slid, throttle=0.05)
            self.moves_html = raw().classes("moves")
            self.moves_html.on("click", self._chosen_ply, js_handler="(e) => ludoteca.ply(e, emit)")
            with ui.element("div").classes("row"):
                self.to_end = _button(self.say("to_end"), "last_page", self._to_end)
                self.seen_from = ui.toggle(
                    {0: self.say("seat", seat=0), 1: self.say("seat", seat=1)},
                    value=self.seat,
                    on_change=self._look_from,
                ).props("no-caps dense flat")

    # What it shows

    def refresh(self) -> None:
        """Fills everything in from the table as it stands."""
        table, now = self.host.table, self.ply is None
        persons, turn = table.head.persons, table.turn
        shown = table.seats_shown()
        if self.seat not in shown:
            self.seat = shown[0]
        covered = table.secrets and len(persons) == 2 and turn is not None and turn != self.uncovered
        # Where nothing is hidden the seat on turn looks, so that its legal actions are shown.
        looking = turn if not table.secrets and now and turn is not None else self.seat
        view = table.view(looking, self.ply)
        playable = now and not covered and turn is not None and turn in persons and view.seat == turn
        self.status.set_content(self._status(covered))
        self._refresh_buttons(playable)
        looks = (playable, covered, self.ply, self.heat, self.extra)
        drawn = (bytes(view), view.seat, len(table.movers), turn, table.head, *looks)
        if drawn == self.drawn:
            return  # an agent began to think, or the like: what is expensive to draw is still right
        self.drawn = drawn
        self.cover.set_visibility(covered)
        self.board_html.set_visibility(not covered)
        if not covered:
            self.board_html.set_content(self._board(view, playable))
        self.words_html.set_content(self._words(view) if playable else "")
        self.seats_html.set_content(self._players())
        self._refresh_thoughts()
        self._refresh_moves(shown)

    def _board(self, view: View, playable: bool) -> str:
        table, extra = self.host.table, self.extra
        thought, line = extra, extra.line if extra else ()
        if extra is None and self.heat:
            at = len(table.thoughts) - 1 if self.ply is None else self.ply
            thought = table.thought(at)
            line = () if thought is None else thought.line[1:] if self.ply is None else thought.line
        heat = dict(thought.scores) if thought and (extra or self.heat) else None
        fits = range(table.game.num_actions)
        heat = {action: score for action, score in heat.items() if action in fits} if heat else None
        known = [action for action in line if action in fits]
        return board(view, playable=playable, heat=heat, line=known, language=self.visit.language)

    def _words(self, view: View) -> str:
        names = {action: view.game.action_name(action) for action in words_needed(view)}
        return "".join(
            f'<button type="button" class="button" data-action="{action}" title="{escape(name, quote=True)}">'
            f"{escape(self.visit.spoken(name))}</button>"
            for action, name in names.items()
        )

    def _players(self) -> str:
        table, parts = self.host.table, []
        for seat, who in enumerate(table.head.seats):
            label = who if who != PERSON else self.say("you" if len(table.head.persons) == 1 else "person")
            spent = sum(
                thought.seconds
                for thought, mover in zip(table.thoughts, table.movers, strict=True)
                if thought and mover == seat
            )
            clock = f" <small>{spent:.1f} s</small>" if spent else ""
            here = " on-turn" if table.turn == seat else ""
            seat_name = escape(self.say("seat", seat=seat))
            parts.append(
                f'<div class="player seat{seat}{here}"><b>{escape(label)}</b> <small>{seat_name}</small>{clock}</div>'
            )
        return "".join(parts)

    def _status(self, covered: bool) -> str:
        table, host = self.host.table, self.host
        turn, agent = table.turn, table.agent_on_turn
        if turn is None:
            return f'<p class="result">{escape(self._result())}</p>'
        if self.ply is not None:
            return f"<p>{escape(self.say('in_the_past'))}</p>"
        if covered:
            return f"<p>{escape(self.say('curtain', seat=turn))}</p>"
        if host.trouble:
            return f'<p class="trouble">{escape(self.say("failed", why=self.visit.translated(host.trouble)))}</p>'
        if host.paused:
            return f"<p>{escape(self.say('paused'))}</p>"
        if agent is not None:
            if host.stage == "thinking":
                progress = f'<div class="progress" style="--seconds:{table.head.seconds:g}s"></div>'
                return f"<p>{escape(self.say('thinking', agent=agent))}</p>{progress}"
            return f"<p>{escape(self.say('waiting', agent=agent, ahead=host.ahead))}</p>"
        if self.hint_text:
            return f'<p class="hint">{escape(self.hint_text)}</p>'
        key = "your_turn" if len(table.head.persons) == 1 else "seat_turn"
        return f"<p>{escape(self.say(key, seat=turn))}</p>"

    def _result(self) -> str:
        table = self.host.table
        returns, persons = table.returns(), table.head.persons
        winner = returns.index(max(returns))
        if returns[0] == returns[1]:
            text = self.say("draw")
        elif len(persons) != 1:
            text = self.say("seat_wins", seat=winner)
        elif winner in persons:
            text = self.say("you_win")
        else:
            text = self.say("you_lose", agent=table.head.seats[winner])
        return text if table.resigned is None else f"{self.say('resigned', seat=table.resigned)} {text}"

    def _refresh_buttons(self, playable: bool) -> None:
        table, host = self.host.table, self.host
        persons = table.head.persons
        self.input.set_enabled(playable)
        self.undo.set_enabled(bool(table.movers) and (bool(persons) or host.paused or table.over))
        self.hint.set_enabled(playable)
        self.change.set_enabled(not table.over and (not table.secrets or not persons))
        self.resign.set_enabled(not table.over and bool(persons))
        self.pause.set_visibility(not persons and not table.over)
        self.pause.set_text(self.say("resume" if host.paused else "pause"))
        self.retry.set_visibility(bool(host.trouble))

    def _refresh_thoughts(self) -> None:
        table = self.host.table
        known = [(at, thought) for at in range(len(table.movers)) if (thought := table.thought(at))]
        if self.ply is not None:
            known = [(at, thought) for at, thought in known if at == self.ply]
        hidden = table.secrets and not table.over and bool(table.head.persons)
        text = f"<p>{escape(self.say('hidden_thought' if hidden else 'no_thought'))}</p>"
        if known:
            at, thought = known[-1]
            text = thought_html(self.visit, table.game, table.movers[at], table.match.actions[at], thought)
        self.thought_html.set_content(text)
        values: list[float | None] = []
        for at, mover in enumerate(table.movers):
            said = table.thought(at)
            value = None if said is None or said.value is None else said.value
            values.append(value if value is None or mover == 0 else -value)
        plot = value_plot(values, self.ply, title=self.say("plot")) if any(v is not None for v in values) else ""
        self.plot_html.set_content(f"{plot}<small>{escape(self.say('plot'))}</small>" if plot else "")

    def _refresh_moves(self, shown: list[Seat]) -> None:
        table = self.host.table
        count = len(table.movers)
        at = count if self.ply is None else self.ply
        items = [f'<button type="button" data-ply="0" class="start">{escape(self.say("start_position"))}</button>']
        items += [
            f'<button type="button" data-ply="{ply + 1}" class="seat{mover}{" here" if ply + 1 == at else ""}">'
            f"{escape(self.visit.spoken(name))}</button>"
            for ply, (mover, name) in enumerate(zip(table.movers, table.names(), strict=True))
        ]
        self.moves_html.set_content("".join(items))
        self.slider.props["max"] = max(1, count)
        self.slider.set_value(at)
        past = not (table.secrets and len(table.head.persons) == 2 and not table.over)
        self.slider.set_enabled(past and count > 0)
        self.to_end.set_visibility(self.ply is not None)
        self.seen_from.set_visibility(table.secrets and len(shown) == 2)

    # What happens

    def _changed(self) -> None:
        """The table changed, here or in another tab of the same visitor."""
        if self._hint is not None:
            self._hint.cancel()
        self._hint, self.hint_text, self.extra = None, "", None
        if self.ply is not None and self.ply >= len(self.host.table.movers):
            self.ply = None
        with self.client:
            self.analysis.moved()
            self.refresh()

    def _leave(self) -> None:
        self.analysis.stop()
        if self._hint is not None:
            self._hint.cancel()
        self.host.leave(self._changed)

    def _warn(self, problem: LudotecaError | str) -> None:
        text = problem if isinstance(problem, str) else self.visit.explain(problem)
        ui.notify(text, type="warning", multi_line=True)

    def _clicked(self, event: GenericEventArguments) -> None:
        action = event.args
        if not isinstance(action, int) or isinstance(action, bool):
            self._warn(self.say("bad_message"))
            return
        self._play(action)

    def _typed(self, event: GenericEventArguments) -> None:
        legal = self._legal()
        if legal is None:
            return
        try:
            action = understand(self.host.table.game, meant(str(event.args), self.visit.language), legal)
        except LudotecaError as error:
            self._warn(error)
            return
        self.input.set_value("")
        self._play(action)

    def _legal(self) -> list[Action] | None:
        """What a person may play here and now; None, having said why, when it is not a person's turn."""
        table, turn = self.host.table, self.host.table.turn
        if self.ply is not None:
            self._warn(self.say("in_the_past"))
        elif turn is None or turn not in table.head.persons:
            self._warn(self.say("not_your_turn"))
        else:
            return table.match.view(turn).legal()
        return None

    def _play(self, action: Action) -> None:
        legal = self._legal()
        if legal is None:
            return
        game = self.host.table.game
        if action not in legal:
            name = game.action_name(action) if 0 <= action < game.num_actions else str(action)
            names = ", ".join(game.action_name(each) for each in legal[:LISTED])
            more = " …" if len(legal) > LISTED else ""
            self._warn(f"{self.say('not_legal', name=name)} {self.say('legal_now', names=names + more)}")
            return
        self.host.play(action)

    def _uncover(self) -> None:
        turn = self.host.table.turn
        self.uncovered = turn
        if turn is not None:
            self.seat = turn
        self.refresh()

    def _do_undo(self) -> None:
        try:
            self.ply = None
            self.host.undo()
        except InvalidTable as error:
            self._warn(error)

    def _do_change(self) -> None:
        try:
            self.host.change_seats()
        except InvalidTable as error:
            self._warn(error)

    def _do_resign(self) -> None:
        table = self.host.table
        persons = table.head.persons
        if not persons:
            return
        try:
            self.host.resign(table.turn if table.turn in persons else persons[0])
        except InvalidTable as error:
            self._warn(error)

    def _do_pause(self) -> None:
        self.host.pause(not self.host.paused)

    def _do_new(self) -> None:
        head = replace(self.host.table.head, seed=fresh_seed())
        try:
            key = self.house.open(self.visit.visitor, head)
        except LudotecaError as error:
            self._warn(error)
            return
        ui.navigate.to(f"/table/{key}")

    def _do_share(self) -> None:
        table = self.host.table
        if table.secrets and not table.over:
            self._warn(self.say("share_later"))
            return
        address = position_address(table.match, self.ply)
        ui.run_javascript(f"navigator.clipboard?.writeText(location.origin + {address!r})")
        ui.notify(self.say("copied", address=address), multi_line=True)

    def _do_hint(self) -> None:
        question = self._question()
        if question is None or self._hint is not None:
            return
        others = [who for who in self.host.table.head.seats if who != PERSON]
        spec = others[0] if others and others[0] != "random" else strongest(question.game.name)
        job = Job.at(question, spec, HINT_SECONDS)
        self._hint = asyncio.create_task(self._think_of_hint(job))
        self.hint_text = self.say("thinking", agent=spec)
        self.refresh()

    async def _think_of_hint(self, job: Job) -> None:
        try:
            action, thought = await self.house.thinkers.think(job)
        except (Busy, Failed) as error:
            self._hint, self.hint_text = None, self.visit.explain(error)
        else:
            name = self.host.table.game.action_name(action)
            self._hint, self.hint_text = None, self.say("hint_is", agent=job.agent, action=self.visit.spoken(name))
            if thought.note:
                self.hint_text += f" – {self.visit.note(thought.note)}"
            self.extra = thought if thought.scores or thought.line else replace(thought, line=(action,))
            if not self.extra.line:
                self.extra = replace(self.extra, line=(action,))
        with self.client:
            self.refresh()

    def _do_heat(self, event: Any) -> None:
        self.heat = bool(event.value)
        self.extra = None
        self.refresh()

    def _show_opinion(self, thought: Thought | None) -> None:
        self.extra = thought
        self.refresh()

    def _question(self) -> Match | None:
        """The position that is looked at, if its seat on turn may be looked at too."""
        table = self.host.table
        turn = table.turn if self.ply is None else table.movers[self.ply]
        if turn is None or turn not in table.seats_shown():
            return None
        return table.match.before(len(table.movers) if self.ply is None else self.ply)

    def _slid(self, event: GenericEventArguments) -> None:
        value = event.args[0] if isinstance(event.args, list) and event.args else event.args
        self._go_to(value)

    def _chosen_ply(self, event: GenericEventArguments) -> None:
        self._go_to(event.args)

    def _go_to(self, ply: object) -> None:
        table = self.host.table
        if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply <= len(table.movers):
            return
        if table.secrets and len(table.head.persons) == 2 and not table.over:
            return
        self.ply = None if ply == len(table.movers) else ply
        self.extra, self.hint_text = None, ""
        self.analysis.moved()
        self.refresh()

    def _to_end(self) -> None:
        self._go_to(len(self.host.table.movers))

    def _look_from(self, event: Any) -> None:
        if event.value in self.host.table.seats_shown():
            self.seat = event.value
            self.refresh()


def _button(text: str, icon: str, action: Any, key: str = "") -> ui.button:
    button = ui.button(text, icon=icon, on_click=action).props("no-caps flat dense")
    if key:
        button.props(f'data-key="{key}" title="{text} ({key})"')
    return button
