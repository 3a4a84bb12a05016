"""One curve for each opinion: the strongest engine's first, each on its own scale."""

from __future__ import annotations

from xml.etree import ElementTree

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.play.match import Match
from ludoteca.play.record import Who
from ludoteca.protocols import Decision
from ludoteca.web.drawing.curves import Curve, curves_after, curves_of, draw_curves


def find_match(*agents: str) -> Match:
    match = Match(games.game("hex:size=3"), 1, seats=(Who(Identity(agents[0])), Who(Identity(agents[1]))))
    for action, value in zip((4, 0, 3, 1), (0.5, -0.5, None, 0.25), strict=True):
        match.answer(Decision(action, value=value), 0.1)
    return match


def test_each_agent_has_a_curve_of_its_own_seen_from_seat_0() -> None:
    match = find_match("astar", "beam")
    first, second = curves_of(match, match.decisions)
    assert first == Curve("astar", (0.5, None, None, None))
    assert second == Curve("beam", (None, 0.5, None, -0.25))


def test_the_strongest_engine_comes_first() -> None:
    match = find_match("astar", "engine:level=3")
    assert [curve.agent for curve in curves_of(match, match.decisions)] == ["engine:level=3", "astar"]


def test_after_swapping_sides_a_thought_still_belongs_to_its_thinker() -> None:
    match = find_match("astar", "beam")
    match.swap_sides()
    assert {curve.agent: curve.values[0] for curve in curves_of(match, match.decisions)} == {"astar": 0.5, "beam": None}


def test_what_may_not_be_shown_draws_nothing() -> None:
    match = find_match("astar", "beam")
    assert curves_of(match, [None] * 4) == []


def test_against_the_engine_its_moves_and_its_view_of_the_match_are_one_curve() -> None:
    match = find_match("astar", "engine")
    seen = Curve("engine", (0.3, None, 0.4, None, 1.0))
    engine, astar = curves_after(seen, curves_of(match, match.decisions))
    assert engine == Curve("engine", (0.3, 0.5, 0.4, -0.25, 1.0))
    assert astar.agent == "astar"
    assert curves_after(None, [astar]) == [astar]


def test_only_the_first_curve_has_points_and_marks() -> None:
    curves = [Curve("engine", (0.5, None, -2.0)), Curve("astar", (None, 0.1, 0.2))]
    drawn = ElementTree.fromstring(draw_curves(curves, 1, title="a 'quoted' <title>", marks=[2]))
    points = [each.get("data-ply") for each in drawn.iter() if each.get("data-ply")]
    assert points == ["0", "2"]
    assert sum(each.tag.endswith("circle") for each in drawn.iter()) == 3  # one of them the ring
    dashes = [each.get("stroke-dasharray") for each in drawn.iter() if each.tag.endswith("polyline")]
    assert sorted(map(bool, dashes)) == [False, True]
    assert all(0 <= float(each.get("cy", 0)) <= 96 for each in drawn.iter() if each.tag.endswith("circle"))
    ElementTree.fromstring(draw_curves([]))
