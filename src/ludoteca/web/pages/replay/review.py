"""The review of a match by an engine: who was ahead, mistakes, better moves, and another try.

Each action is judged by what its seat could see then: see `ludoteca.reports.review`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca.games.details import seat_variables
from ludoteca.play.match import Match
from ludoteca.protocols import Action, Seat
from ludoteca.reports.review import ReviewedAction
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import board
from ludoteca.web.errors import InvalidTable
from ludoteca.web.pages.frame import Visit, control, game_title, page, raw
from ludoteca.web.pages.match_links import asked_ply, play_form
from ludoteca.web.pages.replay.review_parts import conclusion, curve, moves, progress, summary, verdict
from ludoteca.web.serving.allowed_specs import LONGEST_SPEC
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.uploads import read_actions, read_address

MOST_ACTIONS = 1000


def register(app_state: AppState) -> None:
    """The page at ``/review?game=…&seed=…&start=…&actions=…&seats=…&swaps=…&ply=…``."""

    @page("/review")
    def show(visit: Visit, request: Request) -> None:
        query = request.query_params
        match = read_address(
            query.get("game", ""), query.get("seed", "0"), query.get("actions", ""), query.get("start", "")
        )
        if len(match.actions) > MOST_ACTIONS:
            raise InvalidTable("a match of more than {most} moves cannot be reviewed", most=MOST_ACTIONS)
        opening = query.get("opening", "0")
        match.opening = min(int(opening), len(match.actions)) if opening.isdigit() and len(opening) < 6 else 0
        match.side_swaps = [ply for ply in read_actions(query.get("swaps", "")) if ply <= len(match.actions)]
        names = query.get("seats", "")[:LONGEST_SPEC].split("|")
        _ReviewPage(
            app_state, visit, match, names if len(names) == 2 else ["", ""], asked_ply(request, 10**5, -1)
        ).build()


class _ReviewPage:
    """One tab that shows a review."""

    def __init__(self, app_state: AppState, visit: Visit, match: Match, names: Sequence[str], ply: int) -> None:
        self.app_state, self.visit, self.match, self.names = app_state, visit, match, names
        self.review = app_state.reviews.of(match)
        self.ply = max(match.opening, min(ply, len(match.actions))) if ply >= 0 else match.opening
        """The number of the action shown; one more than the last: the end."""
        self._commands: dict[str, Callable[[], None]] = {
            "before": lambda: self._go_to(self.ply - 1),
            "next": lambda: self._go_to(self.ply + 1),
            "mistake": self._to_mistake,
        }

    @property
    def person_seats(self) -> list[Seat]:
        """The seats of persons at the end."""
        return [seat for seat, name in enumerate(self.names) if name == PERSON]

    def build(self) -> None:
        """Makes the elements, then fills them in."""
        say, game = self.visit.say, self.match.game
        self.client = ui.context.client
        title = say("Review of {game}", game=game_title(game, self.visit.language))
        ui.page_title(f"{title} · Ludoteca")
        raw(escape(title), tag="h1").classes("title")
        with (
            ui.element("div")
            .classes("play")
            .style(seat_variables(game))
            .on("click", self._clicked, js_handler="(e) => ludoteca.command(e, emit)")
        ):
            with ui.element("div").classes("board-side"):
                self.verdict_html = raw().classes("status verdict").props('role=status aria-live="polite"')
                self.board_html = raw().classes(f"board {game.name}")
                self.controls_html = raw().classes("row controls")
            with ui.element("aside").classes("side"):
                self.progress_html = raw(tag="section").classes("card review-progress")
                self.conclusion_html = raw(tag="section").classes("card conclusion")
                self.curve_html = raw(tag="section").classes("card")
                self.moves_html = raw(tag="section").classes("card")
        self.client.on_connect(self._join)
        self.client.on_delete(lambda: self.review.unsubscribe(self._changed))
        self.refresh()

    def _join(self) -> None:
        self.review.subscribe(self._changed)
        self.refresh()

    def _changed(self) -> None:
        with self.client:
            self.refresh()

    def refresh(self) -> None:
        """Shows the action and what is known by now."""
        visit, match, known = self.visit, self.match, self.review.searches.actions
        here = self._here(known)
        self.progress_html.set_content(progress(visit, self.review))
        self.verdict_html.set_content(verdict(visit, match, self.names, here, self.ply, self.review.agent))
        self.board_html.set_content(self._board(here))
        self.conclusion_html.set_content(conclusion(visit, match, self.names, self.review))
        self.curve_html.set_content(
            curve(visit, match, self.review, known, self.ply) + summary(visit, match, self.names, known)
        )
        self.moves_html.set_content(moves(visit, match, known, self.ply))
        self.controls_html.set_content(self._controls(known))

    def _here(self, known: Sequence[ReviewedAction]) -> ReviewedAction | None:
        place = self.ply - self.match.opening
        return known[place] if 0 <= place < len(known) else None

    def _board(self, here: ReviewedAction | None) -> str:
        """The position before the action, which is warm, with the better line numbered; at the end the last one."""
        match, language, narrow = self.match, self.visit.language, self.visit.narrow
        if self.ply >= len(match.actions):
            seat = self.person_seats[0] if self.person_seats else 0
            return board(match.view(seat), playable=False, language=language, narrow=narrow)
        seat, played = match.movers[self.ply], match.actions[self.ply]
        line: Sequence[Action] = ()
        if here is not None and here.best.action != played:
            line = here.best.line[:6] or (here.best.action,)
        view = match.before(self.ply).view(seat)
        best = None if here is None else here.best
        return board(
            view, playable=False, heat={played: 1.0}, line=line, reasons_of=best, language=language, narrow=narrow
        )

    def _controls(self, known: Sequence[ReviewedAction]) -> str:
        say, count = self.visit.say, len(self.match.actions)
        return "".join(
            [
                control("before", say("Back"), "chevron_left", "ArrowLeft", enabled=self.ply > self.match.opening),
                control("next", say("Forward"), "chevron_right", "ArrowRight", enabled=self.ply < count),
                control("mistake", say("Next mistake"), "priority_high", "m", enabled=bool(self._mistakes(known))),
                self._try_again(),
            ]
        )

    def _mistakes(self, known: Sequence[ReviewedAction]) -> list[int]:
        """The mistakes of the person, wherever they sat; of both players unless exactly one is a person."""
        seats = self.person_seats if len(self.person_seats) == 1 else [0, 1]
        return [each.ply for each in known if each.player in seats and each.is_mistake]

    def _to_mistake(self) -> None:
        plies = self._mistakes(self.review.searches.actions)
        if plies:
            self._go_to(next((ply for ply in plies if ply > self.ply), plies[0]))

    def _try_again(self) -> str:
        """Forms that open a table from the position shown, with the person in the seat on turn."""
        match = self.match
        if self.ply >= len(match.actions) or not self.app_state.has_tables:
            return ""
        here, opponent = match.before(self.ply), self.names[1 - match.final_seat(self.ply)]
        again = play_form(here, opponent, self.visit.say("Try again from here"))
        if opponent in ("", PERSON, self.review.agent):  # then the engine plays there anyway
            return again
        return again + play_form(here, self.review.agent, self.visit.say("Play on against the engine"))

    def _clicked(self, event: GenericEventArguments) -> None:
        match event.args:
            case ["ply", int(ply)] if not isinstance(ply, bool):
                self._go_to(ply)
            case ["do", str(command)] if command in self._commands:
                self._commands[command]()

    def _go_to(self, ply: int) -> None:
        self.ply = max(self.match.opening, min(ply, len(self.match.actions)))
        self.refresh()
