from __future__ import annotations

from pathlib import Path

import pytest

from ludoteca import agents, games, spec
from ludoteca.errors import LudotecaError
from ludoteca.web.serving.allowed_specs import agent_options, allowed_agent, allowed_game, game_options
from ludoteca.web.tables.match_request import PERSON, MatchRequest, new_match
from tests.strangers import installed
from tests.web.serving import reader_agent
from tests.web.test_server import Visitor

WEIGHTS = "dqn:weights=/etc/passwd"


def test_an_option_says_by_its_type_that_it_names_a_file(tmp_path: Path) -> None:
    book, depth = spec.options(reader_agent.Reader, skip=agents.GIVEN)
    assert book.opens_file and not depth.opens_file
    assert book.parse("reader", str(tmp_path)) == tmp_path
    assert spec.show(book.default) == "" and spec.show(tmp_path) == str(tmp_path)
    assert agents.canonical("dqn") == "dqn" and agents.canonical(f"dqn:weights={tmp_path}") == f"dqn:weights={tmp_path}"


def test_a_file_of_the_server_is_neither_offered_nor_taken(tmp_path: Path) -> None:
    assert [option.name for option in agent_options("dqn")] == ["observation"]
    with installed(reader_agent, tmp_path):
        assert [option.name for option in agent_options("reader")] == ["depth"]
        assert allowed_agent("reader:depth=2", "hex") == "reader:depth=2"
        for asked in ("reader:book=/etc/passwd", "reader:depth=2,book=x", "Reader: book =x"):
            with pytest.raises(LudotecaError, match="file on the server"):
                allowed_agent(asked, "hex")


@pytest.mark.parametrize(
    "asked", [WEIGHTS, "dqn:observation=view,weights=~/x", "DQN:weights=x", " dqn : weights = x", "os.path.join",
              "nobody", "/etc/passwd", "folder/solution.py:SmartPlayer", "", "dqn:" + "x" * 3000],
)  # fmt: skip
def test_what_is_not_to_be_had_is_refused(asked: str) -> None:
    with pytest.raises(LudotecaError):
        allowed_agent(asked, "kittens")
    with pytest.raises(LudotecaError):
        new_match(MatchRequest("kittens", (PERSON, asked), 1))


@pytest.mark.parametrize("asked", ["chess", "", "os.path", "hex:size=99", "hex:" + "x" * 3000])
def test_games_that_are_not_to_be_had_are_refused(asked: str) -> None:
    with pytest.raises(LudotecaError):
        allowed_game(asked)


def test_all_other_options_are_offered_and_taken() -> None:
    for game in games.names():
        assert allowed_game(game).spec == game
        assert len(game_options(game)) == len(spec.options(games.game_class(game)))
        for name in agents.names(game):
            assert allowed_agent(name, game) == name


@pytest.mark.parametrize(
    "ask",
    [
        lambda ana: ana.post("/table", {"game": "kittens", "seats": f"person|{WEIGHTS}"}),
        lambda ana: ana.get(f"/new/kittens?seats=person|{WEIGHTS}"),
        lambda ana: ana.get(f"/new/kittens?seats={WEIGHTS}|person"),
    ],
)
def test_no_address_and_no_form_opens_a_file_of_the_server(address: str, ask: object) -> None:
    ana = Visitor(address)
    ana.get("/")
    status, body = ask(ana)  # type: ignore[operator]
    assert status == 400 and "file on the server" in body


def test_the_form_does_not_offer_it(address: str) -> None:
    _, body = Visitor(address).get("/new/kittens?seats=person|dqn")
    assert "dqn.observation" in body and "dqn.weights" not in body
