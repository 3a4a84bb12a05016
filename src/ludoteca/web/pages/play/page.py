"""The page of a table: the board, what the agents think, and the list of moves."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import games
from ludoteca.errors import LudotecaError
from ludoteca.games.details import seat_variables
from ludoteca.games.typed_actions import parse_typed_action
from ludoteca.messages import joined, say
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Decision, Drawable, Seat
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import picture_shape
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.analysis import Analysis
from ludoteca.web.pages.frame import Visit, game_title, page, raw, sound_button
from ludoteca.web.pages.link_previews import add_preview
from ludoteca.web.pages.play import parts
from ludoteca.web.pages.play.hints import Hints
from ludoteca.web.pages.play.invitation_card import invitation_card
from ludoteca.web.pages.strength import result_of
from ludoteca.web.tables.match_request import MatchRequest
from ludoteca.web.tables.registry import owner_of
from ludoteca.web.tables.session import REACTIONS, TableSession
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.thinking.engine_curve import EngineCurve
from ludoteca.web.thinking.reviews import review_curve
from ludoteca.web.thinking.single_decision import Decide, decide_once

PLANNED = say("played as soon as it is your turn. Click again to take it back.")
"""A move chosen while the other side thinks; its name and a colon come first. See ``ludoteca.plan`` in page.js."""
IMPOSSIBLE = say("The move that you chose is not possible any more.")
LISTED = 12  # legal actions named when somebody chose an illegal one


def register(app_state: AppState) -> None:
    """The page at ``/table/<key>``."""

    @page("/table/{key}")
    def show(visit: Visit, request: Request) -> None:
        try:
            shown = _TablePage(app_state, visit, request.path_params["key"])
        except LudotecaError:  # programs that preview links have no seat: they learn no more than strangers do
            about = visit.say(
                "Only its players can open this link. An invitation or a shared match has a link of its own."
            )
            add_preview(request, visit.say("A match at Ludoteca"), about)
            raise
        game = shown.session.table.game
        title, about = game_title(game, visit.language), visit.translate(games.summary(game.name))
        add_preview(request, title, about, shown.session.table.match)
        shown.build()


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
        """A decision of the analysis that is drawn on the board."""
        self._decide: Decide = partial(decide_once, app_state.agent_queue)
        self.hints = Hints(visit, self._decide, self.tab, self._show_hints)
        self.engine_curve = EngineCurve(
            self._decide,
            lambda: app_state.has_spare_time,
            lambda: app_state.agent_queue.waiting() > 0,
            self._show_hints,
        )
        self.asked = ""
        """What the controls ask instead of their buttons: ``resign``, ``react`` or nothing."""
        self._thinking_seen = (0.0, 0.0)
        """When the agent on turn began to think, and for how long it had been thinking when this tab first saw it."""
        self._commands: dict[str, Callable[[], Awaitable[None] | None]] = {
            "undo": self._do_undo,
            "hint": self._do_hint,
            "swap": self._do_swap,
            "pause": self._do_pause,
            "retry": self._do_retry,
            "play_now": lambda: self.session.play_now(),
            "resign": lambda: self._ask("resign"),
            "confirm_resign": self._do_resign,
            "react": lambda: self._ask("react"),
            "cancel": lambda: self._ask(""),
            "offer_draw": self._do_offer_draw,
            "accept_draw": lambda: self._do_answer_draw(accept=True),
            "decline_draw": lambda: self._do_answer_draw(accept=False),
            **{f"react{which}": partial(self._do_react, which) for which in range(len(REACTIONS))},
            "new": lambda: self._open_another(swapped=False),
            "rematch": lambda: self._open_another(swapped=True),
            "share": self._do_share,
            "heat": self._do_heat,
            "uncover": self._do_uncover,
            "latest": lambda: self._go_to(len(self.session.table.match.actions)),
            "seat0": lambda: self._look_from(0),
            "seat1": lambda: self._look_from(1),
        }
        self.drawn: tuple[object, ...] = ()
        """The values from which the board and the lists were last drawn."""

    # What is on the page

    def build(self) -> None:
        """Makes all the elements, then fills them in."""
        table, say = self.session.table, self.say
        self.client = ui.context.client
        self.origin = str(self.client.request.base_url).rstrip("/")
        # Elements make a page expensive, and two hundred visitors may come at once: so there is one for each part that
        # changes on its own, with its buttons as HTML, and one listener for all clicks.
        # Nothing may move the board: every part above it and below it has a height of its own, in the style sheet, and
        # what needs more room than that lies over something else.
        look = "play match-page apart" if table.two_screens else "play match-page"
        variables = (
            f"{seat_variables(table.game)};--shape:{picture_shape(table.match.view(0), narrow=self.visit.narrow)}"
        )
        whole = ui.element("div").classes(look).style(variables)
        texts = {"data-planned": PLANNED, "data-impossible": IMPOSSIBLE}
        whole.props.update({name: self.visit.translate(text) for name, text in texts.items()})
        with whole.on("click", self._clicked, js_handler="(e) => ludoteca.command(e, emit)"):
            with ui.element("div").classes("board-side"):
                with ui.element("div").classes("heading"):
                    self.seats_html = raw().classes("players")
                    raw(sound_button(self.visit)).classes("sound")
                    raw(parts.rules(self.visit, table.game)).classes("pop-up")
                    if table.two_screens:
                        self.invitation_html = raw().classes("pop-up invitation")
                        self.reaction_html = (
                            raw().classes("unseen reaction-said").props('role=status aria-live="polite"')
                        )
                # The form sends its text with the event: a bound value could arrive after it.
                self.typed_html = raw(parts.typing_form(self.visit, table), tag="form").classes("typed")
                self.typed_html.on("submit.prevent", self._typed, js_handler="(e) => ludoteca.typed(e, emit)")
                few = parts.needs_few_words(table.game)
                with ui.element("div").classes("prompt"), ui.element("div").classes("said"):
                    self.status = raw().classes("status").props('role=status aria-live="polite"')
                    if few:
                        self.buttons_html = raw().classes("words few")
                self.board_html = raw().classes(f"board {table.game.name}")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'play')")
                with ui.element("div").classes("dock"):
                    if not few:
                        self.buttons_html = raw().classes("words")
                    self.controls_html = raw().classes("row controls")
            with ui.element("aside").classes("side"):
                with ui.element("section").classes("card"):
                    raw(escape(say("Moves")), tag="h2").classes("subtitle")
                    self.slider = ui.element("input").props('type=range min=0 max=1 value=0 aria-label="ply"')
                    self.slider.classes("slider").on(
                        "input", self._slid, throttle=0.05, js_handler="(e) => emit(Number(e.target.value))"
                    )
                    self.moves_html = raw().classes("moves")
                    self.navigation_html = raw().classes("row")
                self.analysis = Analysis(self.visit, self._decide, self._position_to_ask, self._show_opinion)
                self.analysis.build()
                self.thought_html = raw(tag="section").classes("card")  # the last, since its height changes
        self.client.on_connect(self._connect)
        self.client.on_delete(self._disconnect)
        self.refresh()

    # What it shows

    def refresh(self) -> None:
        """Shows the table as it is now."""
        table, visit, tab = self.session.table, self.visit, self.tab
        view, playable = tab.view(), not tab.obstacle
        if (title := parts.tab_title(visit, tab)) != self.client.title:
            ui.page_title(title)
        rated = result_of(table, self.key) if tab.own_seats else None
        self.status.set_content(
            parts.status(visit, self.session, tab, self.hints.text, self._thinking_elapsed(), rated)
        )
        engine = self._engine_curve()
        self.controls_html.set_content(parts.controls(visit, self.session, tab, self.asked, engine))
        if table.two_screens:
            self.invitation_html.set_content(invitation_card(visit, self.session, self.who, self.origin))
            self.reaction_html.set_content(parts.reaction_line(visit, self.session, tab))
        seen = None if view is None else (bytes(view), view.seat)
        live = None if tab.hides_hands or tab.ply is not None else self.session.thought
        looks = (tab.ply, self.heat, self._extra, live, self.hints.heat, self.hints.heat_failure, engine)
        drawn = (
            seen, playable, len(table.match.actions), table.turn, table.match.seats, table.invitation,
            self.session.shown_reaction, *looks,
        )  # fmt: skip
        if drawn == self.drawn:
            return  # only the status changed: the expensive parts are still right
        self.drawn = drawn
        self.typed_html.set_visibility(not table.over)
        if view is None:  # nothing of the hand shown before stays in the page
            self.board_html.set_content(parts.cover(visit, table))
            self.buttons_html.set_content("")
        else:
            shown = self._extra or (self._thought_here(live) if self.heat else None)
            # The decision that is shown in words: the last one, or the one about an earlier position.
            before = tab.thought(len(table.match.actions) - 1 if tab.ply is None else tab.ply)
            self.board_html.set_content(
                parts.picture(visit, view, playable=playable, waiting=tab.may_plan, thought=shown, before=before)
            )
            self.buttons_html.set_content(parts.action_buttons(visit, view) if playable else "")
        self.seats_html.set_content(parts.players(visit, tab, self.session.shown_reaction))
        self.thought_html.set_content(
            parts.thought_card(visit, tab, self.heat, live, heat_caption=self._heat_caption(live), engine=engine)
        )
        self.moves_html.set_content(parts.moves(visit, tab))
        count = len(table.match.actions)
        at = count if tab.ply is None else tab.ply
        self.slider.props.update({"max": max(1, count), "value": at, "disabled": not (tab.may_look_back and count > 0)})
        self.navigation_html.set_content(parts.navigation(visit, tab))

    def _thinking_elapsed(self) -> float:
        """For how long the agent had been thinking when this tab first saw it; constant, so the bar is drawn once."""
        if self._thinking_seen[0] != self.session.thinking_since:
            self._thinking_seen = (self.session.thinking_since, time.monotonic() - self.session.thinking_since)
        return self._thinking_seen[1]

    def _thought_here(self, live: Decision | None) -> Decision | None:
        """A decision about the position shown with scores to draw, if there is one."""
        thought = live if self.tab.ply is None else self.tab.thought(self.tab.ply)
        return thought if thought and thought.scores else self.hints.heat[1] if self.hints.heat else None

    @property
    def _extra(self) -> Decision | None:
        """A decision that the visitor asked for: a hint, or one of the analysis."""
        return self.opinion or self.hints.hint

    def _heat_caption(self, live: Decision | None) -> str:
        """Whose heat map is shown, or why there is none."""
        if not self.heat:
            return ""
        if not isinstance(self.session.table.game, Drawable):
            return self.say("This board is made of letters, so no heat map can be drawn on it.")
        if self._extra is not None:
            return ""
        if self.hints.heat is not None:
            agent = self.visit.agent(self.hints.heat[0])
            return self.say("The warmer the spot, the better {agent} likes it.", agent=agent)
        if self._thought_here(live) is not None:
            return self.say("The warmer the spot, the better the agent liked it.")
        if self.tab.hides_hands:
            return self.say("While hands are hidden, ask for a hint to see the heat map.")
        if self.hints.heat_pending:
            return self.say("The engine is looking at this position …")
        if self.hints.heat_failure:
            return self.hints.heat_failure
        if not self.tab.may_ask_agents:
            return self.say("Between two screens there is no heat map.")
        if self.tab.ply is None and self.session.table.over:
            return self.say("The match is over. Choose an earlier move to see its heat map.")
        return self.say("The agent on turn has shown no heat map so far; earlier positions have one.")

    def _engine_curve(self) -> Curve | None:
        """The curve of a finished review after the match; else the engine's curve so far."""
        match = self.session.table.match
        review = self.app_state.reviews.finished(match) if self.session.table.over else None
        if review is not None:
            return review_curve(review, review.searches.actions)
        return self.engine_curve.curve(match) if self._shows_engine_curve else None

    @property
    def _shows_engine_curve(self) -> bool:
        """Whether to draw the engine's curve: only beside an agent's, where agents may help and no hand is hidden."""
        tab = self.tab
        thoughts = map(tab.thought, range(len(tab.table.match.actions)))
        shown = any(thought is not None and thought.value is not None for thought in thoughts)
        return shown and tab.may_ask_agents and not tab.hides_hands

    # What happens

    def _changed(self) -> None:
        """The table changed, here or in another tab."""
        self.tab.table_changed()
        with self.client:
            self._position_changed()

    def _position_changed(self) -> None:
        """Another position is shown: drops what was about the one before."""
        self.hints.stop()
        self.opinion, self.asked = None, ""
        self.analysis.moved()
        if self.heat:
            self.hints.ask_for_heat()
        if self._shows_engine_curve and self.session.table.agent_on_turn is None:
            self.engine_curve.follow(self.session.table.match)
        else:
            self.engine_curve.stop()
        self.refresh()

    def _show_hints(self) -> None:
        with self.client:
            self.refresh()

    def _connect(self) -> None:
        """The browser has connected: from now on agents think for this tab."""
        try:
            self.session = self.app_state.session(self.visit.visitor, self.key)
        except InvalidTable:  # deleted meanwhile: the page keeps showing what it shows
            self.session.mark_deleted()
        self.tab.table = self.session.table
        self.tab.cover()  # somebody else may have sat down while the connection was lost
        self.session.subscribe(self._changed)
        self._changed()

    def _disconnect(self) -> None:
        self.analysis.stop()
        self.hints.stop()
        self.engine_curve.stop()
        self.session.unsubscribe(self._changed)

    def _warn(self, problem: LudotecaError | str) -> None:
        text = problem if isinstance(problem, str) else self.visit.explain(problem)
        ui.notify(text, type="warning", multi_line=True, position="top")  # below are the buttons

    def _clicked(self, event: GenericEventArguments) -> Awaitable[None] | None:
        """Handles a click on an action, a ply or a button; see ``ludoteca.command`` in page.js."""
        match event.args:
            case ["play", int(action)] if not isinstance(action, bool):
                self._play(action)
            case ["ply", int(ply)] if not isinstance(ply, bool):
                self._go_to(ply)
            case ["do", str(command)] if command in self._commands:
                return self._commands[command]()
            case _:
                self._warn(self.say("That is not possible here."))
        return None

    def _typed(self, event: GenericEventArguments) -> None:
        if self._is_blocked():
            return
        try:
            action = parse_typed_action(self.session.table.game, str(event.args), self.tab.legal(), self.visit.language)
        except LudotecaError as error:
            self._warn(error)
            return
        self._play(action)

    def _is_blocked(self) -> bool:
        """Whether no person can play here now; shows the reason."""
        obstacle = self.tab.obstacle
        if obstacle:
            self._warn(self.visit.translated(obstacle))
        return bool(obstacle)

    def _play(self, action: Action) -> None:
        if self._is_blocked():
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
        """Changes the table, or shows why it cannot be changed."""
        try:
            change()
        except LudotecaError as error:
            self._warn(error)

    def _do_uncover(self) -> None:
        self.tab.uncover()
        self._position_changed()

    def _do_undo(self) -> None:
        self.tab.ply = None
        self._try(self.session.undo)

    def _do_swap(self) -> None:
        self._try(self.session.swap_sides)

    def _ask(self, asked: str) -> None:
        """Shows a question in place of the controls; an empty one shows the controls again."""
        possible = self.session.table.two_screens if asked == "react" else not self.session.table.over
        self.asked = asked if possible and self.tab.own_seats else ""
        self.refresh()

    @property
    def _own_seat(self) -> Seat:
        """The seat for which this tab speaks: the one on turn, if a person here has it. There must be one."""
        turn, here = self.session.table.turn, self.tab.own_seats
        return turn if turn is not None and turn in here else here[0]

    def _do_resign(self) -> None:
        if self.asked == "resign" and self.tab.own_seats:
            self._try(lambda: self.session.resign(self._own_seat))

    def _do_offer_draw(self) -> None:
        if self.tab.own_seats:
            self._try(lambda: self.session.offer_draw(self._own_seat))

    def _do_answer_draw(self, *, accept: bool) -> None:
        offer = self.session.table.draw_offer
        if offer is not None and 1 - offer in self.tab.own_seats:
            self._try(lambda: self.session.answer_draw(1 - offer, accept=accept))

    def _do_react(self, which: int) -> None:
        self.asked = ""
        if not self.session.table.two_screens or not self.tab.own_seats:
            return
        if not self.session.react(self._own_seat, which):
            self._warn(self.say("Not so many at once, please."))
            self.refresh()

    def _do_pause(self) -> None:
        if not self.session.table.person_seats:
            self.session.pause(not self.session.paused)

    def _do_retry(self) -> None:
        if self.session.failure:
            self.session.try_again()

    async def _open_another(self, *, swapped: bool) -> None:
        """Opens a match between the same players, from the same start if it was set up by hand."""
        table, match = self.session.table, self.session.table.match
        names = table.names[::-1] if swapped else table.names
        opening = match.actions[: match.opening]
        people = [who.nickname for who in match.seats]
        wanted = MatchRequest(
            table.game.spec, names, None, str(match.limit), match.start, opening, str(match.person_limit),
            people[::-1] if swapped else people,
        )  # fmt: skip
        try:
            if table.two_screens:
                key = await self.app_state.rematch(self.visit.visitor, self.key)
            else:
                key = await self.app_state.open(self.visit.visitor, wanted, self.visit.address)
        except LudotecaError as error:
            self._warn(error)
            return
        ui.navigate.to(f"/table/{key}")

    def _do_share(self) -> None:
        self._warn(self.say("You can share a match with hidden hands once it is over."))

    def _position_to_ask(self) -> Match | None:
        """The position about which the visitor asks agents; a match with such help is not rated."""
        found = self.tab.position_to_ask()
        if found is not None and not self.session.table.over:
            self.session.table.note_help()
        return found

    def _do_hint(self) -> None:
        self._position_to_ask()
        self.hints.ask_for_hint()

    def _do_heat(self) -> None:
        self._position_to_ask()
        self.heat, self.opinion, self.hints.hint = not self.heat, None, None
        if self.heat:
            self.hints.ask_for_heat()
        self.refresh()

    def _show_opinion(self, thought: Decision | None) -> None:
        self.opinion = thought
        self.refresh()

    def _slid(self, event: GenericEventArguments) -> None:
        self._go_to(event.args)

    def _go_to(self, ply: object) -> None:
        if isinstance(ply, int) and not isinstance(ply, bool) and self.tab.go_to(ply):
            self._position_changed()

    def _look_from(self, seat: int) -> None:
        self.tab.look_from(seat)
        self.refresh()
