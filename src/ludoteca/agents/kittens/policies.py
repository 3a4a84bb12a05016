"""The documented opponents as tables of chances, for searches that know whom they play against."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ludoteca import _core
from ludoteca.agents.kittens.rule_based import (
    ATTACK,
    DOCUMENT_V1,
    DOCUMENT_V2,
    DRAW,
    PROGRAM_V1,
    REINSERTION,
    SKIP,
    TOP,
    Rule,
    Situation,
    probabilities,
)
from ludoteca.errors import InvalidOption
from ludoteca.messages import say

__all__ = ["PLAYERS", "models", "replies"]

PLAYERS: dict[str, Sequence[Rule]] = {"v1": DOCUMENT_V1, "v1:variant=program": PROGRAM_V1, "v2": DOCUMENT_V2}
"""The players whose habits are known, as they are written."""
HAND = 40
"""A hand from which any difference that the tables know can be taken."""


@cache
def replies(player: str, megabytes: int, roughly: bool = True) -> _core.KittensResponseTables:
    """What is known of the best replies to this player, kept for this process. Raises InvalidOption.

    roughly: positions that hardly matter are left out; else values are upper bounds and need gigabytes.
    """
    if player not in PLAYERS:
        raise InvalidOption(say("{player}: only the habits of {names} are known", player=player, names=sorted(PLAYERS)))
    return _core.KittensResponseTables(_model(player), roughly, megabytes)


@cache
def models() -> list[_core.KittensTabularPolicy]:
    """All players whose habits are known."""
    return [_model(player) for player in PLAYERS]


@cache
def _model(player: str) -> _core.KittensTabularPolicy:
    """What it does in every situation and where it puts bombs, in the order of core/kittens/tabular_policy.hpp."""
    rules, known = PLAYERS[player], _core.KittensTabularPolicy
    decks = [(cards, bombs) for cards in range(known.most_cards + 1) for bombs in range(known.most_bombs + 1)]
    chances = [
        _chances(rules, Situation(cards, bombs, skips, attacks, HAND + lead, HAND))
        for cards, bombs in decks
        for skips in (0, 1)
        for attacks in (0, 1)
        for lead in range(-known.most_lead, known.most_lead + 1)
    ]
    return _core.KittensTabularPolicy(chances, [_place(cards, bombs) for cards, bombs in decks])


def _chances(rules: Sequence[Rule], situation: Situation) -> tuple[float, float, float]:
    """How likely it draws, skips and attacks."""
    chances = probabilities(rules, situation)
    return chances.get(DRAW, 0.0), chances.get(SKIP, 0.0), chances.get(ATTACK, 0.0)


def _place(cards: int, bombs: int) -> int:
    """Where a bomb goes back into such a deck: 0 top, 1 middle, 2 bottom."""
    (place,) = probabilities(REINSERTION, Situation(cards, bombs))
    return place - TOP
