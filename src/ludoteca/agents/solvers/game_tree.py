"""The whole tree of a small game over all its deals: values of strategies, and exact best responses to them.

A strategy is, for each information set in the order of `GameTree.sets`, the probability of each legal action. An
information set is all that a seat has seen and done, also where a view alone would not tell: perfect recall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ludoteca.errors import InvalidOption
from ludoteca.games.deals import every_deal
from ludoteca.protocols import Action, Game, Seat, State, View

Strategy: TypeAlias = Sequence[Sequence[float]]
MOST_POSITIONS = 200_000
"""Positions of the largest tree that is built: some seconds, and a few hundred megabytes."""


@dataclass
class InformationSet:
    """Positions that a seat on turn cannot tell apart."""

    seat: Seat
    view: View
    before: int
    """The one in which the seat decided last, and which is earlier in the list; -1 for the first decision."""
    choice: int
    """The place of what it did there among the legal actions."""
    legal: list[Action]
    decisions: int
    """How many decisions the seat has made before."""
    nodes: list[int] = field(default_factory=list)


@dataclass
class _Node:
    """A position in one deal; it comes after the one that leads to it."""

    chance: float
    """The probability of its deal."""
    information_set: int
    """-1 after the end."""
    returns: tuple[float, ...]
    decisions: tuple[int, int]
    """How many decisions each seat has made before."""
    children: list[int] = field(default_factory=list)
    """By the legal actions of its information set."""


class GameTree:
    """All positions of a game.

    >>> from ludoteca.games import game
    >>> tree = GameTree(game("kittens:deck=bomb1+safe1"))
    >>> uniform = [[1 / len(each.legal)] * len(each.legal) for each in tree.sets]
    >>> len(tree.sets), tree.values(uniform)
    (2, (0.0, 0.0))
    """

    def __init__(self, game: Game, most: int = MOST_POSITIONS) -> None:
        """Raises InvalidOption if the game does not list its deals or has more than `most` positions."""
        self.game = game
        self.sets: list[InformationSet] = []
        self._nodes: list[_Node] = []
        deals = every_deal(game)
        self.deals = len(deals)
        self._numbers: dict[tuple[int, int, Seat, bytes], int] = {}
        waiting = [(state, -1, (-1, -1), (-1, -1), (0, 0), chance) for state, chance in deals]
        for state, parent, sets, choices, decisions, chance in waiting:  # it grows meanwhile
            if len(waiting) > most:
                raise InvalidOption(
                    "{game} is too large for an exact answer: more than {most:,} positions in {deals:,} deals",
                    game=game.spec, most=most, deals=self.deals,
                )  # fmt: skip
            number = len(self._nodes)
            if parent >= 0:
                self._nodes[parent].children.append(number)
            waiting += self._add(number, state, sets, choices, decisions, chance)

    def _add(
        self, number: int, state: State, sets: tuple[int, int], choices: tuple[int, int], decisions: tuple[int, int],
        chance: float,
    ) -> Iterator[tuple[State, int, tuple[int, int], tuple[int, int], tuple[int, int], float]]:  # fmt: skip
        """Add a position; the positions after it. sets, choices: of each seat where it decided last, and what."""
        seat = state.turn
        if seat is None:
            self._nodes.append(_Node(chance, -1, tuple(map(float, state.returns())), decisions))
            return
        view = state.view(seat)
        key = (sets[seat], choices[seat], seat, bytes(view))
        found = self._numbers.setdefault(key, len(self.sets))
        if found == len(self.sets):
            self.sets.append(InformationSet(seat, view, sets[seat], choices[seat], view.legal(), decisions[seat]))
        self.sets[found].nodes.append(number)
        self._nodes.append(_Node(chance, found, (0.0, 0.0), decisions))
        for choice, action in enumerate(self.sets[found].legal):
            after = state.copy()
            after.apply(action)
            yield (
                after, number, _with(sets, seat, found), _with(choices, seat, choice),
                _with(decisions, seat, decisions[seat] + 1), chance,
            )  # fmt: skip

    def seen(self, place: int) -> list[View]:
        """The views on which the seat of an information set has decided before."""
        earlier: list[View] = []
        while (place := self.sets[place].before) >= 0:
            earlier.append(self.sets[place].view)
        return earlier[::-1]

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self._nodes)

    def values(self, strategy: Strategy) -> tuple[float, float]:
        """What each seat expects if both play the strategy."""
        return self._expected([list(each) for each in strategy])

    def best_response(self, seat: Seat, strategy: Strategy) -> tuple[float, float]:
        """What each seat expects if `seat` plays a best response to the strategy and the other plays the strategy."""
        reach = [node.chance for node in self._nodes]  # by chance and the other's actions alone
        for number, node in enumerate(self._nodes):
            if node.information_set >= 0:
                mine = self.sets[node.information_set].seat == seat
                for child, share in zip(node.children, strategy[node.information_set], strict=True):
                    reach[child] = reach[number] * (1.0 if mine else share)
        played = [list(each) for each in strategy]
        values = [0.0] * len(self._nodes)
        by_decisions: dict[int, list[int]] = {}
        for number, node in enumerate(self._nodes):
            by_decisions.setdefault(node.decisions[seat], []).append(number)
        own: dict[int, list[int]] = {}
        for place, each in enumerate(self.sets):
            if each.seat == seat:
                own.setdefault(each.decisions, []).append(place)
        for decisions in sorted(by_decisions, reverse=True):  # what follows a decision is known before it is made
            for place in own.get(decisions, ()):
                each = self.sets[place]
                gains = [
                    sum(reach[number] * values[self._nodes[number].children[choice]] for number in each.nodes)
                    for choice in range(len(each.legal))
                ]
                best = gains.index(max(gains))
                played[place] = [float(choice == best) for choice in range(len(each.legal))]
            for number in reversed(by_decisions[decisions]):
                node = self._nodes[number]
                if node.information_set < 0:
                    values[number] = node.returns[seat]
                else:
                    shares = played[node.information_set]
                    values[number] = sum(
                        share * values[child] for child, share in zip(node.children, shares, strict=True) if share
                    )
        return self._expected(played)

    def _expected(self, strategy: list[list[float]]) -> tuple[float, float]:
        reach = [node.chance for node in self._nodes]
        totals = [0.0, 0.0]
        for number, node in enumerate(self._nodes):
            if node.information_set < 0:
                totals[0] += reach[number] * node.returns[0]
                totals[1] += reach[number] * node.returns[1]
            else:
                for child, share in zip(node.children, strategy[node.information_set], strict=True):
                    reach[child] = reach[number] * share
        return totals[0], totals[1]


def _with(pair: tuple[int, int], seat: Seat, value: int) -> tuple[int, int]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)
