"""A guided first match of each game: positions with something to try, then a match against a gentle opponent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import games
from ludoteca.games.details import details_of, seat_variables
from ludoteca.games.lesson import Guide, Position
from ludoteca.play.match import Match
from ludoteca.protocols import Action
from ludoteca.web.drawing.board import board
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.frame import Visit, control, game_title, page, raw
from ludoteca.web.pages.play.parts import action_buttons
from ludoteca.web.tables.match_request import PERSON

GENTLE = "engine:level=1"
"""The opponent of the match at the end."""
PAUSE = 0.8
"""Seconds between an answer and what is played after it, so that a person can follow."""


def register_guide() -> None:
    """The page at ``/guide/<game>``; ``?step=`` goes to a step."""

    @page("/guide/{name}")
    def show(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        found = details_of(games.game(name)).guide if name in games.names() else None
        if found is None:
            raise NotFound("There is no such page: {path}", path=request.url.path[:200])
        given = request.query_params.get("step", "1")
        wanted = int(given) if given.isascii() and given.isdigit() and len(given) < 4 else 1
        _GuidePage(visit, name, found).build(min(max(wanted, 1), len(found.steps) + 1) - 1)


def guide_link(visit: Visit, name: str, *, looks: str = "") -> str:
    """The link to a game's guide; the browser adds how far the visitor has come. Empty without a guide."""
    if details_of(games.game(name)).guide is None:
        return ""
    title = game_title(name, visit.language)
    go_on = escape(visit.say("First match: step {step} of {count}", step="%1", count="%2"), quote=True)
    again = escape(visit.say("First match again"), quote=True)
    return (
        f'<a{looks} href="/guide/{name}" data-guide="{name}" data-go-on="{go_on}" data-again="{again}">'
        f'{escape(visit.say("First match, step by step"))}<span class="unseen"> {escape(title)}</span></a>'
    )


def match_of(position: Position) -> Match:
    """A match at a position that teaches a game."""
    match = Match(games.game(position.game), position.seed, start=position.start)
    for name in position.actions:
        match.play(match.game.parse_action(name))
    return match


class _GuidePage:
    """One tab that shows the guide of a game. Its state is the step, kept in the browser as well."""

    def __init__(self, visit: Visit, name: str, guide: Guide) -> None:
        self.visit, self.name, self.guide, self.say = visit, name, guide, visit.say
        self.at = 0
        self.tries = 0
        """How many other actions were tried in this step."""
        self.done = False
        self.feedback = ""

    def build(self, at: int) -> None:
        """Makes all the elements, then fills them in."""
        game = games.game(self.guide.match)
        ui.page_title(f"{self.say('First match')} · {game_title(self.name, self.visit.language)} · Ludoteca")
        whole = ui.element("div").classes("guide-page").style(seat_variables(game))
        with whole.on("click", self._clicked, js_handler="(e) => ludoteca.command(e, emit)"):
            self.task_html = raw(tag="section").classes("card task")
            self.board_html = raw().classes(f"board {self.name}")
            self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'play')")
            with ui.element("section").classes("card answer"):
                self.words_html = raw().classes("words")
                self.feedback_html = raw().classes("feedback").props('role=status aria-live="polite"')
                self.controls_html = raw().classes("row controls")
        self._go_to(at, saved=False)

    def _go_to(self, at: int, *, saved: bool = True) -> None:
        self.at, self.tries, self.done, self.feedback = at, 0, False, ""
        steps = self.guide.steps
        self.match = match_of(steps[at].position if at < len(steps) else Position(self.guide.match))
        self._show()
        if saved:
            ui.run_javascript(f"ludoteca.guide.step({self.name!r}, {at + 1}, {len(self.guide.steps)})")
        else:
            ui.context.client.on_connect(lambda: ui.run_javascript("ludoteca.guide.show()"))

    def _show(self) -> None:
        visit, say, count = self.visit, self.say, len(self.guide.steps)
        title = say("Your first match of {game}", game=game_title(self.name, visit.language))
        over = self.at == count
        where = say("Now you know the rules") if over else say("Step {step} of {count}", step=self.at + 1, count=count)
        dots = "".join(
            f'<i class="{"past" if each < self.at else "current" if each == self.at else ""}"></i>'
            for each in range(count)
        )
        text = (
            say("Play a real match now. Your opponent is gentle.")
            if over
            else visit.translate(self.guide.steps[self.at].task)
        )
        self.task_html.set_content(
            f'<h1 class="subtitle">{escape(title)}</h1><p class="soft">{escape(where)} '
            f'<span class="dots" aria-hidden="true">{dots}</span></p><p class="try">{escape(text)}</p>'
        )
        playable = not self.done and not over
        view = self.match.view(0)
        self.board_html.set_content(
            board(view, playable=playable, narrow=visit.narrow, language=visit.language, named=not over)
        )
        self.words_html.set_content(
            action_buttons(visit, view) if playable and details_of(view.game).hidden_information else ""
        )
        feedback = escape(self.feedback)
        if over:
            counted = escape(
                say("You found {found} of {count} moves at the first try.", found="%1", count="%2"), quote=True
            )
            feedback = f'<span data-found="{self.name}" data-text="{counted}"></span>'
        self.feedback_html.set_content(f'<p class="{"right" if self.done else ""}">{feedback}</p>')
        self.controls_html.set_content(self._controls(over))

    def _controls(self, over: bool) -> str:
        say = self.say
        back = control("back", say("Back"), "arrow_back", enabled=self.at > 0)
        leave = f'<a class="control" href="/learn/{self.name}">{escape(say("Leave"))}</a>'
        if over:
            fields = {"game": self.guide.match, "seats": f"{PERSON}|{GENTLE}"}
            hidden = "".join(
                f'<input type="hidden" name="{field}" value="{escape(value, quote=True)}">'
                for field, value in fields.items()
            )
            begin = f'<button class="button">{escape(say("Play"))}</button>'
            play = f'<form method="post" action="/table">{hidden}{begin}</form>'
            return f"{play}{control('again', say('From the start'), 'replay')}{leave}"
        if self.done:
            go_on = f'<button type="button" class="button" data-do="next" data-key="n">{escape(say("Next"))}</button>'
            return f"{go_on}{back}{leave}"
        return f"{control('solve', say('Show me'), 'lightbulb', '?')}{back}{leave}"

    def _clicked(self, event: GenericEventArguments) -> None:
        """Handles a click on an action or a button; see ``ludoteca.command`` in page.js."""
        commands: dict[str, Callable[[], None]] = {
            "next": lambda: self._go_to(min(self.at + 1, len(self.guide.steps))),
            "back": lambda: self._go_to(max(self.at - 1, 0)),
            "again": lambda: self._go_to(0),
            "solve": self._solve,
        }
        match event.args:
            case ["play", int(action)] if not isinstance(action, bool):
                self._try(action)
            case ["do", str(command)] if command in commands:
                commands[command]()

    def _try(self, action: Action) -> None:
        if self.done or self.at == len(self.guide.steps):
            return
        step, legal = self.guide.steps[self.at], self.match.view(0).legal()
        right = action in legal and (not step.answers or self.match.game.action_name(action) in step.answers)
        if not right:
            self.tries += action in legal
            self.feedback = self.visit.translate(step.wrong) if step.wrong else self.say("Not there. Try another one.")
            self._show()
            return
        self.done, self.feedback = True, self.visit.translate(step.done)
        self.match.play(action)
        self._show()
        first = "true" if self.tries == 0 else "false"
        ui.run_javascript(f"ludoteca.guide.found({self.name!r}, {self.at + 1}, {first})")
        if step.replies:
            ui.timer(PAUSE, partial(self._reply, self.match, step.replies), once=True)

    def _reply(self, match: Match, replies: Sequence[str]) -> None:
        """Plays what follows the answer, unless the visitor has gone on meanwhile."""
        if match is not self.match:
            return
        for name in replies:
            if match.turn is not None:
                match.play(match.game.parse_action(name))
        self._show()

    def _solve(self) -> None:
        """Plays the answer for the visitor, which does not count as found."""
        self.tries += 1
        answers = self.guide.steps[self.at].answers if self.at < len(self.guide.steps) else ()
        self._try(self.match.game.parse_action(answers[0]) if answers else self.match.view(0).legal()[0])
