"""The document's opponents: every worked example, with our reading where it contradicts its own rules."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from itertools import product

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.kittens.rule_based import (
    ATTACK,
    BOTTOM,
    DOCUMENT_V1,
    DOCUMENT_V2,
    DRAW,
    MIDDLE,
    PROGRAM_V1,
    REINSERTION,
    SKIP,
    TOP,
    Rule,
    Situation,
    choose,
    probabilities,
)
from ludoteca.games.core_game import expect
from ludoteca.play.match import play_out

pytestmark = pytest.mark.no_sanitize

SPECS = ["kittens", "kittens:rules=original", "kittens:deck=rich,stack=true,place=any"]
AGENTS = ["v1", "v1:variant=program", "v2"]


def fired(situation: Situation, rules: tuple[Rule, ...] = DOCUMENT_V2) -> set[str]:
    """The names of the rules that can choose here."""
    return {choose(rules, situation, random.Random(seed)).name for seed in range(200)}


def test_example_1_draws_by_rule_6() -> None:
    """The document says rule 4, which wants less than 5%; 12% leaves the default. The result is as stated."""
    situation = Situation(deck=25, bombs=3, skips=1, attacks=1, own=4, others=5)
    assert probabilities(DOCUMENT_V2, situation) == {DRAW: 1.0}
    assert fired(situation) == {"6"}


def test_example_2_attacks_by_rule_2a_in_80_percent() -> None:
    """3 of 15 is exactly 20%, so 2b does not apply; else rule 3 skips in half the cases, and rule 5 in the rest."""
    situation = Situation(deck=15, bombs=3, skips=1, attacks=1, own=7, others=4)
    assert probabilities(DOCUMENT_V2, situation) == pytest.approx({ATTACK: 0.8, SKIP: 0.2})
    assert fired(situation) == {"2a", "3", "5"}


def test_example_3_skips_by_rules_3_and_5() -> None:
    """The document says rule 1, which wants more than 25%; 2 of 8 is 25%. The result is as stated."""
    situation = Situation(deck=8, bombs=2, skips=2, attacks=0, own=3, others=3)
    assert probabilities(DOCUMENT_V2, situation) == {SKIP: 1.0}
    assert fired(situation) == {"3", "5"}


def test_example_4_skips_by_rule_5_and_does_not_attack() -> None:
    """The document says attack by 2c, which wants more than 15%; 1 of 7 is 14.3%, and 5 is not more than 3 + 2."""
    situation = Situation(deck=7, bombs=1, skips=1, attacks=1, own=5, others=3)
    assert probabilities(DOCUMENT_V2, situation) == {SKIP: 1.0}
    assert fired(situation) == {"5"}


def test_example_5_skips_or_draws_evenly() -> None:
    situation = Situation(deck=18, bombs=3, skips=1, attacks=0, own=4, others=5)
    assert probabilities(DOCUMENT_V2, situation) == {SKIP: 0.5, DRAW: 0.5}
    assert fired(situation) == {"3", "6"}


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        (Situation(7, 2, skips=1, attacks=1), {SKIP: 1.0}),  # rule 1 comes before any attack
        (Situation(9, 2, attacks=1), {ATTACK: 0.75, DRAW: 0.25}),  # 2b, too early for 2c
        (Situation(8, 2, attacks=1), {ATTACK: 0.75 + 0.25 * 0.6, DRAW: 0.1}),  # 2b, then 2c
        (Situation(8, 2, attacks=1, own=6, others=3), {ATTACK: 0.8 + 0.2 * 0.9, DRAW: 0.02}),  # 2a, 2b, 2c
        (Situation(6, 1, attacks=1), {ATTACK: 0.6, DRAW: 0.4}),  # 2c alone
        (Situation(30, 1, skips=1, attacks=1, own=9, others=3), {ATTACK: 0.8, DRAW: 0.2}),  # 2a even if safe
        (Situation(30, 1, skips=1, attacks=1), {DRAW: 1.0}),  # rule 4
        (Situation(15, 2, skips=1), {SKIP: 1.0}),  # rule 5
        (Situation(16, 2, skips=1), {DRAW: 1.0}),  # too early for rule 5
        (Situation(10, 1, skips=1), {DRAW: 1.0}),  # exactly 10% is not more than 10%
        (Situation(0, 0, skips=1, attacks=1), {DRAW: 1.0}),  # an empty deck is a safe deck
    ],
)
def test_v2_in_other_situations(situation: Situation, expected: dict[int, float]) -> None:
    assert probabilities(DOCUMENT_V2, situation) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("situation", "document", "program"),
    [
        (Situation(9, 3, skips=1, attacks=1), {SKIP: 1.0}, {SKIP: 1.0}),
        (Situation(10, 3, skips=1, attacks=1), {ATTACK: 0.3, DRAW: 0.7}, {SKIP: 1.0}),  # 30% is not more than 30%
        (Situation(11, 3, skips=1, attacks=1), {ATTACK: 0.3, DRAW: 0.7}, {ATTACK: 0.7, DRAW: 0.3}),
        (Situation(20, 3, skips=1, attacks=1), {ATTACK: 0.3, DRAW: 0.7}, {DRAW: 1.0}),  # 15% is not more than 15%
        (Situation(9, 3), {DRAW: 1.0}, {DRAW: 1.0}),
    ],
)
def test_both_readings_of_v1(situation: Situation, document: dict[int, float], program: dict[int, float]) -> None:
    assert probabilities(DOCUMENT_V1, situation) == pytest.approx(document)
    assert probabilities(PROGRAM_V1, situation) == pytest.approx(program)


@pytest.mark.parametrize(
    ("deck", "bombs", "place"),
    [(11, 3, TOP), (29, 3, TOP), (11, 4, MIDDLE), (10, 3, MIDDLE), (10, 4, BOTTOM), (2, 0, MIDDLE), (0, 0, MIDDLE)],
)
def test_the_table_of_reinsertion(deck: int, bombs: int, place: int) -> None:
    assert probabilities(REINSERTION, Situation(deck, bombs)) == {place: 1.0}


def as_written(deck: int, bombs: int, skip: int, attack: int, own: int, others: int, chance: random.Random) -> int:
    """The document's code for V2, line by line."""
    bomb_prob = (bombs / deck) if deck > 0 else 0.0
    if bomb_prob > 0.25 and skip > 0:
        return 1
    if attack > 0:
        if own > others + 2 and chance.random() < 0.8:
            return 2
        if bomb_prob > 0.20 and chance.random() < 0.75:
            return 2
        if deck <= 8 and bomb_prob > 0.15 and chance.random() < 0.6:
            return 2
    if bomb_prob > 0.15 and skip > 0 and chance.random() < 0.5:
        return 1
    if bomb_prob < 0.05:
        return 0
    if skip > 0 and bomb_prob > 0.10 and deck <= 15:
        return 1
    return 0


def test_v2_decides_as_the_documents_code_with_the_same_random_numbers() -> None:
    mine, its = random.Random(1), random.Random(1)
    for deck, bombs, skip, attack, lead in product(range(31), range(5), range(2), range(2), (-1, 2, 3)):
        situation = Situation(deck, min(bombs, deck), skip, attack, own=5 + lead, others=5)
        action = as_written(deck, situation.bombs, skip, attack, 5 + lead, 5, its)
        assert choose(DOCUMENT_V2, situation, mine).action == action


@pytest.mark.parametrize(("spec", "name"), list(product(SPECS, AGENTS)))
def test_agents_play_matches_and_give_exact_probabilities(spec: str, name: str) -> None:
    game = ludoteca.game(spec)
    places = 0
    for seed in range(30):
        match = ludoteca.Match(game, seed)
        players = {seat: ludoteca.agent(name)(game, seat, seed + seat) for seat in (0, 1)}
        views = [match.view(0), match.view(1)]
        for seat, decision in play_out(match, players, ludoteca.Limit()):
            view = expect(views[seat], _core.KittensView)
            assert sum(decision.scores.values()) == pytest.approx(1)
            assert list(decision.scores) == view.legal()
            assert decision.scores[decision.action] > 0
            if view.placing:
                places += 1
                (word,) = (word for word in ("top", "middle", "bottom") if decision.reasons[0].text.endswith(word))
                depth = {"top": 0, "middle": view.deck_size // 2, "bottom": view.deck_size}[word]
                expected = f"place {depth}" if "place=any" in spec else f"place {word}"
                assert game.action_name(decision.action) == expected
            else:
                assert decision.reasons[0].text.startswith("rule ")
                assert f"bombs in the deck {view.bombs} of {view.deck_size}: " in decision.reasons[0].text
                card = {SKIP: 2, ATTACK: 3}.get(decision.action)
                assert card is None or view.hand[card]
            views = [match.view(0), match.view(1)]
    assert places


def test_choices_follow_the_probabilities() -> None:
    situation = Situation(deck=8, bombs=2, attacks=1, skips=0, own=6, others=3)
    chance = random.Random(7)
    counts = Counter(choose(DOCUMENT_V2, situation, chance).action for _ in range(20_000))
    assert counts[ATTACK] / 20_000 == pytest.approx(0.98, abs=0.004)


def test_the_first_reason_names_the_rule_and_what_it_looks_at() -> None:
    game = ludoteca.game("kittens:deck=bomb4+safe12")
    match = ludoteca.Match(game, 1)
    decision = ludoteca.agent("v2")(game, 0, 1).act(match.view(0), ludoteca.Limit())
    assert isinstance(decision, ludoteca.Decision)
    assert decision.reasons[0].text == "rule 2b, bombs in the deck 4 of 16: above 20% it attacks"
    assert decision.note == "it follows this rule 75% of the time"
    assert decision.scores == pytest.approx({DRAW: 0.125, SKIP: 0.125, ATTACK: 0.75})


def test_in_the_clean_rules_they_decide_once_for_each_owed_draw() -> None:
    game = ludoteca.game("kittens")
    state = game.deal(3)
    state.apply(game.parse_action("attack"))
    agent = ludoteca.agent("v2")(game, 1, 5)
    asked = 0
    while state.turn == 1:
        view = expect(state.view(1), _core.KittensView)
        decision = agent.act(view, ludoteca.Limit())
        assert isinstance(decision, ludoteca.Decision)
        asked += not view.placing
        state.apply(decision.action)
    assert asked == 2


def test_agents_are_pickled_with_their_chance() -> None:
    game = ludoteca.game("kittens:deck=bomb4+safe12")
    view = game.deal(1).view(0)
    for name in AGENTS:
        agent = ludoteca.agent(name)(game, 0, 3)
        twin = pickle.loads(pickle.dumps(agent))
        assert [agent.act(view, ludoteca.Limit()) for _ in range(20)] == [
            twin.act(view, ludoteca.Limit()) for _ in range(20)
        ]


def test_a_wrong_variant_is_refused() -> None:
    with pytest.raises(ludoteca.InvalidOption, match="variant=code is none of document, program"):
        ludoteca.agent("v1:variant=code")
    with pytest.raises(ludoteca.InvalidAgent, match="v2 does not play hex"):
        ludoteca.agent("v2")(ludoteca.game("hex"), 0, 0)
