from __future__ import annotations

import pytest

import ludoteca
from ludoteca.errors import InvalidPosition
from ludoteca.play.match import agent_seed, play_out
from ludoteca.testing import random_actions

GAMES = ["dominoes", "hex:size=4", "horses:size=5", "kittens"]


@pytest.mark.parametrize("spec", GAMES)
def test_game_seed_and_actions_replay_everything(spec: str) -> None:
    game = ludoteca.game(spec)
    actions = random_actions(game, 8)
    match = ludoteca.Match(game, 8, actions)
    again = ludoteca.Match(game, 8)
    for action in match.actions:
        again.play(action)
    assert match.turn is None
    assert match.returns() == again.returns()
    assert [match.view(seat) for seat in (0, 1)] == [again.view(seat) for seat in (0, 1)]


@pytest.mark.parametrize("spec", GAMES)
def test_agents_play_a_match_to_its_end(spec: str) -> None:
    game = ludoteca.game(spec)
    match = ludoteca.Match(game, 3)
    agents = {seat: ludoteca.agent("random")(game, seat, agent_seed(3, seat)) for seat in (0, 1)}
    decisions = list(play_out(match, agents, ludoteca.Limit()))
    assert match.turn is None
    assert [decision.action for _, decision in decisions] == match.actions


def test_play_out_stops_at_a_person() -> None:
    game = ludoteca.game("hex:size=4")
    match = ludoteca.Match(game, 3)
    agents = {1: ludoteca.agent("random")(game, 1, 0)}
    assert list(play_out(match, agents, ludoteca.Limit())) == []
    match.play(5)
    ((seat, decision),) = play_out(match, agents, ludoteca.Limit())
    assert seat == 1
    assert match.actions == [5, decision.action]
    assert match.turn == 0


def test_an_illegal_action_leaves_the_match_as_it_was() -> None:
    match = ludoteca.Match(ludoteca.game("hex:size=3"), 1, [4])
    with pytest.raises(
        ludoteca.IllegalAction, match=r"'b2' \(action 4\) is not legal for seat 1 of hex:size=3; legal: a1,"
    ):
        match.play(4)
    assert match.actions == [4]


def test_an_agent_may_answer_with_a_plain_action() -> None:
    class First:
        def act(self, view: ludoteca.View, limit: ludoteca.Limit) -> int:
            return view.legal()[0]

    match = ludoteca.Match(ludoteca.game("hex:size=2"), 1)
    list(play_out(match, {0: First(), 1: First()}, ludoteca.Limit()))
    assert match.actions[0] == 0
    assert match.turn is None


def test_agent_seeds_tell_nothing_of_each_other() -> None:
    seeds = {agent_seed(match, seat) for match in range(1000) for seat in (0, 1)}
    assert len(seeds) == 2000
    assert all(0 <= seed < 2**63 for seed in seeds)


@pytest.mark.parametrize("spec", GAMES)
def test_a_match_as_it_was_goes_on_by_itself(spec: str) -> None:
    game = ludoteca.game(spec)
    match = ludoteca.Match(game, 8, random_actions(game, 8))
    earlier = match.before(3)
    assert earlier.actions == match.actions[:3] and earlier != match
    for action in match.actions[3:]:
        earlier.play(action)
    assert earlier == match and len(match.before(3).actions) == 3


def test_a_game_that_cannot_be_arranged_says_so() -> None:
    with pytest.raises(InvalidPosition, match="hex begins with a deal: the start 'a1'"):
        ludoteca.Match(ludoteca.game("hex:size=4"), 3, start="a1")
