"""Kittens as the rules tell it, slowly: lists of words, the top of the deck first.

Chance is not drawn here but given: the first deck, and at each shuffle the order that comes out of it. So a
test can follow the core card by card, or try all orders there are (`worlds`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field

CARDS = ("Bomb", "Defuse", "Skip", "Attack", "See", "Bottom", "Shuffle", "Safe")
PLAYABLE = {"skip": "Skip", "attack": "Attack", "see": "See", "bottom": "Bottom", "shuffle": "Shuffle"}
COUNTED = ("Defuse", "Skip", "Attack", "Safe")
"""The original tells how many of these each hand has."""

Seen = tuple[int, str, object]
"""Who did what, as both see it, and what the watching seat alone saw of it (None: nothing)."""
World = tuple[tuple[str, ...], tuple[tuple[str, int], ...], tuple[Seen, ...]]
"""What one seat does not know: the deck, the other's hand, and all that the other has seen."""


@dataclass
class Table:
    """A match: `play` takes the names of actions."""

    deck: list[str]
    original: bool = False
    stack: bool = False
    any_place: bool = False
    max_turns: int = 200
    arranged: bool = False
    """Set up by hand: neither seat knows which cards the other began with."""
    shuffled: Callable[[list[str]], list[str]] = sorted
    hands: list[Counter[str]] = field(default_factory=lambda: [Counter(Defuse=1, Skip=1, Attack=1) for _ in range(2)])
    turn: int | None = 0
    owed: int = 1
    turns: int = 0
    placing: bool = False
    loser: int | None = None
    lost: int = 0
    """Bombs that are out of play: left out by hand, or never put back."""
    did: list[list[str]] = field(default_factory=lambda: [[], []])
    """What each seat did in the turn it had last, or has now, draws apart: the card it played, ``defuse``."""
    seen: tuple[list[Seen], list[Seen]] = field(default_factory=lambda: ([], []))

    def copy(self) -> Table:
        twin = copy(self)
        twin.deck, twin.hands = list(self.deck), [Counter(hand) for hand in self.hands]
        twin.seen, twin.did = (list(self.seen[0]), list(self.seen[1])), [list(did) for did in self.did]
        return twin

    def legal(self) -> list[str]:
        if self.turn is None:
            return []
        if self.placing:
            if self.any_place:
                return [f"place {depth}" for depth in range(len(self.deck) + 1)]
            return ["place top", "place middle", "place bottom"]
        held = [name for name, card in PLAYABLE.items() if self.original or self.hands[self.turn][card]]
        return ["draw", *held]

    def play(self, action: str) -> None:
        if self.placing:
            self.place(action)
        elif self.original:
            self.play_original(action)
        else:
            self.play_clean(action)

    def play_clean(self, action: str) -> None:
        if action in PLAYABLE:
            self.discard(action)
        if action == "draw":
            self.draw(0)
        elif action == "skip":
            self.owed -= 1
        elif action == "attack":
            self.end_turn(self.owed + 2 if self.stack and self.owed >= 2 else 2)
            return
        elif action == "see":
            self.tell("looks", tuple(self.deck[:3]))
        elif action == "bottom":
            self.draw(-1)
        elif action == "shuffle":
            self.deck = self.shuffled(self.deck)
        if self.owed == 0 and not self.placing and self.loser is None:
            self.end_turn(1)

    def play_original(self, action: str) -> None:
        assert self.turn is not None
        if action in PLAYABLE and not self.hands[self.turn][PLAYABLE[action]]:
            action = "draw"
        if action in PLAYABLE:
            self.discard(action)
        if action == "attack":
            self.end_turn(2)
            return
        if action == "skip":
            self.owed -= 1
        if action == "shuffle":
            self.deck = self.shuffled(self.deck)
        if action == "bottom":
            self.draw(-1)
            if self.placing and self.turn == 0 and self.owed:
                self.draw(0)  # with the bomb still in its hand
        self.draw_all()

    def draw_all(self) -> None:
        while self.owed > 0 and not self.placing and self.loser is None:
            self.draw(0)
        if not self.placing and self.loser is None:
            self.end_turn(1)

    def draw(self, end: int) -> None:
        assert self.turn is not None
        self.owed -= 1
        if not self.deck:
            return
        card = self.deck.pop(end)
        hand = self.hands[self.turn]
        where = "bottom" if end else "top"
        if card != "Bomb":
            self.tell(f"draws {self.kind(card)} from the {where}", card)
            hand[card] += 1
            return
        self.tell(f"draws a bomb from the {where}", None)
        self.lost += self.placing
        if hand["Defuse"]:
            hand["Defuse"] -= 1
            self.did[self.turn].append("defuse")
            self.placing = True
            if self.original and self.turn == 0 and where == "top":
                self.owed = 0
        else:
            self.tell("explodes", None)
            self.loser, self.turn, self.placing = self.turn, None, False

    def kind(self, card: str) -> str:
        """What both seats learn of a drawn card."""
        return "a card" if not self.original else "a counted card" if card in COUNTED else "another card"

    def place(self, action: str) -> None:
        n = len(self.deck)
        where = action.removeprefix("place ")
        above = (n + 1) // 2 if self.original else n // 2  # the original counts from the bottom
        depth = {"top": 0, "middle": above, "bottom": n}[where] if where.isalpha() else int(where)
        self.deck.insert(depth, "Bomb")
        self.tell("puts the bomb back", depth)
        self.placing = False
        if self.original:
            self.draw_all()
        elif self.owed == 0:
            self.end_turn(1)

    def discard(self, action: str) -> None:
        assert self.turn is not None
        self.hands[self.turn][PLAYABLE[action]] -= 1
        self.did[self.turn].append(action)
        self.tell(f"plays {action}", None)

    def end_turn(self, owed: int) -> None:
        assert self.turn is not None
        self.turns += 1
        self.turn = 1 - self.turn if self.turns < self.max_turns else None
        self.owed = owed
        if self.turn is not None:
            self.did[self.turn] = []

    def tell(self, what: str, secret: object) -> None:
        assert self.turn is not None
        self.seen[self.turn].append((self.turn, what, secret))
        self.seen[1 - self.turn].append((self.turn, what, None))

    def eleven(self, seat: int) -> list[float]:
        """What the original's network is shown when this seat decides."""
        mine, yours, deck, bombs = self.hands[seat], self.hands[1 - seat], len(self.deck), self.deck.count("Bomb")
        return [
            deck / 30,
            bombs / 4,
            bombs / deck if deck else 0,
            *(mine[card] for card in ("Defuse", "Skip", "Attack")),
            1 if self.placing else self.owed,
            sum(yours[card] for card in COUNTED) / 31,
            *(float(self.did[1 - seat][-1:] == [action]) for action in ("skip", "attack")),
            float(self.placing),
        ]

    def returns(self) -> tuple[int, int]:
        return (0, 0) if self.loser is None else (1, -1) if self.loser == 1 else (-1, 1)

    def world(self, seat: int) -> World:
        """What `seat` cannot see."""
        hand = self.hands[1 - seat]
        return (
            tuple(self.deck),
            tuple((card, hand[card]) for card in CARDS if hand[card]),
            tuple(self.seen[1 - seat]),
        )


def orders(cards: Sequence[str]) -> Iterator[list[str]]:
    """All orders of these cards that look different."""
    if not cards:
        yield []
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for order in orders(rest):
            yield [card, *order]


def openings(start: Table, seat: int) -> Iterator[Table]:
    """Every first deck, and where it is not known every first hand of the other, each as often as it is likely."""
    other = 1 - seat
    hand = [card for card in start.hands[other].elements() if start.arranged]
    for order in orders([*hand, *start.deck]):
        table = start.copy()
        if start.arranged:
            table.hands[other] = Counter(order[: len(hand)])
            told = [sum(each.hands[other][card] for card in COUNTED) for each in (start, table)]
            if table.hands[other]["Bomb"] or (start.original and told[0] != told[1]):
                continue
        table.deck = order[len(hand) :]
        yield table


def worlds(start: Table, actions: Sequence[str], shuffles: Sequence[list[str]], seat: int) -> dict[World, float]:
    """Every world that `seat` must think possible after these actions, and how likely each is.

    All openings, all results of shuffles and all places where the other can have put a bomb are tried,
    each being as likely as any other; those stay in which `seat` sees what it saw.
    """
    truth, results, visible = start.copy(), iter(shuffles), []
    truth.shuffled = lambda deck: list(next(results))
    for action in actions:
        who, before = truth.turn, len(truth.seen[0])
        hidden = truth.placing and who != seat
        truth.play(action)
        events = [what for _, what, _ in truth.seen[0][before:]]
        if who != seat and not hidden and action in PLAYABLE and f"plays {action}" not in events:
            action = "draw"  # a card not held: it looks like a draw
        visible.append("?" if hidden else action)
    target = truth.seen[seat]
    found: dict[World, float] = defaultdict(float)
    public = (truth.turn, truth.owed, truth.turns, truth.placing, truth.loser)

    def explore(table: Table, step: int, weight: float) -> None:
        if table.seen[seat] != target[: len(table.seen[seat])]:
            return
        if step == len(visible):
            if table.seen[seat] == target:
                assert public == (table.turn, table.owed, table.turns, table.placing, table.loser)
                found[table.world(seat)] += weight
            return
        for action in table.legal() if visible[step] == "?" else [visible[step]]:
            if action not in table.legal():
                continue
            assert table.turn is not None
            ways: list[list[str]] | list[None] = [None]
            if action == "shuffle" and table.hands[table.turn]["Shuffle"]:
                ways = list(orders(table.deck))
            for order in ways:
                next_table = table.copy()
                next_table.shuffled = lambda deck, order=order: list(order or [])  # type: ignore[misc]
                next_table.play(action)
                explore(next_table, step + 1, weight / len(ways))

    for table in openings(start, seat):
        explore(table, 0, 1.0)
    total = sum(found.values())
    return {world: weight / total for world, weight in found.items()}
