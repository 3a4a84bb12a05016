"""The three sentences at the end of a review: to whom, about what, and never about what is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import ludoteca
from ludoteca.agents.reasons import skill_missed
from ludoteca.messages import Message, say, translate
from ludoteca.play.match import Match
from ludoteca.protocols import Decision, Limit, Reason
from ludoteca.reports.closing import closing
from ludoteca.reports.review import ReviewedAction, ReviewSearches
from tests.agents.reason_positions import positions

ACTIONS = [0, 4, 3, 1, 6, 7]
"""Hex 3×3: blue goes down the middle while red stays at its side."""
NAMES = ["astar", "red"]


def reviewed(values: Sequence[float], side_swaps: Sequence[int] = ()) -> tuple[Match, tuple[ReviewedAction, ...]]:
    """The match by an engine that prefers the last legal cell; values: of each position, for who is on turn."""
    match = Match(ludoteca.game("hex:size=3"), 0, ACTIONS)
    match.side_swaps = list(side_swaps)
    searches = ReviewSearches(match, Limit())
    for ply, value in enumerate(values):
        best = match.before(ply).view(match.movers[ply]).legal()[-1]
        searches.add(Decision(best, value=value, reasons=(Reason(say("it makes a bridge to the edge")),)))
    return match, searches.actions


LOST_BY_RED = [0.5, 0.8, -0.8, 0.8, -0.8, 0.8]
"""Red loses 1.3 of its expected return with its first move, and no more."""


def test_it_speaks_to_the_person_who_played() -> None:
    match, actions = reviewed(LOST_BY_RED)
    turned, better, practise = closing(match, actions, ["red", "astar"], 0)
    assert turned == "The match turned at move 1, when you played a1."
    assert better == "At move 1, c3 was better than a1: it makes a bridge to the edge."
    assert practise.startswith("One thing to practise: ")


def test_a_person_keeps_their_actions_after_swapping_sides() -> None:
    """They sat in seat 0 until move 5 and end in seat 1: who goes by the seat of the move blames the other."""
    match, actions = reviewed(LOST_BY_RED, side_swaps=[5])
    assert closing(match, actions, NAMES, 1)[0] == "The match turned at move 1, when you played a1."
    other = closing(match, actions, ["red", "astar"], 0)
    assert other[0] == "The match turned at move 1, when astar played a1."
    assert other[2].startswith("Well done: ")


def test_agents_are_called_by_their_names() -> None:
    match, actions = reviewed(LOST_BY_RED)
    turned, _, practise = closing(match, actions, ["astar", "beam"])
    assert turned == "The match turned at move 1, when astar played a1."
    assert practise.startswith("What astar missed most: ")


def test_what_is_not_sure_is_not_where_the_match_turned() -> None:
    match, actions = reviewed(LOST_BY_RED)
    doubted = [replace(each, sure=False) for each in actions]
    turned, better, practise = closing(match, doubted, ["red", "astar"], 0)
    assert turned == "No single move decided the match." and better.startswith("You played what the engine would")
    assert practise == "Well done: you made no mistake that the engine is sure of."


def test_without_a_mistake_it_says_what_was_done_well() -> None:
    match, actions = reviewed([0.0] * 6)
    played = [replace(each, best=replace(each.best, action=each.action)) for each in actions]
    told = closing(match, played, ["red", "astar"], 0)
    assert told[1] == "You played what the engine would have played in 3 of 3 moves."
    only = [replace(each, best=replace(each.best, value=0.9, scores={each.action: 0.9, 8: 0.0})) for each in played]
    assert "found the only good move 3 times" in closing(match, only, ["red", "astar"], 0)[2]
    assert closing(match, played, ["one", "two"])[2].startswith("Neither player made a mistake")


def test_the_chances_before_and_after_are_shown_where_matches_say_what_values_mean() -> None:
    match, actions = reviewed(LOST_BY_RED)
    assert "before" not in closing(match, actions, ["red", "astar"], 0)[0].fields
    known = [replace(each, best_chance=0.7, chance=0.2) for each in actions]
    fields = closing(match, known, ["red", "astar"], 0)[0].fields
    assert (fields["before"], fields["after"]) == (70, 20)


def test_nothing_is_said_when_the_engine_gave_no_values() -> None:
    match, actions = reviewed(LOST_BY_RED)
    blind = [replace(each, best=Decision(8), value=None) for each in actions if each.action != 8]
    assert closing(match, blind, ["red", "astar"], 0) == []


def test_every_mistake_has_something_to_practise_in_both_languages() -> None:
    """Every pair of legal actions, one played and one better, in positions of random matches."""
    seen: dict[str, set[str]] = {}
    for spec in ("hex:size=5,swap=true", "horses:size=5", "dominoes", "kittens:deck=rich", "kittens:rules=original"):
        for seed in range(2):
            for state, legal in positions(ludoteca.game(spec), seed):
                assert state.turn is not None
                view = state.view(state.turn)
                for action, best in zip(legal, legal[1:] + legal[:1], strict=True):
                    if action == best:
                        continue
                    skill = skill_missed(view, action, Decision(best))
                    assert isinstance(skill, Message) and translate(skill, "es") != skill
                    seen.setdefault(spec.partition(":")[0], set()).add(skill)
    assert {game: len(skills) >= 3 for game, skills in seen.items()} == dict.fromkeys(seen, True), seen
    assert skill_missed(ludoteca.game("hex:size=3").deal(0).view(0), 0, Decision(4)) is not None


def test_what_to_practise_follows_from_the_kind_of_mistake() -> None:
    kittens = ludoteca.game("kittens")
    view = kittens.deal(1).view(0)
    draw, skip = kittens.parse_action("draw"), kittens.parse_action("skip")
    assert str(skill_missed(view, draw, Decision(skip))).startswith("when not to draw")
    assert str(skill_missed(view, skip, Decision(draw))).startswith("when to draw")
    horses = ludoteca.game("horses:size=5,layout=W@a1/B@e5/+10@b3")
    moves = {horses.action_name(each): each for each in horses.deal(0).view(0).legal()}
    skill = skill_missed(horses.deal(0).view(0), moves["c2"], Decision(moves["b3"]))
    assert str(skill).startswith("points")
