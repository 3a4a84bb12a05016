"""Chances to win: which map is used, and the words for each chance."""

from __future__ import annotations

import re

import ludoteca
from ludoteca.messages import translate
from ludoteca.protocols import Decision
from ludoteca.ratings.calibration import Calibration
from ludoteca.reports.chance import (
    AgentCalibration,
    calibrations,
    chance_in_words,
    chance_to_win,
    outlook,
    percent,
    your_chance_in_words,
    your_outlook,
)
from ludoteca.web.thinking.opponents import opponents

LINE = Calibration((-1.0, 1.0), (0.0, 1.0))


def test_a_proven_result_is_certain_and_needs_no_map() -> None:
    game = ludoteca.game("hex:size=3")
    for value, expected in ((1.0, 1.0), (-1.0, 0.0), (0.0, 0.5), (0.4, 1.0)):
        assert chance_to_win(game, "anything", Decision(0, value, proven=True)) == expected
    assert outlook(game, 1, "engine", Decision(0, -1.0, proven=True)) == "red wins: that is proven."


def test_an_agent_without_a_map_gets_words_and_no_number() -> None:
    game = ludoteca.game("hex:size=3")
    for value in (-0.99, -0.2, 0.0, 0.1, 0.41, 0.99):
        for agent in ("a/student.py", "mcts:exploration=3", "dqn:weights=/a.onnx", "no such agent:::"):
            assert chance_to_win(game, agent, Decision(0, value)) is None
            for text in (outlook(game, 0, agent, Decision(0, value)), your_outlook(game, agent, Decision(0, value))):
                assert text and not re.search(r"\d", text), text
    assert outlook(game, 0, "a/student.py", Decision(0, None)) == ""


def test_an_unproven_chance_is_never_certain() -> None:
    assert (percent(0.0), percent(0.004), percent(0.7), percent(0.999), percent(1.0)) == (0, 1, 70, 99, 100)


def test_a_map_holds_for_its_agent_and_the_options_it_names() -> None:
    known = AgentCalibration("hex", {"size": ["7"], "swap": ["true"]}, "engine:level=3", 10, ("10n",), LINE)
    for spec, agent, holds in (
        ("hex", "engine:level=3", True),
        ("hex:size=7", "engine:level=3", True),
        ("hex:size=7,swap=true", "engine:level=3,memory=1,threads=2", True),
        ("hex:size=9", "engine:level=3", False),
        ("hex:layout=odd-r", "engine:level=3", False),
        ("hex", "engine:level=2", False),
        ("hex", "engine", False),
        ("horses", "engine:level=3", False),
    ):
        assert (known.is_of(agent) and known.holds_in(spec)) is holds, (spec, agent)
    block = AgentCalibration("dominoes:variant=block", {"hand": ["5"]}, "mcts", 10, ("10n",), LINE)
    assert block.holds_in("dominoes:variant=block,hand=5")
    assert not block.holds_in("dominoes")
    assert not block.holds_in("dominoes:hand=5")
    small = AgentCalibration("hex:size=7", {"size": ["6"]}, "mcts", 10, ("10n",), LINE)
    assert [small.holds_in(f"hex:size={size}") for size in (6, 7, 8)] == [True, True, False]
    assert not small.holds_in("hex"), "the size that is not written is 11"


def test_a_map_survives_json() -> None:
    known = AgentCalibration("hex", {"size": ["7"]}, "engine", 10, ("10n", "20n"), LINE)
    assert AgentCalibration.from_json(known.to_json()) == known


def test_words_follow_the_chance_and_name_the_side_that_is_ahead() -> None:
    game = ludoteca.game("hex")
    expected = (
        (0.95, "red will almost certainly win (95%).", "you will almost certainly win (95%)."),
        (0.75, "red will probably win (75%).", "you will probably win (75%)."),
        (0.6, "red is ahead (60%).", "you are ahead (60% to win)."),
        (0.52, "it is about even (52% for red).", "it is about even (52% to win)."),
        (0.47, "it is about even (53% for blue).", "it is about even (47% to win)."),
        (0.4, "blue is ahead (60%).", "you are behind (40% to win)."),
        (0.25, "blue will probably win (75%).", "you will probably lose (25% to win)."),
        (0.05, "blue will almost certainly win (95%).", "you will almost certainly lose (5% to win)."),
    )
    for share, of_red, of_you in expected:
        assert chance_in_words(game, 0, share) == chance_in_words(game, 1, 1 - share) == of_red
        assert your_chance_in_words(share) == of_you
    assert translate(your_chance_in_words(0.4), "es") == "vas por detrás (40% de ganar)."


def test_shipped_maps_rise_and_cover_every_agent_with_values_that_the_page_offers() -> None:
    """`Calibration` refuses a map that falls, so loading them is the test of that."""
    assert calibrations()
    for each in calibrations():
        assert 0 < each.calibration.chances[0] < each.calibration.chances[-1] < 1, each.agent
    without_values = {"random", "cases", "tumbafichas", "v1", "v2"}
    for spec in ("hex", "hex:size=7", "horses", "dominoes", "dominoes:variant=block", "kittens"):
        game = ludoteca.game(spec)
        for opponent in opponents(spec):
            known = chance_to_win(game, opponent.spec, Decision(0, 0.3)) is not None
            assert known == (opponent.spec.partition(":")[0] not in without_values), (spec, opponent.spec)


def test_points_have_no_map_that_was_fitted_on_results() -> None:
    """The adversary: a value that counts points, read by the map of a game that counts wins."""
    for spec in ("dominoes:scoring=points", "horses:penalty=every"):
        assert chance_to_win(ludoteca.game(spec), "engine", Decision(0, 0.3)) is None
