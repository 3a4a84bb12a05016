"""A visitor's strength: from honest results, from a forged list, and with help that does not count."""

from __future__ import annotations

import json

import pytest

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.strength import MOST_POINTS, MOST_RESULTS, read_results, result_of, strength_card, strengths
from ludoteca.web.tables.table import Table
from ludoteca.web.thinking.opponents import measured_opponents
from tests.web.test_server import Visitor

ANA = Visit("en", "ana", "auto", "/")


def sent(*results: tuple[str, float], game: str = "hex") -> bytes:
    return json.dumps([{"game": game, "agent": agent, "score": score} for agent, score in results]).encode()


def finished(agent: str = "engine:level=1", game: str = "hex") -> Table:
    table = Table(Match(games.game(game), 1, seats=(Who(), Who(Identity(agent), 1))))
    table.play(0)
    table.resign(0)
    return table


def test_the_next_opponent_is_one_against_whom_the_visitor_wins_about_half() -> None:
    elo = measured_opponents("hex")
    for weaker, stronger in (("engine:level=6", "engine:level=8"), ("random", "beam")):
        results = [(weaker, 1.0), (stronger, 0.0)] * 10
        (strength,) = strengths(read_results(sent(*results)))
        rating, opponent = strength.history[-1], strength.next_opponent
        assert elo[weaker] < rating.elo < elo[stronger] and rating.low < rating.elo < rating.high
        assert opponent is not None and opponent.elo is not None
        assert abs(opponent.elo - rating.elo) == min(abs(each - rating.elo) for each in elo.values())


def test_a_rating_comes_after_three_matches_and_stays_finite() -> None:
    for score in (0.0, 1.0):
        (few,) = strengths(read_results(sent(*[("random", score)] * 2)))
        assert few.next_opponent is None and "One more match" in strength_card(ANA, [few])
        (many,) = strengths(read_results(sent(*[("engine", score)] * 40)))
        assert many.matches == 40 and 6 <= len(many.history) <= MOST_POINTS
        assert all(abs(end) < 10_000 for each in many.history for end in (each.elo, each.low, each.high))
        assert "polyline" in strength_card(ANA, [many])
    assert strength_card(ANA, []) == ""


@pytest.mark.parametrize(
    "body",
    [
        b"", b"nonsense", b"[" * 100_000, b"{}", b"[1, null, [], {}]", b'[{"game": "hex"}]',
        b"[" + b"1," * 60_000 + b"1]",
        sent(("engine", 7)), sent(("engine", -1)), sent(("engine", float("nan"))), sent(("engine:level=99", 1)),
        sent(("os.system", 1)), sent(("engine", 1), game="hex:size=3"), sent(("engine", 1), game="x" * 9000),
        sent(("engine", 1), game="../../etc"), b'[{"game": "hex", "agent": "engine", "score": true}]'[:10], b"\xff\xfe",
    ],
)  # fmt: skip
def test_a_forged_list_gives_no_rating_and_no_error(body: bytes) -> None:
    assert read_results(body) == {}


def test_only_whole_matches_without_help_against_measured_agents_count() -> None:
    assert result_of(finished(), "key") == {"key": "key", "game": "hex", "agent": "engine:level=1", "score": 0.0}
    assert result_of(finished(agent="mcts"), "key") is None
    assert result_of(finished(game="hex:size=5"), "key") is None
    for spoil in ("helped", "deal", "running"):
        table = finished()
        if spoil == "helped":
            table.note_help()
        elif spoil == "deal":
            table.match.opening = 1
        else:
            table.undo()
            assert table.helped
        assert result_of(table, "key") is None


def test_a_long_list_costs_no_more_than_a_short_one() -> None:
    names = ("dominoes", "hex", "horses", "kittens")
    sent = [{"game": name, "agent": "engine", "score": place % 2} for place in range(900) for name in names]
    found = strengths(read_results(json.dumps(sent[:700]).encode()))
    assert [each.game for each in found] == [*names] and sum(each.matches for each in found) == MOST_RESULTS
    for count in range(3, 60):
        (strength,) = strengths(read_results(json.dumps(sent[1::4][:count]).encode()))
        assert strength.matches == count and 1 <= len(strength.history) <= MOST_POINTS


def test_the_server_answers_with_a_card_and_opponents(address: str) -> None:
    visitor = Visitor(address)
    assert json.loads(visitor.post("/strength", {"nothing": "of use"})[1]) == {"html": "", "opponents": {}}
