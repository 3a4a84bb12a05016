from __future__ import annotations

import asyncio
import io
from urllib.parse import parse_qsl

import pytest
from PIL import Image

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.errors import LudotecaError
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.players.faults import Ending
from ludoteca.web.drawing.curves import Curve, turning_point
from ludoteca.web.drawing.raster import gif
from ludoteca.web.drawing.shared_pictures import MOST_FRAMES, frames
from ludoteca.web.errors import InvalidTable
from ludoteca.web.tables.pictures import MOST_BYTES, Pictures, TooManyPictures, draw
from ludoteca.web.tables.shared_match import match_fields, read_shared, shared_query, texts_of
from tests.web.serving.test_leaks import MINE_DIFFERS


def played(spec: str, count: int = 1000, start: str = "") -> Match:
    match = Match(games.game(spec), 7, start=start)
    for step in range(count):
        if match.turn is None:
            break
        legal = match.view(match.turn).legal()
        match.play(legal[7 * step % len(legal)])
    return match


def query_of(match: Match, turning: int | None = None) -> dict[str, str]:
    return dict(parse_qsl(shared_query(match, turning), keep_blank_values=True))


@pytest.mark.parametrize(("game", "starts"), MINE_DIFFERS, ids=["dominoes", "kittens"])
def test_no_picture_of_an_unfinished_match_shows_a_hidden_hand(game: str, starts: list[str]) -> None:
    for kind in ("preview.png", "position.png", "match.gif"):
        drawn = [draw(kind, query_of(played(game, 0, start)), "en") for start in starts]
        assert drawn[0] == drawn[1], "the two differ in hidden hands only"
    over = [draw("position.png", query_of(played(game, 0, start)) | {"ending": "resigned0"}, "en") for start in starts]
    assert over[0] != over[1], "after the end everybody sees them"


def test_the_longest_match_on_the_largest_board_makes_a_small_animation() -> None:
    match = played("hex:size=19")
    assert len(match.actions) > 300
    pictures = frames(match)
    assert len(pictures) == MOST_FRAMES
    drawn = gif(pictures[::6], 420)
    assert 6 * len(drawn) < MOST_BYTES and Image.open(io.BytesIO(drawn)).n_frames == 10  # type: ignore[attr-defined]
    assert frames(Match(games.game("hex:size=3"), 1)), "a match without actions has a position, too"


def test_a_preview_has_the_size_that_programs_expect() -> None:
    drawn = Image.open(io.BytesIO(draw("preview.png", query_of(played("horses"), 3), "es")))
    assert (drawn.format, drawn.size) == ("PNG", (1200, 630))


def test_a_link_says_who_played_how_it_ended_and_where_it_turned() -> None:
    match = played("hex:size=5", 6)
    match.seats = (Who(nickname="Ana | María"), Who(Identity("engine:level=3")))
    match.resign(0)
    shared = read_shared(query_of(match, 4))
    assert shared.match == match and shared.turning == 4 and shared.match.ending is Ending.resigned
    texts = texts_of(shared, Speaker("en"))
    assert texts.players == ("Ana María", "Engine, level 3") and texts.result == "Engine, level 3 wins."
    assert texts.turning == f"Turning point: move 5, {match.game.action_name(match.actions[4])}"
    agreed = played("horses", 4)
    agreed.agree_draw()
    assert texts_of(read_shared(query_of(agreed)), Speaker("es")).result == "Empate."


@pytest.mark.parametrize(
    "more",
    [
        {"ending": "finished0"}, {"ending": "unfinished1"}, {"ending": "resigned7"}, {"ending": "<b>"},
        {"turning": "99"}, {"turning": "-1"}, {"turning": "٣"}, {"names": "a|b|c"},
        {"names": "\u202e\x00|" + "x" * 900}, {"seats": "|"},
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_link_is_left_out(more: dict[str, str]) -> None:
    match = played("hex:size=5", 3)
    shared = read_shared({name: str(value) for name, value in match_fields(match).items()} | more)
    assert shared.match == match and shared.turning is None and shared.match.turn is not None
    assert all(len(who.nickname) <= 20 and who.nickname.isprintable() for who in shared.match.seats)
    texts_of(shared, Speaker("en"))


def test_drawing_is_limited_and_what_was_drawn_is_kept() -> None:
    async def visit() -> None:
        pictures = Pictures(most_drawn=2)
        query = query_of(played("hex:size=3"))
        first, again = await asyncio.gather(
            pictures.get("position.png", query, "en", "home"), pictures.get("position.png", query, "en", "home")
        )
        assert first == again and first.startswith(b"\x89PNG")
        with pytest.raises(InvalidTable, match="no game is called"):
            await pictures.get("position.png", {"game": "nonsense"}, "en", "home")
        assert await pictures.get("position.png", query, "en", "home") == first, "what is cached costs nothing"
        with pytest.raises(TooManyPictures):
            await pictures.get("match.gif", query, "en", "home")
        for kind, asked in (("match.svg", query), ("position.png", query | {"actions": "1." * 20_000})):
            with pytest.raises(InvalidTable, match="no such picture"):
                await pictures.get(kind, asked, "en", "elsewhere")

    asyncio.run(visit())


def test_games_that_do_not_draw_themselves_have_no_picture() -> None:
    with pytest.raises(LudotecaError):
        draw("position.png", {"game": "openspiel:game=tic_tac_toe"}, "en")


def test_a_match_turns_where_the_chance_changes_most() -> None:
    assert turning_point([Curve("engine", (0.1, 0.2, -0.7, -0.6))]) == 1
    assert turning_point([Curve("engine", (0.9, None, None, 0.1, 0.2))]) == 2
    assert turning_point([Curve("engine", (0.1, 0.2, 0.3))]) is None
    assert turning_point([Curve("engine", (None,)), Curve("astar", (0.0, 1.0))]) == 0
    assert turning_point([]) is None
