"""The page on which a position is set up by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from html import escape

from starlette.requests import Request

from ludoteca import games
from ludoteca.errors import InvalidGame, LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.hex.game import Hex
from ludoteca.games.horses.game import Horses
from ludoteca.games.kittens.game import Kittens
from ludoteca.protocols import Game
from ludoteca.web.app_state import AppState
from ludoteca.web.editing.dominoes import DominoesEditor
from ludoteca.web.editing.hex import HexEditor
from ludoteca.web.editing.horses import HorsesEditor
from ludoteca.web.editing.kittens import KittensEditor
from ludoteca.web.errors import NotFound
from ludoteca.web.pages.edit.board import BoardPage
from ludoteca.web.pages.edit.dominoes import DominoesPage
from ludoteca.web.pages.edit.kittens import KittensPage
from ludoteca.web.pages.frame import Visit, game_title, page, raw
from ludoteca.web.pages.link_previews import add_preview
from ludoteca.web.serving.allowed_specs import allowed_game

EDITORS: Mapping[str, Callable[[Visit, Game, Mapping[str, str]], BoardPage | DominoesPage | KittensPage]] = {
    "hex": lambda visit, game, fields: BoardPage(visit, HexEditor.read(expect(game, Hex), fields)),
    "horses": lambda visit, game, fields: BoardPage(visit, HorsesEditor.read(expect(game, Horses), fields)),
    "dominoes": lambda visit, game, fields: DominoesPage(visit, DominoesEditor.read(expect(game, Dominoes), fields)),
    "kittens": lambda visit, game, fields: KittensPage(visit, KittensEditor.read(expect(game, Kittens), fields)),
}
"""The editor of each game that has one."""


def register(app_state: AppState) -> None:
    """The pages at ``/edit`` and ``/edit/<game>``."""

    @page("/edit")
    def contents(visit: Visit, request: Request) -> None:
        raw(escape(visit.say("Edit")), tag="h1").classes("title")
        raw("".join(
            f'<a class="card game" href="/edit/{name}"><img src="{visit.picture(name)}" alt="">'
            f"<h2>{escape(game_title(name, visit.language))}</h2></a>"
            for name in sorted(EDITORS)
        )).classes("games")  # fmt: skip

    @page("/edit/{name}")
    def edit(visit: Visit, request: Request) -> None:
        name = request.path_params["name"]
        if name not in EDITORS:
            raise NotFound(
                "positions of {name!r} cannot be set up by hand; those of {names} can", name=name[:40], names=[*EDITORS]
            )
        given = request.query_params.get("game", games.example_spec(name))
        game = allowed_game(given)
        if game.name != name:
            raise InvalidGame("{given!r} is not {name}", given=given[:80], name=name)
        shown = EDITORS[name](visit, game, request.query_params)
        title = visit.say("Set up a position of {game}", game=game_title(name, visit.language))
        about = visit.say("Play it, or ask every agent what it thinks.")
        match = None
        with suppress(LudotecaError):  # not every position can be played
            match = shown.editor.match()
        add_preview(request, title, about, match)
        shown.build()
