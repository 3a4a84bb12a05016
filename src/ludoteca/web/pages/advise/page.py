"""The adviser's pages: choose a game, then enter what happens at a real table and get advice."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from urllib.parse import urlencode

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.requests import Request

from ludoteca import games
from ludoteca.errors import InvalidGame, LudotecaError
from ludoteca.games import observed
from ludoteca.games.details import details_of, seat_variables
from ludoteca.games.observed import Belief
from ludoteca.play.observed import ObservedMatch
from ludoteca.protocols import Game
from ludoteca.web.app_state import AppState
from ludoteca.web.drawing.board import picture_shape
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.advise import parts
from ludoteca.web.pages.advise.advice import LONGER, Advice, AdviceLimit
from ludoteca.web.pages.advise.followed import Followed, observer_of
from ludoteca.web.pages.edit.options import EditOptions
from ludoteca.web.pages.edit.outcome import NONSENSE
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.play.parts import rules
from ludoteca.web.pages.setup.match_form import CHANCE, side_choices
from ludoteca.web.serving.allowed_specs import allowed_game


def register(app_state: AppState) -> None:
    """The pages at ``/advise`` and ``/advise/<game>``."""
    limit = AdviceLimit()
    counting = ThreadPoolExecutor(1, "counting")

    @page("/advise")
    def contents(visit: Visit, request: Request) -> None:
        raw(escape(visit.say("Advice at a real table")), tag="h1").classes("title")
        how = visit.say(
            "Choose what you play. Enter what happens, as you see it: your own hand, and what the other does. At your "
            "turn you get the best action with its reasons, and you see what the other probably holds."
        )
        raw(f'<p class="slogan">{escape(how)}</p>')
        raw("".join(
            f'<a class="card game" href="/advise/{name}"><img src="{visit.picture(name)}" alt="">'
            f"<h2>{escape(game_title(name, visit.language))}</h2></a>"
            for name in _followed_games()
        )).classes("games")  # fmt: skip

    @page("/advise/{name}")
    def follow(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in games.names() or name not in _followed_games():
            raise NotFound(
                "matches of {name!r} cannot be followed; those of {names} can", name=name[:40], names=_followed_games()
            )
        given = request.query_params.get("game", games.example_spec(name))
        game = allowed_game(given)
        if game.name != name:
            raise InvalidGame("{given!r} is not {name}", given=given[:80], name=name)
        followed = Followed.read(game, request.query_params)
        _AdvisePage(app_state, visit, followed, limit, counting).build()


def _followed_games() -> list[str]:
    return [name for name in games.names() if observed.observer_of(games.game(games.example_spec(name))) is not None]


class _AdvisePage:
    """One tab that follows a match."""

    def __init__(
        self, app_state: AppState, visit: Visit, followed: Followed, limit: AdviceLimit, counting: ThreadPoolExecutor
    ) -> None:
        self.visit, self.followed, self._counting = visit, followed, counting
        self.advice = Advice(visit, app_state.agent_queue, limit, self._show)
        self.belief: Belief | None = None
        self.trouble = ""
        """Why the last entry was refused."""
        self._believing: asyncio.Task[None] | None = None
        self._address = self._own_address()
        self._connected = False

    def build(self) -> None:
        """Makes the elements."""
        visit, followed = self.visit, self.followed
        self.client = ui.context.client
        game = followed.game
        shape = picture_shape(game.deal(0).view(0), narrow=visit.narrow)
        ui.page_title(f"{visit.say('Advice')} · {game_title(game, visit.language)} · Ludoteca")
        title = visit.say("Advice: {game}", game=game_title(game, visit.language))
        whole = ui.element("div").classes("play advise").style(f"{seat_variables(game)};--shape:{shape}")
        with whole.on("click", self._clicked, js_handler="(e) => ludoteca.advise(e, emit)"):
            with ui.element("div").classes("board-side"):
                raw(escape(title), tag="h1").classes("unseen")
                with ui.element("div").classes("heading"):
                    self.players_html = raw().classes("players")
                    raw(rules(visit, game)).classes("pop-up")
                self.ask_html = raw().classes("status ask scroll").props('role=status aria-live="polite"')
                self.words_html = raw().classes("words")
                self.words_html.on(
                    "submit.prevent", self._written, js_handler="(e) => emit(e.target.querySelector('input').value)"
                )
                self.board_html = raw().classes(f"board {game.name}")
                self.board_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'play')")
                with ui.element("div").classes("dock"):
                    self.controls_html = raw().classes("row controls")
            with ui.element("aside").classes("side"):
                if observer_of(game).items():
                    with ui.element("section").classes("card holdings"):
                        self.caption_html = raw(tag="h2").classes("subtitle")
                        self.items_html = raw().classes(f"pieces items {game.name}")
                        self.items_html.on("keydown", self._clicked, js_handler="(e) => ludoteca.key(e, emit, 'item')")
                        self.note_html = raw(tag="small").classes("belief-note")
                self.advice_html = raw(tag="section").classes("card advice")
                self.entries_html = raw(tag="section").classes("card entered")
                self.list_html = raw(parts.list_form(visit), tag="details").classes("card options list")
                self.list_html.on(
                    "submit.prevent", self._listed, js_handler="(e) => emit(e.target.querySelector('textarea').value)"
                )
                self._settings()
        self.client.on_connect(self._connect)
        self.client.on_disconnect(self._on_disconnect)
        self.client.on_delete(self._leave)
        self.refresh()

    def _settings(self) -> None:
        """Who begins, and the options of the game."""
        visit, followed = self.visit, self.followed
        form = observer_of(followed.game).start_form(followed.seat, {})
        if not any(each.key == "begins" for each in form):
            sides = {value: text for value, text in side_choices(followed.game).items() if value != CHANCE}
            links = "".join(
                f'<a class="button quiet" href="{escape(self._seat_address(value), quote=True)}"'
                f"{' aria-current=true' if value == str(followed.seat) else ''}>{escape(visit.translate(text))}</a>"
                for value, text in sides.items()
            )
            title = escape(visit.say("Who begins"))
            raw(f'<h2 class="subtitle">{title}</h2><div class="row sizes">{links}</div>', tag="section").classes("card")
        EditOptions(visit, followed.game, lambda game: ui.navigate.to(self._fresh_address(game, str(followed.seat))))

    def refresh(self) -> None:
        """Shows everything as it is now."""
        visit, followed, advice = self.visit, self.followed, self.advice
        self.players_html.set_content(parts.players(visit, followed))
        self.ask_html.set_content(parts.ask(visit, followed, advice, self.trouble))
        self.words_html.set_content(parts.words(visit, followed, advice))
        self.board_html.set_content(parts.picture(visit, followed, advice))
        self.controls_html.set_content(parts.controls(visit, followed, advice))
        self.advice_html.set_content(parts.advice_card(visit, followed, advice))
        self.entries_html.set_content(parts.entries(visit, followed))
        if hasattr(self, "items_html"):
            self.caption_html.set_content(parts.items_caption(visit, followed, self.belief))
            self.items_html.set_content(parts.items(visit, followed, self.belief))
            self.note_html.set_content(parts.belief_note(visit, self.belief))

    def _show(self) -> None:
        with self.client:
            self.refresh()

    # The address keeps everything: a reload restores it, Back takes the last step back, and no other visitor sees it.

    def _own_address(self) -> str:
        return f"/advise/{self.followed.game.name}?{urlencode(self.followed.fields(), safe=':,@/;')}"

    def _seat_address(self, seat: str) -> str:
        """The match seen from a seat: the same events where nothing is hidden, else a new match."""
        if details_of(self.followed.game).hidden_information:
            return self._fresh_address(self.followed.game, seat)
        fields = self.followed.fields() | {"seat": seat}
        return f"/advise/{self.followed.game.name}?{urlencode(fields, safe=':,@/;')}"

    def _fresh_address(self, game: Game, seat: str) -> str:
        return f"/advise/{game.name}?{urlencode({'game': game.spec, 'seat': seat}, safe=':,@/;')}"

    # What happens

    def _connect(self) -> None:
        self._connected = True
        self._position_changed()

    def _on_disconnect(self) -> None:
        """A visitor who goes on to another page asks nothing more here; one who comes back asks again."""
        if not self.client.has_socket_connection:
            self._leave()

    def _leave(self) -> None:
        self.advice.stop()
        if self._believing is not None:
            self._believing.cancel()

    def _position_changed(self) -> None:
        """Asks again for advice and for the chances, and keeps the address up to date."""
        followed = self.followed
        self.advice.drop()
        self.belief = None
        if self._believing is not None:
            self._believing.cancel()
            self._believing = None
        if followed.match is not None and hasattr(self, "items_html"):
            self._believing = asyncio.create_task(self._believe(followed.match))
        if followed.is_my_turn and followed.match is not None:
            self.advice.ask(followed.match.view, followed.match.seen)
        address = self._own_address()
        if address != self._address:
            ui.run_javascript(f"ludoteca.at({json.dumps(address)})")
            self._address = address
        self.refresh()

    async def _believe(self, match: ObservedMatch) -> None:
        """Computes the chances of the other's hand in a thread, one tab after another."""
        try:
            self.belief = await asyncio.get_running_loop().run_in_executor(self._counting, match.belief)
        except Exception:
            logging.getLogger(__name__).exception("the chances could not be computed")
            return
        self._show()

    def _try(self, do: Callable[[], None]) -> None:
        """Changes what is entered, or shows why not where one looks."""
        before = self._own_address(), self.followed.match, self.followed.changing
        self.trouble = ""
        try:
            do()
        except LudotecaError as error:
            self.trouble = self.visit.explain(error)
            self.refresh()
            return
        if (self._own_address(), self.followed.match, self.followed.changing) == before:
            self.refresh()
        else:
            self._position_changed()

    def _clicked(self, event: GenericEventArguments) -> None:
        """Handles a click; see ``ludoteca.advise`` in page.js."""
        match event.args:
            case ["play", int(action)] if not isinstance(action, bool):
                self._try(lambda: self.followed.play(action))
            case ["item", int(item)] if not isinstance(item, bool):
                self._try(lambda: self.followed.click_item(item))
            case ["do", str(command)]:
                self._do(command)
            case _:
                self._refuse()

    def _do(self, command: str) -> None:
        followed = self.followed
        match command.split(":", 2):
            case ["undo"]:
                self._try(followed.undo)
            case ["cancel"]:
                self._try(followed.cancel)
            case ["stop"]:
                self.advice.stop()
                self.refresh()
            case ["longer"] if followed.is_my_turn and followed.match is not None and not self.advice.stage:
                self.advice.ask(followed.match.view, followed.match.seen, LONGER)
                self.refresh()
            case ["new"]:
                ui.navigate.to(self._fresh_address(followed.game, str(followed.seat)))
            case ["answer", text]:
                self._try(lambda: followed.answer(text))
            case ["enter", at, text] if at == str(followed.at):
                self._try(lambda: followed.choose(text))
            case ["change" | "insert" | "remove" as what, number] if number.isascii() and number.isdigit():
                self._correct(what, int(number[:6]))
            case _:
                self._refuse()

    def _correct(self, what: str, number: int) -> None:
        if what == "remove":
            self._try(lambda: self.followed.remove(number))
        else:
            self._try(lambda: self.followed.change(number, insert=what == "insert"))

    def _written(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            text = event.args.strip()
            self._try(lambda: self.followed.answer(text))
        else:
            self._refuse()

    def _listed(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            text, before = event.args, len(self.followed.events)
            self._try(lambda: self.followed.enter_list(text, self.visit.language))
            if len(self.followed.events) > before:
                ui.run_javascript("ludoteca.listed()")
        else:
            self._refuse()

    def _refuse(self) -> None:
        self.trouble = self.visit.translate(NONSENSE)
        self.refresh()
