"""What shows itself in a notebook, and that it shows what it should."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.play.record import Who
from ludoteca.ratings.bradley_terry import rate_counts
from ludoteca.reports.ladder import ladders
from ludoteca.reports.review import Review, ReviewedAction

SVG = "{http://www.w3.org/2000/svg}"
GAMES = ["hex:size=4", "horses:size=5", "dominoes", "kittens"]


def pictures(shown: str) -> list[ElementTree.Element]:
    """The SVG documents in what is shown, each well formed; one that lies within another belongs to that."""
    found, depth, start = [], 0, 0
    for each in re.finditer(r"<svg[ >]|</svg>", shown):
        if each[0] == "</svg>":
            depth -= 1
            if depth == 0:
                found.append(ElementTree.fromstring(shown[start : each.end()]))
        else:
            start = each.start() if depth == 0 else start
            depth += 1
    return found


def words(shown: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", shown).split())


@pytest.mark.parametrize("spec", GAMES)
def test_games_states_and_matches_are_pictures(spec: str) -> None:
    game: Any = ludoteca.game(spec)
    state: Any = game.deal(3)
    match = ludoteca.Match(game, 3, seats=(Who(), Who(Identity("<b>astar"))))
    assert ElementTree.fromstring(game._repr_svg_()).tag == f"{SVG}svg"
    drawn = ElementTree.fromstring(state._repr_svg_())
    assert len(drawn.findall(f"{SVG}svg")) == (2 if game.hidden_information else 0)
    assert len(pictures(match._repr_html_())) == 1
    found = words(match._repr_html_())
    assert spec in found and "a person" in found and "It is the turn of" in found and "&lt;b&gt;astar" in found
    assert state._repr_svg_() in match._repr_html_()


def test_a_record_shows_how_it_ended() -> None:
    match = ludoteca.Match.of_spec("hex:size=2", 0, [0, 2, 1])
    found = words(match.record()._repr_html_())
    assert "Won by red." in found and "1. a1 2. a2 3. b1" in found
    left = ludoteca.Match.of_spec("hex:size=2", 0, [0])
    left.resign(0)
    assert "Won by blue (resigned)." in words(left.record()._repr_html_())
    lost = ludoteca.Record(game="chess", seed=0, seats=(Who(), Who(Identity("<script>"))))
    assert "&lt;script&gt;" in lost._repr_html_() and "<script>" not in lost._repr_html_()


def test_a_decision_is_bars_and_on_its_board_a_picture() -> None:
    game: Any = ludoteca.game("hex:size=3")
    decision = ludoteca.Decision(4, value=0.25, scores={4: 0.9, 0: -0.1}, line=(4, 1), note="<i>centre", nodes=7)
    found = decision._repr_html_()
    assert words(found).startswith("action 4; value +0.25; 7 nodes; &lt;i&gt;centre") and found.count("<tr>") == 2
    view = game.deal(0).view(0)
    drawn = ludoteca.explain(view, decision)
    assert str(drawn) == "red plays b2; value +0.25; weighed b2 0.9, a1 -0.1; expects b2 b1; <i>centre"
    assert game.svg(view, heat=decision.scores, line=(4, 1)) in drawn._repr_html_()
    infinite = ludoteca.Decision(0, scores={0: float("inf"), 1: float("-inf")})
    assert len(pictures(ludoteca.explain(view, infinite)._repr_html_())) == 1
    assert "em" in infinite._repr_html_()
    assert ludoteca.Decision(3)._repr_html_() == "<table><caption>action 3</caption></table>"


def test_with_hidden_hands_only_the_next_action_is_drawn() -> None:
    game: Any = ludoteca.game("kittens")
    view = game.deal(0).view(0)
    first, later = view.legal()[0], view.legal()[-1]
    drawn = ludoteca.explain(view, ludoteca.Decision(first, line=(first, later)))
    assert game.svg(view, line=(first,)) in drawn._repr_html_()


def test_a_review_is_a_curve_and_a_table() -> None:
    record = ludoteca.Match.of_spec("hex:size=2", 0, [0, 2, 1]).record()
    best = ludoteca.Decision(1, value=0.5)
    actions = tuple(ReviewedAction(ply, ply % 2, each, best, -0.5, ply % 2) for ply, each in enumerate(record.actions))
    shown = Review(record, "engine", actions)._repr_html_()
    (curve,) = pictures(shown)
    assert len(curve.findall(f"{SVG}circle")) == 3 + 2  # a dot for each value, a ring for each turning point
    assert "1 red a1 ?? 50 b1" in words(shown)


def test_ratings_are_intervals_on_a_scale() -> None:
    ratings = rate_counts({("ada<", "bob"): (30, 0, 0), ("bob", "eve"): (10, 5, 12), ("eve", "bob"): (8, 2, 9)})
    drawn = ElementTree.fromstring(ratings._repr_svg_())
    assert len(drawn.findall(f"{SVG}circle")) == 2, "ada, who always won, lies beyond the scale"
    heads = [line for line in drawn.findall(f"{SVG}line") if line.get("stroke-width") == "2.5"]
    assert len(heads) == 2, "an arrow points to her"
    assert "ada<" in "".join(drawn.itertext())
    assert ElementTree.fromstring(rate_counts({})._repr_svg_()) is not None


@pytest.mark.parametrize("name", ["hex", "horses", "dominoes", "kittens"])
def test_our_ladders_are_pictures(name: str) -> None:
    ladder = ladders(name)[0]
    drawn = ElementTree.fromstring(ladder._repr_svg_())
    assert len(drawn.findall(f"{SVG}circle")) == len(ladder.rungs)


def test_what_people_meet_is_one_short_line_of_text() -> None:
    """Notebooks keep this line beside the picture, and a terminal shows nothing else."""
    series = ludoteca.series("hex:size=3", "beam", "random", 2, seed=1, store=":memory:", workers=1)
    match = ludoteca.Match.of_spec("hex:size=3", 0, [0])
    scores = {action: action / 10 for action in range(9)}
    shown = [
        (series, "<SeriesResult: beam against random in hex:size=3: "),
        (series.records[0], "<Record of hex:size=3: beam – random, "),
        (ludoteca.standings(series), "<Standings of 2 agents after 2 matches>"),
        (ludoteca.agent("astar:depth=2"), "<function agent('astar:depth=2')"),
        (match, "<Match of hex:size=3: a person – a person, 1 actions, seat 1 is on turn>"),
        (match.view(0), "<View of hex:size=3 by seat 0: seat 1 is on turn>"),
        (ludoteca.game("dominoes").deal(0), "<State of dominoes: seat "),
        (ludoteca.Decision(8, scores=scores, proven=True),
         "Decision(action=8, scores={8: 0.8, 7: 0.7, 6: 0.6, … 6 more}, proven=True)"),
    ]  # fmt: skip
    for each, begins in shown:
        assert repr(each).startswith(begins) and len(repr(each)) < 120
