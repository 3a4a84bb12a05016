"""A table as a page: the board to play on, what the agents think, and the way back through the match."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca.errors import LudotecaError
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Seat, View
from ludoteca.web.board import board, value_plot, words_needed
from ludoteca.web.frame import Visit, control, game_title, page, raw
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
        _TablePage(house, visit, request.path_params["key"]).build()


class _TablePage:
    """One tab that shows a table."""

    def __init__(self, house: House, visit: Visit, key: str) -> None:
        self.house, self.visit, self.key = house, visit, key
        self.host: Host = house.host(visit.visitor, key)
        self.say = visit.say
        self.seat: Seat = min(self.host.table.head.persons, default=0)
        self.ply: int | None = None
        """The action before which we look; None: the present."""
        self.uncovered: Seat | None = None
        """Which of two persons at one screen has said that they sit there."""
        self.heat = False
        self.extra: Thought | None = None
        """A hint, or an opinion of the analysis, to be drawn."""
        self.hint_text = ""
        self._hint: asyncio.Task[None] | None = None
        self._deeds: dict[str, Callable[[], None]] = {
            "undo": self._do_undo,
            "hint": self._do_hint,
            "change": self._do_change,
            "pause": self._do_pause,
            "again": self._do_again,
            "resign": self._do_resign,
            "new": self._do_new,
            "share": self._do_share,
            "heat": self._do_heat,
            "uncover": self._uncover,
            "present": self._to_end,
            "seat0": lambda: self._look_from(0),
            "seat1": lambda: self._look_from(1),
        }
        self.drawn: tuple[object, ...] = ()
        """What the board and the lists were drawn from last."""

    # What is on the page

    def build(self) -> None:
        """Makes all the elements, then fills them in."""
        table, say = self.host.table, self.say
        self.client = ui.context.client
        ui.page_title(f"{game_title(table.game.name, self.visit.language)} · Ludoteca")
        # Elements are what a page costs, and two hundred may come at once: so one for each part that changes by itself,
        # the buttons in them as text, and one listener for all clicks.
        with ui.element("div").classes("play").on("click", self._clicked, js_handler="(e) => ludoteca.told(e, emit)"):
            with ui.element("div").classes("board-side"):
                self.seats_html = raw().classes("players")
                self.status = raw().classes("status").props('role=status aria-live="polite"')
                self.board_html = raw().classes(f"board {table.game.name}")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'play')")
                self.words_html = raw().classes("words")
                # The form sends its text itself: what was typed last might otherwise arrive after it.
                raw(self._input(), tag="form").classes("typed").on(
                    "submit.prevent", self._typed, js_handler="(e) => ludoteca.typed(e, emit)"
                )
                self.controls_html = raw().classes("row controls")
            with ui.element("aside").classes("side"):
                self.thought_html = raw(tag="section").classes("card")
                with ui.element("section").classes("card"):
                    raw(escape(say("moves")), tag="h2").classes("subtitle")
                    self.slider = ui.element("input").props('type=range min=0 max=1 value=0 aria-label="ply"')
                    self.slider.classes("slider").on(
                        "input", self._slid, throttle=0.05, js_handler="(e) => emit(Number(e.target.value))"
                    )
                    self.moves_html = raw().classes("moves")
                    self.ways_html = raw().classes("row")
                self.analysis = Analysis(self.visit, self.house.thinkers, self._question, self._show_opinion)
                self.analysis.build()
        self.client.on_connect(self._join)
        self.client.on_delete(self._leave)
        self.refresh()

    def _input(self) -> str:
        table = self.host.table
        legal = table.match.view(0).legal() or table.match.view(1).legal() or [0]
        example = table.game.action_name(legal[len(legal) // 2])
        hint = escape(self.say("type_action", example=example), quote=True)
        return (
            f'<input class="grow" placeholder="{hint}" aria-label="{hint}" autocomplete="off" maxlength="40" '
            f'autocapitalize="off" spellcheck="false"><button class="button" '
            f'aria-label="{escape(self.say("play"), quote=True)}">⏎</button>'
        )

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
        self.controls_html.set_content(self._controls(playable))
        looks = (playable, covered, self.ply, self.heat, self.extra)
        drawn = (bytes(view), view.seat, len(table.movers), turn, table.head, *looks)
        if drawn == self.drawn:
            return  # an agent began to think, or the like: what is expensive to draw is still right
        self.drawn = drawn
        self.board_html.set_visibility(not covered)
        if not covered:
            self.board_html.set_content(self._board(view, playable))
        cover = control("uncover", self.say("uncover"), "visibility")
        self.words_html.set_content(cover if covered else self._words(view) if playable else "")
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
            key = "busy" if host.stage == "busy" else "waiting"
            return f"<p>{escape(self.say(key, agent=agent, ahead=host.ahead))}</p>"
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

    def _controls(self, playable: bool) -> str:
        """The buttons below the board; `_clicked` obeys those that are there and not grey."""
        table, host, say = self.host.table, self.host, self.say
        persons = table.head.persons
        agents_play = not persons and not table.over
        takes_back = bool(table.movers) and (bool(persons) or host.paused or table.over)
        buttons = [
            control("undo", say("undo"), "undo", "u", enabled=takes_back),
            control("hint", say("hint"), "lightbulb", "h", enabled=playable),
            control("change", say("change"), "swap_horiz", "c", enabled=not table.over and not self._hidden_hands()),
            self._pause_button() if agents_play else "",
            control("again", say("again"), "refresh", "r") if host.trouble else "",
            control("resign", say("resign"), "flag", enabled=not table.over and bool(persons)),
            control("new", say("new"), "add", "n"),
            control("share", say("share"), "share"),
        ]
        return "".join(buttons)

    def _pause_button(self) -> str:
        name, icon = ("resume", "play_arrow") if self.host.paused else ("pause", "pause")
        return control("pause", self.say(name), icon, "p")

    def _hidden_hands(self) -> bool:
        return self.host.table.secrets and bool(self.host.table.head.persons)

    def _refresh_thoughts(self) -> None:
        table = self.host.table
        known = [(at, thought) for at in range(len(table.movers)) if (thought := table.thought(at))]
        if self.ply is not None:
            known = [(at, thought) for at, thought in known if at == self.ply]
        hidden = self._hidden_hands() and not table.over
        text = f"<p>{escape(self.say('hidden_thought' if hidden else 'no_thought'))}</p>"
        if known:
            at, thought = known[-1]
            text = thought_html(self.visit, table.game, table.movers[at], table.match.actions[at], thought)
        values: list[float | None] = []
        for at, mover in enumerate(table.movers):
            said = table.thought(at)
            value = None if said is None or said.value is None else said.value
            values.append(value if value is None or mover == 0 else -value)
        plot = value_plot(values, self.ply, title=self.say("plot")) if any(v is not None for v in values) else ""
        below = f"{plot}<small>{escape(self.say('plot'))}</small>" if plot else ""
        self.thought_html.set_content(
            f'<h2 class="subtitle">{escape(self.say("thoughts"))}</h2><div class="thought">{text}</div>'
            f'<div class="plot-box">{below}</div><label class="switch"><input type="checkbox" data-do="heat"'
            f"{' checked' if self.heat else ''}>{escape(self.say('show_heat'))}</label>"
        )

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
        past = not (table.secrets and len(table.head.persons) == 2 and not table.over)
        self.slider.props.update({"max": max(1, count), "value": at, "disabled": not (past and count > 0)})
        ways = control("present", self.say("to_end"), "last_page") if self.ply is not None else ""
        if table.secrets and len(shown) == 2:
            ways += "".join(
                control(f"seat{seat}", self.say("seat", seat=seat), pressed=seat == self.seat) for seat in shown
            )
        self.ways_html.set_content(ways)

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

    def _join(self) -> None:
        """The tab is open: only now agents think for it, and never for a page that no browser shows."""
        with contextlib.suppress(InvalidTable):  # cleared away meanwhile: what is shown can still be looked at
            self.host = self.house.host(self.visit.visitor, self.key)
        self.host.join(self._changed)
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
        """A click on anything that says what it is for; see ``ludoteca.told`` in page.js."""
        match event.args:
            case ["play", int(action)] if not isinstance(action, bool):
                self._play(action)
            case ["ply", int(ply)] if not isinstance(ply, bool):
                self._go_to(ply)
            case ["do", str(deed)] if deed in self._deeds:
                self._deeds[deed]()
            case _:
                self._warn(self.say("bad_message"))

    def _typed(self, event: GenericEventArguments) -> None:
        legal = self._legal()
        if legal is None:
            return
        try:
            game = self.host.table.game
            names = map(game.action_name, range(game.num_actions))
            action = understand(game, meant(str(event.args), self.visit.language, names), legal)
        except LudotecaError as error:
            self._warn(error)
            return
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
        if not self.host.table.head.persons:
            self.host.pause(not self.host.paused)

    def _do_again(self) -> None:
        if self.host.trouble:
            self.host.try_again()

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

    def _do_heat(self) -> None:
        self.heat, self.extra = not self.heat, None
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

    def _look_from(self, seat: Seat) -> None:
        if seat in self.host.table.seats_shown():
            self.seat = seat
            self.refresh()
