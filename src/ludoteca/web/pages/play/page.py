"""A table as a page: the board to play on, what the agents think, and the way back through the match."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca.errors import LudotecaError
from ludoteca.games.typed_actions import parse_typed_action
from ludoteca.messages import joined
from ludoteca.protocols import Action, Decision
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.analysis import Analysis
from ludoteca.web.pages.frame import Visit, control, game_title, page, raw
from ludoteca.web.pages.play import parts
from ludoteca.web.pages.play.hints import Hints
from ludoteca.web.pages.play.invitation_card import company
from ludoteca.web.tables.match_request import MatchRequest
from ludoteca.web.tables.registry import owner_of
from ludoteca.web.tables.session import TableSession
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.thinking.engine_curve import EngineCurve
from ludoteca.web.thinking.reviews import review_curve

__all__ = ["register"]

LISTED = 12  # legal actions named when somebody chose an illegal one


def register(app_state: AppState) -> None:
    """The page at ``/table/<key>``."""

    @page("/table/{key}")
    def show(visit: Visit, request: Request) -> None:
        _TablePage(app_state, visit, request.path_params["key"]).build()


class _TablePage:
    """One tab that shows a table."""

    def __init__(self, app_state: AppState, visit: Visit, key: str) -> None:
        self.app_state, self.visit, self.key = app_state, visit, key
        self.session: TableSession = app_state.session(visit.visitor, key)
        self.who = owner_of(visit.visitor)
        self.tab = TabState(self.session.table, self.who)
        self.say = visit.say
        self.heat = False
        self.opinion: Decision | None = None
        """What an agent of the analysis said, to be drawn."""
        self.advice = Hints(visit, app_state.agent_queue, self.tab, self._show_advice)
        self.judging = EngineCurve(app_state.agent_queue, lambda: app_state.quiet, self._show_advice)
        self.resigning = False
        self._thinking_seen = (0.0, 0.0)
        """When the agent on turn began to think, and for how long it had when this tab first saw that."""
        self._deeds: dict[str, Callable[[], Awaitable[None] | None]] = {
            "undo": self._do_undo,
            "hint": lambda: self.advice.ask_for_hint(),
            "change": self._do_change,
            "pause": self._do_pause,
            "again": self._do_again,
            "hurry": lambda: self.session.hurry(),
            "resign": lambda: self._ask_whether_to_resign(True),
            "give_up": self._do_resign,
            "stay": lambda: self._ask_whether_to_resign(False),
            "new": lambda: self._open_another(exchanged=False),
            "rematch": lambda: self._open_another(exchanged=True),
            "share": self._do_share,
            "heat": self._do_heat,
            "uncover": self._do_uncover,
            "present": lambda: self._go_to(len(self.session.table.match.actions)),
            "seat0": lambda: self._look_from(0),
            "seat1": lambda: self._look_from(1),
        }
        self.drawn: tuple[object, ...] = ()
        """What the board and the lists were drawn from last."""

    # What is on the page

    def build(self) -> None:
        """Makes all the elements, then fills them in."""
        table, say = self.session.table, self.say
        self.client = ui.context.client
        self.origin = str(self.client.request.base_url).rstrip("/")
        ui.page_title(f"{game_title(table.game.name, self.visit.language)} · Ludoteca")
        # Elements are what a page costs, and two hundred may come at once: so one for each part that changes by itself,
        # the buttons in them as text, and one listener for all clicks.
        kind = "play apart" if table.apart else "play"
        with ui.element("div").classes(kind).on("click", self._clicked, js_handler="(e) => ludoteca.command(e, emit)"):
            with ui.element("div").classes("board-side"):
                if table.apart:
                    self.company_html = raw().classes("card company")
                self.seats_html = raw().classes("players")
                self.goal_html = raw().classes("goal")
                self.status = raw().classes("status").props('role=status aria-live="polite"')
                self.board_html = raw().classes(f"board {table.game.name}")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'play')")
                self.words_html = raw().classes("words")
                # The form sends its text itself: what was typed last might otherwise arrive after it.
                self.typed_html = raw(parts.typing(self.visit, table), tag="form").classes("typed")
                self.typed_html.on("submit.prevent", self._typed, js_handler="(e) => ludoteca.typed(e, emit)")
                self.controls_html = raw().classes("row controls")
            with ui.element("aside").classes("side"):
                self.thought_html = raw(tag="section").classes("card")
                with ui.element("section").classes("card"):
                    raw(escape(say("Actions")), tag="h2").classes("subtitle")
                    self.slider = ui.element("input").props('type=range min=0 max=1 value=0 aria-label="ply"')
                    self.slider.classes("slider").on(
                        "input", self._slid, throttle=0.05, js_handler="(e) => emit(Number(e.target.value))"
                    )
                    self.moves_html = raw().classes("moves")
                    self.ways_html = raw().classes("row")
                self.analysis = Analysis(self.visit, self.app_state.agent_queue, self.tab.question, self._show_opinion)
                self.analysis.build()
        self.client.on_connect(self._join)
        self.client.on_delete(self._leave)
        self.refresh()

    # What it shows

    def refresh(self) -> None:
        """Fills everything in from the table as it stands."""
        table, visit, tab = self.session.table, self.visit, self.tab
        view, playable = tab.view(), not tab.obstacle
        self.status.set_content(parts.status(visit, self.session, tab, self.advice.text, self._gone()))
        self.controls_html.set_content(parts.controls(visit, self.session, tab, self.resigning))
        if table.apart:
            content = company(visit, self.session, self.who, self.origin)
            self.company_html.set_content(content)
            self.company_html.set_visibility(bool(content))
        seen = None if view is None else (bytes(view), view.seat)
        live = None if tab.hides or tab.ply is not None else self.session.thought
        engine = self._engine_curve()
        looks = (tab.ply, self.heat, self._extra, live, self.advice.looked, engine)
        drawn = (seen, playable, len(table.match.actions), table.turn, table.match.seats, table.invitation, *looks)
        if drawn == self.drawn:
            return  # an agent began to think, or the like: what is expensive to draw is still right
        self.drawn = drawn
        self.board_html.set_visibility(view is not None)
        self.typed_html.set_visibility(not table.over)
        if view is None:  # nothing of the hand that was shown last stays in the page
            self.board_html.set_content("")
            self.words_html.set_content(control("uncover", self.say("Uncover"), "visibility"))
        else:
            shown = self._extra or (self._thought_here(live) if self.heat else None)
            self.board_html.set_content(parts.picture(visit, view, playable=playable, thought=shown))
            self.words_html.set_content(parts.words(visit, view) if playable else "")
        self.seats_html.set_content(parts.players(visit, tab))
        self.goal_html.set_content(parts.goals(visit, tab))
        self.thought_html.set_content(
            parts.thoughts(visit, tab, self.heat, live, warm=self._of_heat(live), engine=engine)
        )
        self.moves_html.set_content(parts.moves(visit, tab))
        count = len(table.match.actions)
        at = count if tab.ply is None else tab.ply
        self.slider.props.update({"max": max(1, count), "value": at, "disabled": not (tab.past and count > 0)})
        self.ways_html.set_content(parts.ways(visit, tab))

    def _gone(self) -> float:
        """For how long the agent on turn had been thinking when this tab first saw it; so its bar is drawn once."""
        if self._thinking_seen[0] != self.session.began:
            self._thinking_seen = (self.session.began, time.monotonic() - self.session.began)
        return self._thinking_seen[1]

    def _thought_here(self, live: Decision | None) -> Decision | None:
        """What there is to draw of a thought about the position shown, and about no other."""
        thought = live if self.tab.ply is None else self.tab.thought(self.tab.ply)
        return thought or (self.advice.looked[1] if self.advice.looked else None)

    @property
    def _extra(self) -> Decision | None:
        """What was asked for: a hint, or an opinion of the analysis."""
        return self.opinion or self.advice.hint

    def _of_heat(self, live: Decision | None) -> str:
        """Whose heat map is shown; why there is none."""
        if not self.heat or self._extra is not None:
            return ""
        if self.advice.looked is not None:
            agent = self.visit.agent(self.advice.looked[0])
            return self.say("The hotter, the better {agent} thinks of playing there now.", agent=agent)
        if self._thought_here(live) is not None:
            return self.say("The hotter, the better the agent thought of playing there.")
        if self.tab.hides:
            return self.say("While hands are hidden the heat map comes with a hint.")
        return self.say("An agent looks at this position …") if self.advice.looking else ""

    def _engine_curve(self) -> Curve | None:
        """What a review has found out, where there is one and the match is over; else what the engine thinks so far."""
        match = self.session.table.match
        review = self.app_state.reviews.known(match) if self.session.table.over else None
        if review is not None:
            return review_curve(review, review.actions)
        return self.judging.curve(match) if self._judged else None

    @property
    def _judged(self) -> bool:
        """Whether the engine looks on: where opinions are shown, but not in a contest or while hands are hidden."""
        tab = self.tab
        thoughts = map(tab.thought, range(len(tab.table.match.actions)))
        shown = any(thought is not None and thought.value is not None for thought in thoughts)
        return shown and tab.advised and not tab.hides

    # What happens

    def _changed(self) -> None:
        """The table changed, here or in another tab of the same visitor."""
        self.tab.changed()
        with self.client:
            self._look_anew()

    def _look_anew(self) -> None:
        """Something else is looked at: what was said of the position before goes."""
        self.advice.stop()
        self.opinion, self.resigning = None, False
        self.analysis.moved()
        if self.heat:
            self.advice.look()
        if self._judged and self.session.table.agent_on_turn is None:
            self.judging.follow(self.session.table.match)
        else:
            self.judging.stop()
        self.refresh()

    def _show_advice(self) -> None:
        with self.client:
            self.refresh()

    def _join(self) -> None:
        """The tab is open: only now agents think for it, and never for a page that no browser shows."""
        try:
            self.session = self.app_state.session(self.visit.visitor, self.key)
        except InvalidTable:  # cleared away meanwhile: what is shown can still be looked at
            self.session.clear()
        self.tab.table = self.session.table
        self.tab.cover()  # while the connection was lost others may have sat here
        self.session.join(self._changed)
        self._changed()

    def _leave(self) -> None:
        self.analysis.stop()
        self.advice.stop()
        self.judging.stop()
        self.session.leave(self._changed)

    def _warn(self, problem: LudotecaError | str) -> None:
        text = problem if isinstance(problem, str) else self.visit.explain(problem)
        ui.notify(text, type="warning", multi_line=True)

    def _clicked(self, event: GenericEventArguments) -> Awaitable[None] | None:
        """A click on anything that says what it is for; see ``ludoteca.command`` in page.js."""
        match event.args:
            case ["play", int(action)] if not isinstance(action, bool):
                self._play(action)
            case ["ply", int(ply)] if not isinstance(ply, bool):
                self._go_to(ply)
            case ["do", str(deed)] if deed in self._deeds:
                return self._deeds[deed]()
            case _:
                self._warn(self.say("That message made no sense here."))
        return None

    def _typed(self, event: GenericEventArguments) -> None:
        if self._held_up():
            return
        try:
            action = parse_typed_action(self.session.table.game, str(event.args), self.tab.legal(), self.visit.language)
        except LudotecaError as error:
            self._warn(error)
            return
        self._play(action)

    def _held_up(self) -> bool:
        """Whether nobody can play here and now, having said why."""
        obstacle = self.tab.obstacle
        if obstacle:
            self._warn(self.visit.translated(obstacle))
        return bool(obstacle)

    def _play(self, action: Action) -> None:
        if self._held_up():
            return
        game, legal = self.session.table.game, self.tab.legal()
        if action not in legal:
            name = game.action_name(action) if 0 <= action < game.num_actions else str(action)
            few = joined(game.action_name(each) for each in legal[:LISTED])
            names = joined([few, "…"], " ") if len(legal) > LISTED else few
            self._warn(f"{self.say('{name} is not legal now.', name=name)} {self.say('Legal: {names}', names=names)}")
            return
        self._try(lambda: self.session.play(action))

    def _try(self, change: Callable[[], None]) -> None:
        """Changes the table, or says why it cannot be changed."""
        try:
            change()
        except LudotecaError as error:
            self._warn(error)

    def _do_uncover(self) -> None:
        self.tab.uncover()
        self._look_anew()

    def _do_undo(self) -> None:
        self.tab.ply = None
        self._try(self.session.undo)

    def _do_change(self) -> None:
        self._try(self.session.change_seats)

    def _ask_whether_to_resign(self, asked: bool) -> None:
        self.resigning = asked and not self.session.table.over and bool(self.tab.here)
        self.refresh()

    def _do_resign(self) -> None:
        turn, here = self.session.table.turn, self.tab.here
        if self.resigning and here:
            self._try(lambda: self.session.resign(turn if turn in here else here[0]))

    def _do_pause(self) -> None:
        if not self.session.table.persons:
            self.session.pause(not self.session.paused)

    def _do_again(self) -> None:
        if self.session.trouble:
            self.session.try_again()

    async def _open_another(self, *, exchanged: bool) -> None:
        """A new match between the same two, from the same beginning where it was set up by hand."""
        table, match = self.session.table, self.session.table.match
        names = table.names[::-1] if exchanged else table.names
        opening = match.actions[: match.opening]
        asked = MatchRequest(table.game.spec, names, None, str(match.limit), match.start, opening)
        try:
            if table.apart:
                key = await self.app_state.again(self.visit.visitor, self.key)
            else:
                key = await self.app_state.open(self.visit.visitor, asked)
        except LudotecaError as error:
            self._warn(error)
            return
        ui.navigate.to(f"/table/{key}")

    def _do_share(self) -> None:
        self._warn(self.say("A match with hidden hands can be shared once it is over."))

    def _do_heat(self) -> None:
        self.heat, self.opinion, self.advice.hint = not self.heat, None, None
        if self.heat:
            self.advice.look()
        self.refresh()

    def _show_opinion(self, thought: Decision | None) -> None:
        self.opinion = thought
        self.refresh()

    def _slid(self, event: GenericEventArguments) -> None:
        self._go_to(event.args)

    def _go_to(self, ply: object) -> None:
        if isinstance(ply, int) and not isinstance(ply, bool) and self.tab.go_to(ply):
            self._look_anew()

    def _look_from(self, seat: int) -> None:
        self.tab.look_from(seat)
        self.refresh()
