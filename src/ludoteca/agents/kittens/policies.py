"""The documented opponents as tabular policies, for searches with an opponent model."""

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

PLAYERS: dict[str, Sequence[Rule]] = {"v1": DOCUMENT_V1, "v1:variant=program": PROGRAM_V1, "v2": DOCUMENT_V2}
"""The players whose policy is known, by their specs."""
HAND = 40
"""A hand size to which every lead of the tables can be added."""


@cache
def response_tables(player: str, megabytes: int, abstracted: bool = True) -> _core.KittensResponseTables:
    """Values of best responses to this player, shared by all agents of this process. Raises InvalidOption.

    abstracted: leave out positions that hardly matter; otherwise values are upper bounds and need gigabytes.
    """
    if player not in PLAYERS:
        raise InvalidOption("{player}: best responses are known only to {names}", player=player, names=sorted(PLAYERS))
    return _core.KittensResponseTables(_policy(player), abstracted, megabytes)


@cache
def policies() -> list[_core.KittensTabularPolicy]:
    """The policies of all `PLAYERS`."""
    return [_policy(player) for player in PLAYERS]


@cache
def _policy(player: str) -> _core.KittensTabularPolicy:
    return _core.KittensTabularPolicy(*policy_table(player))


def policy_table(player: str) -> tuple[list[tuple[float, float, float]], list[int]]:
    """The moves and places of one of the `PLAYERS`, in the order of core/kittens/tabular_policy.hpp."""
    rules, table = PLAYERS[player], _core.KittensTabularPolicy
    decks = [(cards, bombs) for cards in range(table.max_cards + 1) for bombs in range(table.max_bombs + 1)]
    moves = [
        _move_probabilities(rules, Situation(cards, bombs, skips, attacks, HAND + lead, HAND))
        for cards, bombs in decks
        for skips in (0, 1)
        for attacks in (0, 1)
        for lead in range(-table.max_lead, table.max_lead + 1)
    ]
    return moves, [_place(cards, bombs) for cards, bombs in decks]


def _move_probabilities(rules: Sequence[Rule], situation: Situation) -> tuple[float, float, float]:
    """The probabilities of draw, skip and attack."""
    chances = probabilities(rules, situation)
    return chances.get(DRAW, 0.0), chances.get(SKIP, 0.0), chances.get(ATTACK, 0.0)


def _place(cards: int, bombs: int) -> int:
    """Where a bomb goes back into such a deck: 0 top, 1 middle, 2 bottom."""
    (place,) = probabilities(REINSERTION, Situation(cards, bombs))
    return place - TOP
