from __future__ import annotations

from dataclasses import replace

import pytest

from ludoteca import games
from ludoteca.messages import translate
from ludoteca.reports.ladder import Ladder, Rung, ladders
from ludoteca.web.serving.allowed_specs import allowed_agent
from ludoteca.web.thinking.opponents import BEST, CHANCE, agent_title, default_opponent, opponents


@pytest.mark.parametrize(
    ("spec", "english", "spanish"),
    [
        ("engine", "engine", "engine"),
        ("engine:level=5", "engine, level 5", "engine, nivel 5"),
        ("minimax:level=beginner", "minimax (level: beginner)", "minimax (nivel: principiante)"),
        ("engine:level=3,threads=2", "engine (level: 3, threads: 2)", "engine (nivel: 3, hilos: 2)"),
        ("engine:level=5@1f3a9c20", "engine, level 5@1f3a9c20", "engine, nivel 5@1f3a9c20"),
        ("/srv/course/ana/solution.py:Smart", "ana/solution.py:Smart", "ana/solution.py:Smart"),
        ("os.path:sep=1", "os.path:sep=1", "os.path:sep=1"),
        ("engine:nothing=1", "engine:nothing=1", "engine:nothing=1"),
        ("engine:{level}=1,,", "engine:{level}=1,,", "engine:{level}=1,,"),
        ("", "", ""),
    ],
)
def test_an_agent_is_called_by_words_whatever_its_spec(spec: str, english: str, spanish: str) -> None:
    assert str(agent_title(spec)) == english and translate(agent_title(spec), "es") == spanish


def measured(**ratings: float) -> list[Ladder]:
    """A ladder of Horses."""
    rungs = tuple(
        Rung(name.replace("__", ":simulations=").replace("_", ":level="), 0.0, elo, None, None, 10, 0.5)
        for name, elo in ratings.items()
    )
    return [Ladder("horses", "100n", 10, True, 1, "2026-01-01", "", (*rungs, replace(rungs[0], chance=0.5, elo=9e9)))]


@pytest.mark.parametrize("game", ["hex", "horses", "dominoes", "kittens"])
def test_every_agent_is_offered_in_words_of_both_languages_the_weakest_first(game: str) -> None:
    found = opponents(game)
    assert {each.spec for each in found} >= {"random", "mcts", "engine", "engine:level=1", "engine:level=8"}
    for each in found:
        assert allowed_agent(each.spec, game) == each.spec
        assert translate(each.strength, "es") != each.strength
    parts = [each.part for each in found if each.part is not None]
    assert parts == sorted(parts) and found[0].strength == CHANCE
    assert [each.strength for each in found].count(BEST) >= 1
    assert default_opponent(game).startswith("engine:level=")


def test_strength_is_what_was_measured() -> None:
    ladder = measured(engine=1000, engine_1=150, engine_2=390, engine_3=560, minimax=900, random=0, mcts=-30)
    found = {each.spec: each for each in opponents("horses", ladder)}
    words = {spec: (each.strength, each.elo) for spec, each in found.items()}
    assert words["engine"] == (BEST, 1000)
    assert words["engine:level=1"] == ("beginner", 150) and words["engine:level=3"] == ("practised player", 560)
    assert words["minimax"] == ("very strong", 900) and words["mcts"] == ("beginner", -30)
    assert words["zero"] == ("not measured yet", None) and words["random"] == (CHANCE, None)
    assert default_opponent("horses", ladder) == "engine:level=2"


def test_a_level_that_nobody_measured_lies_between_its_neighbours() -> None:
    ladder = measured(engine_1=250, engine_3=500, engine_8=1000, engine=980, random=0)
    parts = {each.spec: each.part for each in opponents("horses", ladder)}
    assert parts["engine:level=2"] == pytest.approx(0.375) and parts["engine:level=5"] == pytest.approx(0.7)
    words = {each.spec: each.strength for each in opponents("horses", ladder)}
    assert words["engine:level=8"] == words["engine"] == BEST, "within what can be measured"


def test_an_agent_that_was_measured_with_other_options_is_about_as_strong() -> None:
    ladder = measured(engine=500, engine_8=510, mcts__10=100, mcts__1000=1000, zero__1=900, random=0)
    found = {each.spec: each for each in opponents("horses", ladder)}
    assert (found["mcts"].elo, found["mcts"].like) == (1000, "mcts:simulations=1000"), "what it can, not what it could"
    assert found["mcts"].strength == BEST and found["zero"].strength == "very strong"
    assert found["engine"].strength == found["engine:level=8"].strength == "practised player", "another is on top"
    assert found["engine"].like == "" and found["minimax"].strength == "not measured yet"


@pytest.mark.parametrize("game", ["hex", "horses", "dominoes", "kittens", "kittens:rules=original"])
def test_only_whoever_is_on_top_of_what_was_measured_is_called_the_best(game: str) -> None:
    found = opponents(game)
    assert all(each.strength != "not measured yet" for each in found)
    top = max(each.elo for each in found if each.elo is not None)
    best = [each for each in found if each.strength == BEST]
    assert best and all(each.elo == top for each in best)


def test_the_best_of_a_ladder_without_the_engine_is_not_called_the_best() -> None:
    ladder = measured(minimax=900, random=0)
    words = {each.spec: each.strength for each in opponents("horses", ladder)}
    assert words["minimax"] == "very strong" and words["engine"] == BEST


def test_a_game_with_a_ladder_for_its_options_uses_that_one() -> None:
    by_rules = {each.spec: each.elo for each in opponents("kittens:rules=original")}
    (expected,) = [rung.elo for rung in ladders("kittens")[1].rungs if rung.agent == "dqn"]
    assert by_rules["dqn"] == expected != {each.spec: each.elo for each in opponents("kittens")}["dqn"]


def test_all_games_have_somebody_for_a_stranger() -> None:
    for name in games.names():
        assert allowed_agent(default_opponent(name), name)
