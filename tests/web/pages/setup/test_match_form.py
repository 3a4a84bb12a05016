from __future__ import annotations

from urllib.parse import quote

import pytest

from ludoteca import games
from ludoteca.errors import LudotecaError
from ludoteca.messages import translate
from ludoteca.web.pages.setup.match_form import (
    CHANCE,
    LIMITS,
    FormErrors,
    form_defaults,
    preferred_seats,
    request_from_form,
    side_choices,
)
from ludoteca.web.tables.match_request import FRIEND, PERSON, new_match
from ludoteca.web.thinking.opponents import opponents


@pytest.mark.parametrize(
    ("name", "query", "message"),
    [
        ("hex", {"opponent": "astr"}, "did you mean 'astar'"),
        ("hex", {"seats": "person|enginee"}, "did you mean 'engine'"),
        ("hex", {"oponent": "astar"}, "did you mean 'opponent'"),
        ("hex", {"opponent": "astar:dept=4"}, "did you mean 'depth'"),
        ("hex", {"game": "hexx"}, "did you mean 'hex'"),
        ("hex", {"seats": "friend|astar"}, "seats must be person|friend"),
        ("hex", {"limit": "7s"}, "must be one of"),
        ("hex", {"game": "hex:layout=even-r", "opponent": "zero"}, "layout=axial"),
        ("hex", {"game": "hex:layout=odd-r", "seats": "zero:simulations=9|person"}, "layout=axial"),
    ],
)
def test_a_wrong_address_is_refused_with_a_suggestion(name: str, query: dict[str, str], message: str) -> None:
    with pytest.raises(LudotecaError, match=message.replace("|", r"\|")):
        form_defaults(name, query)


def test_an_address_says_who_plays_on_which_side() -> None:
    found = form_defaults("hex", {"seats": "astar:depth=4|person", "limit": "0.5s", "fbclid": "x"})
    assert (found.opponent, found.me, found.side, found.limit) == ("astar:depth=4", PERSON, "1", "0.5")
    assert form_defaults("hex", {}).opponent.startswith("engine:level=")
    assert form_defaults("horses", {"seats": "minimax|random"}).me == "minimax"
    assert (
        form_defaults("dominoes", {}).side == CHANCE
        and form_defaults("dominoes", {"game": "dominoes:start=seat"}).side == "0"
    )
    assert form_defaults("kittens", {"opponent": FRIEND}).opponent == FRIEND


@pytest.mark.parametrize("name", games.names())
def test_sides_and_times_are_words_in_both_languages(name: str) -> None:
    for text in [*side_choices(games.game(name)).values(), *LIMITS.values()]:
        assert translate(text, "es") != translate(text, "en") and "seat" not in translate(text, "en")


def test_the_sides_of_hex_say_what_each_connects() -> None:
    usual = side_choices(games.game("hex"))
    assert usual["0"] == "red: connect left and right; you begin" and usual["1"] == "blue: connect top and bottom"
    assert side_choices(games.game("hex:orientation=standard"))["0"] == "red: connect top and bottom; you begin"


def test_a_form_is_read_with_the_side_the_opponent_and_its_options() -> None:
    asked = request_from_form(
        "hex", {"opponent": "engine:level=3", "opponent.engine.threads": "2", "side": "1", "limit": "2"}
    )
    assert asked.seats == ("engine:level=3,threads=2", PERSON) and asked.limit == "2s" and asked.game == "hex"
    asked = request_from_form("hex", {"opponent": "engine", "game.size": "7", "game.swap": "true", "side": "0"})
    assert asked.seats == (PERSON, "engine") and asked.game == "hex:size=7,swap=true"
    assert request_from_form("hex", {"opponent": "beam", "opponent.own": "astar:depth=1"}).seats == (
        PERSON,
        "astar:depth=1",
    )
    assert request_from_form("horses", {"opponent": "random", "me": "minimax"}).seats == ("minimax", "random")
    assert request_from_form("hex", {"opponent": FRIEND, "side": "1"}).seats == (FRIEND, PERSON)


def test_in_dominoes_the_side_says_who_begins() -> None:
    chance = request_from_form("dominoes", {"opponent": "random", "side": CHANCE})
    first = request_from_form("dominoes", {"opponent": "random", "side": "0", "game.pips": "6"})
    second = request_from_form("dominoes", {"opponent": "random", "side": "1"})
    assert chance.game == "dominoes" and first.game == second.game == "dominoes:start=seat"
    assert first.seats[0] == PERSON == second.seats[1]
    assert new_match(first).turn == 0


def test_by_chance_is_sometimes_one_and_sometimes_the_other() -> None:
    assert {request_from_form("hex", {"opponent": "random", "side": CHANCE}).seats for _ in range(80)} == {
        (PERSON, "random"),
        ("random", PERSON),
    }


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"game.size": "99"}, {"game.size"}),
        ({"game.size": "x", "opponent": "astar", "opponent.astar.depth": "x"}, {"game.size", "opponent.astar.depth"}),
        ({"opponent": "nobody"}, {"opponent"}),
        ({"opponent.own": "os.path"}, {"opponent.own"}),
        ({"seed": "x"}, {"seed"}),
        ({"side": "2", "limit": "900"}, {"side", "limit"}),
        ({"game.layout": "even-r", "game.swap": "true"}, {""}),
        ({"me": "random", "opponent": FRIEND}, {"me"}),
        ({"me": FRIEND}, {"me"}),
    ],
)  # fmt: skip
def test_what_is_wrong_stands_at_its_field(fields: dict[str, str], at: set[str]) -> None:
    with pytest.raises(FormErrors) as caught:
        request_from_form("hex", fields)
    assert set(caught.value.errors) == at


@pytest.mark.parametrize("layout", ["even-r", "odd-r"])
def test_who_cannot_play_a_layout_is_refused_at_the_field_where_it_was_chosen(layout: str) -> None:
    for field in ("opponent", "opponent.own", "me"):
        with pytest.raises(FormErrors) as raised:
            request_from_form("hex", {"opponent": "astar", field: "zero", "game.layout": layout})
        assert list(raised.value.errors) == [field] and "layout=axial" in str(raised.value)
    assert request_from_form("hex", {"opponent": "engine", "game.layout": layout}).game == f"hex:layout={layout}"
    assert request_from_form("hex", {"opponent": "zero"}).seats == (PERSON, "zero")


def test_a_network_that_knows_one_seat_gets_it_unless_the_address_says_otherwise() -> None:
    original = {"game": "kittens:rules=original,deck=rich", "opponent": "dqn"}
    found = form_defaults("kittens", original)
    assert (found.opponent, found.me, found.side) == ("dqn", PERSON, "1")
    assert form_defaults("kittens", original | {"opponent": "v2"}).side == "0"
    assert form_defaults("kittens", {"opponent": "dqn"}).side == "0", "the network of the clean rules knows both"
    assert form_defaults("kittens", {"game": original["game"], "seats": "person|dqn"}).side == "0"
    assert preferred_seats("kittens") == {"dqn": [({"rules": "original"}, 0)]} and preferred_seats("hex") == {}


def test_the_form_begins_with_the_opponent_of_the_visitors_strength() -> None:
    strongest = opponents("hex")[-1].spec
    kept = quote(f"kittens|random;hex|{strongest}")
    assert form_defaults("hex", {}, kept).opponent == strongest != form_defaults("hex", {}).opponent
    assert (
        form_defaults("hex", {"opponent": "random"}, kept).opponent == "random"
    )  # what the address asks for comes first
    usual = form_defaults("hex", {}).opponent
    for forged in (
        "hex|os.system",
        "hex|engine:level=99",
        "hex",
        ";|;",
        "%ff" * 900,
        quote(f"hex:size=5|{strongest}"),
    ):
        assert form_defaults("hex", {}, forged).opponent == usual
