from __future__ import annotations

from dataclasses import replace

import pytest

from ludoteca import games
from ludoteca.messages import translate
from ludoteca.reports.ladder import Ladder, Rung, ladders
from ludoteca.web.pages.setup.match_form import FormErrors, request_from_form
from ludoteca.web.serving.allowed_specs import agents_of, allowed_agent
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.opponents import (
    CHANCE,
    WORDS,
    default_opponent,
    obstacle,
    opponents,
    other_agents,
)


@pytest.mark.parametrize(
    ("spec", "english", "spanish"),
    [
        ("engine", "Engine", "Motor"),
        ("engine:level=5", "Engine, level 5", "Motor, nivel 5"),
        ("minimax:level=beginner", "Minimax, beginner", "Minimax, principiante"),
        ("minimax", "Minimax, expert", "Minimax, experto"),
        ("engine:level=3,threads=2", "Engine, level 3, threads: 2", "Motor, nivel 3, hilos: 2"),
        ("engine:level=5@1f3a9c20", "Engine, level 5@1f3a9c20", "Motor, nivel 5@1f3a9c20"),
        ("cases:reading=ours", "By cases, reversed", "Por casos, al revés"),
        ("mcts:simulations=1000", "Monte Carlo 1,000", "Monte Carlo 1\xa0000"),
        ("zero:simulations=1", "Zero, no search", "Zero, sin búsqueda"),
        ("astar:depth=1", "A-Star, 1 move ahead", "A-Estrella, 1 jugada por delante"),
        ("dqn:weights=/srv/nets/a.onnx", "Q network, own network: nets/a.onnx", "Red Q, red propia: nets/a.onnx"),
        ("htp:/usr/bin/mohex --fast", "program mohex", "programa mohex"),
        ("/srv/course/ana/solution.py:Smart", "ana/solution.py:Smart", "ana/solution.py:Smart"),
        ("os.path:sep=1", "os.path:sep=1", "os.path:sep=1"),
        ("engine:nothing=1", "engine:nothing=1", "engine:nothing=1"),
        ("engine:{level}=1,,", "engine:{level}=1,,", "engine:{level}=1,,"),
        ("", "", ""),
    ],
)
def test_an_agent_is_called_by_words_whatever_its_spec(spec: str, english: str, spanish: str) -> None:
    assert str(agent_title(spec)) == english and translate(agent_title(spec), "es") == spanish


def measured(**ratings: float) -> Ladder:
    """A ladder of Horses; all its agents are opponents."""
    rungs = [Rung(name.replace("_", ":level="), 0.0, elo, None, None, 10, 0.5) for name, elo in ratings.items()]
    listed = tuple(rung.agent for rung in rungs)
    weakened = replace(rungs[0], chance=0.5, elo=9e9)
    return Ladder("horses", "100n", 10, True, 1, "2026-01-01", "", listed, {}, (*rungs, weakened))


GAMES = ["hex", "horses", "dominoes", "kittens", "kittens:rules=original"]


@pytest.mark.parametrize("game", GAMES)
def test_opponents_are_a_short_list_each_with_a_word_of_its_own_and_its_measured_rating(game: str) -> None:
    found, name = opponents(game), game.partition(":")[0]
    rated = {
        rung.agent: rung.elo
        for ladder in ladders(name)
        if ladder.game == game
        for rung in ladder.rungs
        if not rung.chance
    }
    assert 5 <= len(found) <= 9
    assert [each.elo for each in found] == sorted(rated[allowed_agent(each.spec, name)] for each in found)
    words = [each.strength for each in found]
    assert len(set(words)) == len(words) and [word for word in WORDS if word in words] == [
        word for word in words if word != CHANCE
    ]
    assert found[-1].strength == WORDS[-1] and found[-1].elo == max(rated.values())
    assert all(translate(each.strength, "es") != each.strength for each in found)
    assert default_opponent(game).startswith("engine:level=")


@pytest.mark.parametrize("game", GAMES)
def test_every_agent_and_level_is_offered_once(game: str) -> None:
    name = game.partition(":")[0]
    specs = [allowed_agent(each.spec, name) for each in (*opponents(game), *other_agents(game))]
    assert len(set(specs)) == len(specs)
    assert set(specs) >= {*agents_of(name), *(f"engine:level={level}" for level in range(1, 9))}


def test_the_three_levels_of_the_original_horses_are_three_opponents() -> None:
    found = {each.spec: each for each in opponents("horses")}
    levels = [found[f"minimax:level={level}"] for level in ("beginner", "amateur", "expert")]
    assert [str(each.name) for each in levels] == ["Minimax, beginner", "Minimax, amateur", "Minimax, expert"]
    assert [translate(each.name, "es") for each in levels] == [
        "Minimax, principiante", "Minimax, amateur", "Minimax, experto",
    ]  # fmt: skip


def test_strength_is_what_was_measured() -> None:
    ladder = measured(engine=1000, engine_1=150, engine_2=390, minimax=-30, random=0)
    found = [(each.spec, each.strength, each.elo) for each in opponents("horses", ladder)]
    assert found == [
        ("minimax", "gentle", -30), ("random", CHANCE, 0), ("engine:level=1", "fair", 150),
        ("engine:level=2", "strong", 390), ("engine", "strongest", 1000),
    ]  # fmt: skip
    assert default_opponent("horses", ladder) == "engine:level=2"


def test_all_games_have_somebody_for_a_stranger() -> None:
    for name in games.names():
        assert allowed_agent(default_opponent(name), name)


def test_an_agent_that_samples_is_no_opponent_where_nothing_can_be_sampled() -> None:
    pytest.importorskip("pyspiel", reason="needs open-spiel")
    refused = obstacle("mcts", games.game("openspiel:game=liars_dice"))
    assert "mcts cannot play" in refused and refused.endswith("the agents that can are random")
    assert not obstacle("random", games.game("openspiel:game=liars_dice"))
    assert not obstacle("mcts", games.game("openspiel:game=leduc_poker"))
    with pytest.raises(FormErrors, match="the agents that can are random"):
        request_from_form("openspiel", {"game.game": "liars_dice", "opponent": "mcts"})
