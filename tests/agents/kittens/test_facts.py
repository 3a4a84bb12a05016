"""What the players of Kittens say about their actions is true of the hidden deck, and chances come true as often."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import cast

import pytest

import ludoteca
from ludoteca import Decision, Limit, Reason, _core
from ludoteca.agents.kittens.facts import facts
from ludoteca.agents.kittens.rule_based import Situation
from ludoteca.agents.reasons import rounded_chance
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import ACTIONS, CARD_ACTIONS, CARDS
from ludoteca.games.kittens.game import Kittens
from ludoteca.messages import Message
from tests.agents.reason_positions import positions, seeds

DRAW, SKIP, ATTACK, BOTTOM = (ACTIONS.index(name) for name in ("draw", "skip", "attack", "bottom"))
BOMB, DEFUSE = 0, 1
SPECS = [
    "kittens", "kittens:deck=rich", "kittens:deck=bomb4+see6+safe4+shuffle1", "kittens:deck=rich,place=any,stack=true",
    "kittens:rules=original,deck=rich", "kittens:max_turns=9",
]  # fmt: skip
Chances = list[tuple[float, bool]]


def next_card(state: _core.KittensState) -> int:
    """The card on top of the deck."""
    return expect(state.game, Kittens).deck_of(state)[0]


def comes_true(chances: Chances) -> bool:
    """Whether what was foretold with these chances happened as often, within five standard deviations."""
    expected = sum(chance for chance, _ in chances)
    spread = sqrt(sum(chance * (1 - chance) for chance, _ in chances))
    return abs(sum(happened for _, happened in chances) - expected) < 5 * spread + 1


def test_every_fact_is_true_of_every_action() -> None:
    seen: Counter[str] = Counter()
    chances: Chances = []
    probable: Counter[str] = Counter()
    for spec in SPECS:
        for seed in seeds(30):
            for state, legal in positions(ludoteca.game(spec), seed):
                assert isinstance(state, _core.KittensState)
                for action in legal:
                    decision = Decision(action)
                    for reason in facts(state.view(cast("int", state.turn)), decision):
                        seen[check(state, decision, reason, chances)] += 1
                        if "probably" in reason.text:
                            has = state.view(1 - cast("int", state.turn)).hand[DEFUSE] > 0
                            probable[f"{reason.text}: {has}"] += 1
    assert len(seen) >= 18 and sum(seen.values()) > 20_000, seen
    assert comes_true(chances)
    assert probable["the other probably has no Defuse: False"] > probable["the other probably has no Defuse: True"] > 0


def test_agents_say_which_rule_fired_and_other_true_things() -> None:
    seen: Counter[str] = Counter()
    everyone = ("v1", "v1:variant=program", "v2", "dqn", "mcts", "random")
    for spec, names in (("kittens", everyone), ("kittens:rules=original", ("v1", "v2"))):
        game = ludoteca.game(spec)
        for seed in seeds(12):
            for state, _ in positions(game, seed):
                assert isinstance(state, _core.KittensState) and state.turn is not None
                for name in names:
                    decision = ludoteca.agent(name)(game, state.turn, seed).act(state.view(state.turn), Limit(nodes=5))
                    assert isinstance(decision, Decision) and 1 <= len(decision.reasons) <= 3
                    if name == "random":
                        assert decision.explanation == "it chose at random"
                        continue
                    rule_based = name.startswith("v")
                    if rule_based:
                        check_rule(state, decision)
                    seen.update(check(state, decision, reason, []) for reason in decision.reasons[rule_based:])
    assert len(seen) >= 7, seen


RISKS = {
    "above 25% it skips": (0.25, 1, 60), "above 30% it skips": (0.3, 1, 60), "above 20% it attacks": (0.2, 1, 60),
    "above 15% in the last 8 cards it attacks": (0.15, 1, 8), "above 15% it skips": (0.15, 1, 60),
    "above 15% it attacks": (0.15, 1, 60), "above 10% in the last 15 cards it skips": (0.1, 1, 15),
    "above 10% in the last 10 cards it skips": (0.1, 1, 10), "below 5% it draws": (0, 0.05, 60),
    "above 30% in at most 10 cards it goes to the bottom": (0.3, 1, 10),
}  # fmt: skip
"""By the words of a rule: its risk lies between the first two, in a deck of at most so many cards."""


def check_rule(state: _core.KittensState, decision: Decision) -> None:
    """Asserts that the rule is one that applies, and does what it says."""
    view = state.view(cast("int", state.turn))
    text = decision.reasons[0].text
    assert isinstance(text, Message)
    bombs, deck, rule = (text.fields[name] for name in ("bombs", "deck", "rule"))
    assert (bombs, deck) == (view.bombs, view.deck_size)
    risk = view.bombs / view.deck_size if view.deck_size else 0.0
    least, most, cards = RISKS.get(str(rule), (0, 1, 60))
    assert (least < risk or not least) and (risk < most or most == 1) and view.deck_size <= cards, text
    if view.placing:
        assert text.template == "other bombs in the deck {bombs} of {deck}: {rule}"
        assert rule != "below 30% in more than 10 cards it goes on top" or (risk < 0.3 and view.deck_size > 10)
        return
    assert text.template == "rule {name}, bombs in the deck {bombs} of {deck}: {rule}"
    says = next(word for word in ("skip", "attack", "draw") if word in str(rule))
    assert ACTIONS[decision.action] == says
    if "three cards more" in str(rule):
        situation = Situation.of(view)
        assert situation.own >= situation.others + 3
    if decision.action in CARD_ACTIONS:
        assert view.hand[CARD_ACTIONS[decision.action]], "a rule plays only a card that it has"


def check(state: _core.KittensState, decision: Decision, reason: Reason, chances: Chances) -> str:
    """Asserts that a reason is true of the deck; a chance is noted with what was the case. Returns the template."""
    me, text, action = state.turn, reason.text, decision.action
    assert me is not None and isinstance(text, Message)
    view, after = state.view(me), state.copy()
    after.apply(action)
    deck = expect(state.game, Kittens).deck_of(state)
    shown = [field for field in text.fields.values() if isinstance(field, float)]
    assert (" 0%" not in text or 0 in shown) and ("100%" not in text or 1 in shown)
    theirs, played = state.view(1 - me).hand[DEFUSE], action != DRAW and after.view(me).played[me] != view.played[me]
    match text.template:
        case "the next card is known: {card}":
            assert CARDS[deck[0]] == text.fields["card"]
        case "the next card is no bomb":
            assert deck[0] != BOMB
        case "the next card is a bomb":
            assert deck[0] == BOMB
        case "the next card is a bomb with a chance of {chance:.0%}":
            chances.append((view.bomb_chance(0), deck[0] == BOMB))
            assert text.fields["chance"] == rounded_chance(view.bomb_chance(0))
        case "the bottom card is a bomb with a chance of {bottom:.0%}, the top card with {top:.0%}":
            chances.append((view.bomb_chance(len(deck) - 1), deck[-1] == BOMB))
            assert action == BOTTOM and played
            assert text.fields["top"] == rounded_chance(view.bomb_chance(0))
            assert text.fields["bottom"] == rounded_chance(view.bomb_chance(len(deck) - 1))
        case "after the shuffle the next card is a bomb with a chance of {after:.0%}, before with {before:.0%}":
            assert text.fields["after"] == rounded_chance(deck.count(BOMB) / len(deck)) and played
            assert text.fields["before"] == rounded_chance(view.bomb_chance(0))
        case "the other must now draw {count} card":
            assert after.turn == 1 - me and played and after.view(me).owed == text.fields["count"]
            assert deck == expect(state.game, Kittens).deck_of(after), "nothing was drawn"
        case "it looks at the next card first":
            known = dict(after.view(me).known)
            count = cast("int", text.fields["count"])
            assert played and [known[depth] for depth in range(count)] == deck[:count]
        case "this draw is spared, and the Defuse in its hand is kept":
            assert view.hand[DEFUSE] > 0 and played and deck == expect(state.game, Kittens).deck_of(after)
            assert after.view(me).hand[DEFUSE] == view.hand[DEFUSE]
        case "a Defuse in its hand would save it from a bomb":
            assert view.hand[DEFUSE] > 0
        case "it has no Defuse: a bomb would end the match":
            assert view.hand[DEFUSE] == 0
        case "it has no Skip and no Attack to avoid the draw":
            assert view.hand[CARDS.index("Skip")] == view.hand[CARDS.index("Attack")] == 0
        case "the other has a Defuse":
            assert theirs > 0
        case "the other has no Defuse":
            assert theirs == 0
        case "the deck is empty":
            assert not deck
        case "{count} card is drawn before this bomb":
            assert view.placing
            if state.game.options["rules"] == "clean":
                assert expect(state.game, Kittens).deck_of(after)[cast("int", text.fields["count"])] == BOMB
        case "this bomb is the next card, and the other is on turn":
            assert view.placing and after.turn == 1 - me and next_card(after) == BOMB
        case "this bomb is the next card, and it still owes a draw":
            assert view.placing and view.owed and (state.game.options["rules"] == "original" or after.turn == me)
        case "another bomb is already on top":
            assert view.placing and deck[0] == BOMB
        case "it is the only legal action":
            assert view.legal() == [action]
        case other:
            assert other in ("the other probably has a Defuse", "the other probably has no Defuse"), other
    return text.template


def said(spec: str, start: str, action: str) -> list[str]:
    """The facts about an action in a position set up by hand, for the seat on turn."""
    game = expect(ludoteca.game(spec), Kittens)
    state = game.deal_from(start, 1)
    assert state.turn is not None
    return [str(each) for each in facts(state.view(state.turn), Decision(game.parse_action(action)))]


def test_a_card_that_is_not_in_the_hand_is_a_plain_draw_in_the_original_rules() -> None:
    """Who takes the name of the action for what happens says that the other must draw, or that a draw is spared."""
    start = "deck: safe bomb safe; 0: defuse; 1: skip"
    for action in ("attack", "skip"):
        told = said("kittens:rules=original", start, action)
        assert not any("must now draw" in each or "spared" in each for each in told)
        assert "a Defuse in its hand would save it from a bomb" in told
    assert "the other must now draw 2 cards" in said("kittens", "deck: safe bomb; 0: attack; 1: skip", "attack")


def test_a_skip_of_one_of_two_draws_spares_nothing_in_the_original_rules() -> None:
    start = "deck: safe bomb safe; 0: defuse skip; 1: skip; owed: 2"
    assert not any("spared" in each for each in said("kittens:rules=original", start, "skip"))
    assert any("spared" in each for each in said("kittens", start, "skip")), "one draw, and then it decides again"


def test_a_bomb_on_top_is_the_others_only_if_the_turn_passes() -> None:
    """Who still owes a draw puts it on top for themselves; and after the last turn there is no draw at all."""
    words = "this bomb is the next card, and the other is on turn"
    for spec, owed, expected in (("kittens", 1, True), ("kittens", 2, False), ("kittens:max_turns=1", 1, False)):
        game = expect(ludoteca.game(spec), Kittens)
        state = game.deal_from(f"deck: bomb safe safe; 0: defuse; 1: skip; owed: {owed}", 1)
        state.apply(DRAW)
        told = [str(each) for each in facts(state.view(0), Decision(game.parse_action("place top")))]
        assert (words in told) is expected, (spec, owed)


def test_what_is_drawn_from_the_bottom_is_not_the_next_card() -> None:
    game = ludoteca.game("kittens:deck=rich")
    for seed in range(20):
        for state, legal in positions(game, seed):
            if BOTTOM in legal:
                told = [str(each) for each in facts(state.view(cast("int", state.turn)), Decision(BOTTOM))]
                assert told[0].startswith(("the bottom card is", "the deck is empty"))
                assert not any(each.startswith("the next card") for each in told)


@pytest.mark.parametrize(("chance", "shown"), [(0.0, 0.0), (0.001, 0.01), (0.999, 0.99), (1.0, 1.0), (0.5, 0.5)])
def test_what_is_not_certain_is_never_shown_as_certain(chance: float, shown: float) -> None:
    assert rounded_chance(chance) == shown
