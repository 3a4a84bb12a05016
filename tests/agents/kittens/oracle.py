"""The value of a tiny game of Kittens by brute force: all orders of the deck, one by one, by the rules themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from itertools import permutations
from typing import Any

from ludoteca.agents.kittens.rule_based import DOCUMENT_V2, REINSERTION, Situation, probabilities
from ludoteca.protocols import Action

Weighed = list[tuple[float, Any]]
"""States with their chances."""
Player = Callable[[Any], Mapping[Action, float]]
"""The chance of each action for what the seat on turn sees."""
DECK_BYTES = 64
"""A state ends with its deck, a byte for each card."""


def v2(view: Any) -> Mapping[Action, float]:
    """As the document has it."""
    return probabilities(REINSERTION if view.placing else DOCUMENT_V2, Situation.of(view))


def uniform(view: Any) -> Mapping[Action, float]:
    """Any legal action."""
    return {action: 1 / len(view.legal()) for action in view.legal()}


def deals(game: Any) -> Weighed:
    """A deal for each different order of the deck; all are as likely."""
    data = bytes(game.deal(0))
    cards = data[-DECK_BYTES:]
    size = game.deal(0).view(0).deck_size
    orders = set(permutations(cards[:size]))
    return [(1 / len(orders), game.state_from(data[:-DECK_BYTES] + bytes(each) + cards[size:])) for each in orders]


def best_response(states: Weighed, seat: int, other: Player, *, hand_open: bool) -> float:
    """What a best response to `other` gets, times the probability of these states, which the seat cannot tell apart."""
    if states[0][1].turn is None:
        return float(sum(weight * state.returns()[seat] for weight, state in states))
    if states[0][1].turn == seat:
        return max(
            _go_on([(weight, _after(state, action)) for weight, state in states], seat, other, hand_open)
            for action in states[0][1].legal()
        )
    after = [
        (weight * chance, _after(state, action))
        for weight, state in states
        for action, chance in other(state.view(1 - seat)).items()
        if chance > 0
    ]
    return _go_on(after, seat, other, hand_open)


def _go_on(states: Weighed, seat: int, other: Player, hand_open: bool) -> float:
    groups: dict[object, Weighed] = defaultdict(list)
    for weight, state in states:
        hand = tuple(state.view(1 - seat).hand) if hand_open else ()
        groups[bytes(state.view(seat)), hand].append((weight, state))
    return sum(best_response(group, seat, other, hand_open=hand_open) for group in groups.values())


def _after(state: Any, action: Action) -> Any:
    next_state = state.copy()
    next_state.apply(action)
    return next_state
