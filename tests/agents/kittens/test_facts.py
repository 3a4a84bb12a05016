"""What the players of Kittens say about their actions is true of the hidden deck, and chances come true as often."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random
from typing import cast

import ludoteca
from ludoteca import Decision, Limit, Reason, _core
from ludoteca.games.kittens.cards import CARDS
from ludoteca.messages import Message

DRAW, BOMB, DEFUSE = 0, 0, 1


def next_card(state: _core.KittensState) -> int:
    """The card on top of the deck, by drawing it."""
    me = cast("int", state.turn)
    before, drawn = state.view(me), state.copy()
    drawn.apply(DRAW)
    after = drawn.view(me)
    if after.placing or after.loser == me:
        return BOMB
    (card,) = (kind for kind, count in enumerate(after.hand) if count > before.hand[kind])
    return card


def test_every_reason_is_true() -> None:
    seen: Counter[str] = Counter()
    chances: list[tuple[float, bool]] = []
    for spec in ("kittens", "kittens:deck=rich", "kittens:deck=bomb4+see6+safe4+shuffle1"):
        game = ludoteca.game(spec)
        for seed in range(60):
            chance, state = Random(seed), game.deal(seed)
            assert isinstance(state, _core.KittensState)
            while state.turn is not None:
                view = state.view(state.turn)
                decision = ludoteca.agent("mcts")(game, state.turn, seed).act(view, Limit(nodes=5))
                assert isinstance(decision, Decision) and len(decision.reasons) <= 3
                seen.update(check(state, decision, reason, chances) for reason in decision.reasons)
                state.apply(chance.choice(view.legal()))
    assert len(seen) >= 7, seen
    assert sum(seen.values()) > 2000, seen
    expected = sum(chance for chance, _ in chances)
    spread = sqrt(sum(chance * (1 - chance) for chance, _ in chances))
    assert abs(sum(bomb for _, bomb in chances) - expected) < 5 * spread + 1


def check(state: _core.KittensState, decision: Decision, reason: Reason, chances: list[tuple[float, bool]]) -> str:
    """Asserts that a reason is true of the deck; a chance is noted with what was the case. Returns the template."""
    me, text = state.turn, reason.text
    assert me is not None and isinstance(text, Message)
    view = state.view(me)
    match text.template:
        case "it knows the next card: {card}":
            assert CARDS[next_card(state)] == text.fields["card"]
        case "the next card is no bomb":
            assert next_card(state) != BOMB
        case "the next card is a bomb":
            assert next_card(state) == BOMB
        case "the next card is a bomb with a chance of {chance:.0%}":
            chances.append((cast("float", text.fields["chance"]), next_card(state) == BOMB))
        case "the other must now draw {count} card":
            after = state.copy()
            after.apply(decision.action)
            assert after.turn == 1 - me and after.view(me).owed == text.fields["count"]
        case "a Defuse in its hand would save it from a bomb":
            assert view.hand[DEFUSE] > 0
        case "it has no Defuse: a bomb would end the match":
            assert view.hand[DEFUSE] == 0
        case "the deck is empty":
            assert view.deck_size == 0
        case other:
            assert other == "another bomb is already on top" and view.placing
    return text.template
