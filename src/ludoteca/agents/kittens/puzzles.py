"""Makes and proves puzzles of Kittens; see `ludoteca.agents.puzzles.makers.PuzzleMaker`.

The worlds of a position are all orders of the deck and all hands of the other seat with which the same actions lead to
the same view. A Shuffle would make the order depend on chance, so none is in play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from ludoteca import _core, games
from ludoteca.agents.puzzles.makers import begun, reached
from ludoteca.agents.puzzles.proofs import ActionVerdict, World, prove_actions
from ludoteca.errors import LudotecaError
from ludoteca.games.core_game import expect
from ludoteca.games.kittens.cards import CARDS as CARD_NAMES
from ludoteca.games.kittens.cards import FIRST_HAND
from ludoteca.games.kittens.game import Kittens
from ludoteca.games.lesson import Position
from ludoteca.games.start_notation import read_start
from ludoteca.protocols import Action

CARDS: Final = ("defuse", "skip", "skip", "attack", "attack", "see", "see", "bottom", "bottom", "safe", "safe")
"""What hands and decks are made of, besides bombs."""
GAME: Final = "kittens:deck=rich"
MOST_WORLDS: Final = 800
MOST_TRIED: Final = 4_000
"""Decks and hands that are tried to find the worlds."""
MOST_POSITIONS: Final = 120_000
"""For the proof of one action."""


def candidates(chance: Random) -> Iterator[Position]:
    """The end of a match: some cards in the deck and in the hands, after a few actions."""
    game = expect(games.game(GAME), Kittens)
    bombs = chance.choice((1, 1, 2))
    deck = ["bomb"] * bombs + chance.choices(CARDS, k=chance.randint(0, 3))
    chance.shuffle(deck)
    hands = [chance.choices(CARDS, k=chance.randint(0, 4)) for _ in (0, 1)]
    start = game.start(deck=deck, hands=(hands[0], hands[1]), turn=chance.randint(0, 1), owed=chance.choice((1, 1, 2)))
    try:
        state = game.deal_from(start, 0)
    except LudotecaError:
        return
    names: list[str] = []
    for _ in range(5):
        if state.turn is None:
            return
        if len(state.legal()) > 1:
            yield Position(GAME, tuple(names), 0, start)
        action = chance.choice(state.legal())
        names.append(game.action_name(action))
        state.apply(action)


def verdicts(position: Position) -> Mapping[Action, ActionVerdict] | None:
    """What is proven of each action over all decks and hands that there may be."""
    found = worlds(position)
    return prove_actions(found, MOST_POSITIONS) if found else None


def certain(position: Position) -> tuple[Sequence[int], Sequence[int]] | None:
    """The kinds of cards that the other may hold, and those that are in all its possible hands."""
    found = worlds(position)
    if not found:
        return None
    state = found[0][1]
    assert state.turn is not None
    hands = [expect(each.view(1 - state.turn), _core.KittensView).hand for _, each in found]
    kinds = range(1, len(hands[0]))
    view = expect(state.view(state.turn), _core.KittensView)
    counts = _unseen(position, view.seat)
    return [card for card in kinds if counts[card]], [card for card in kinds if all(hand[card] for hand in hands)]


def unseen(position: Position) -> Sequence[int]:
    """The cards of the other hand and of the deck."""
    counts = _unseen(position, reached(position).turn or 0)
    return [card for card, count in enumerate(counts) for _ in range(count)]


def piece_name(piece: int) -> str:
    """The card."""
    return CARD_NAMES[piece]


def same(position: Position) -> str:
    """What the seat on turn sees, with the names of the seats left out."""
    state = reached(position)
    assert state.turn is not None
    view = expect(state.view(state.turn), _core.KittensView)
    return f"{view.hand} {view.known} {view.deck_size} {view.owed} {view.placing} {_unseen(position, view.seat)}"


@lru_cache(maxsize=4)
def worlds(position: Position) -> Sequence[World] | None:
    """All worlds that the seat on turn cannot tell apart; None if they are too many."""
    game, state = expect(games.game(position.game), Kittens), reached(position)
    parts = read_start(position.start, ("deck", "0", "1", "turn", "owed"))
    if state.turn is None or {"deck", "0", "1"} - parts.keys() or "shuffle" in position.start:
        return None
    seat, found = state.turn, list[World]()
    view = bytes(state.view(seat))
    hidden = Counter(parts["deck"]) + Counter(parts[str(1 - seat)])
    size, tried = len(parts["deck"]), 0
    for order in _orders(hidden, sum(hidden.values())):
        deck, theirs = order[:size], order[size:]
        if list(theirs) != sorted(theirs) or "bomb" in theirs:
            continue
        tried += 1
        if tried > MOST_TRIED or len(found) > MOST_WORLDS:
            return None
        hands = (parts["0"], theirs) if seat == 0 else (theirs, parts["1"])
        start = game.start(deck=deck, hands=hands, turn=int(parts["turn"][0]), owed=int(parts["owed"][0]))
        world = begun(game, start, position.seed)
        try:
            for name in position.actions:
                world.apply(game.parse_action(name))
        except LudotecaError:
            continue
        if world.turn == seat and bytes(world.view(seat)) == view:
            found.append((start, world))
    return found


def _orders(cards: Counter[str], count: int) -> Iterator[tuple[str, ...]]:
    """All different orders of these cards."""
    if not count:
        yield ()
    for card in sorted(cards):
        if cards[card]:
            cards[card] -= 1
            for rest in _orders(cards, count - 1):
                yield (card, *rest)
            cards[card] += 1


def _unseen(position: Position, seat: int) -> list[int]:
    """By card how many there are in the deck and in the other's hand, to that seat."""
    view = expect(reached(position).view(seat), _core.KittensView)
    game = expect(view.game, Kittens)
    total = [count + 2 * (card in FIRST_HAND) for card, count in enumerate(game.counts.values())]
    played = [one + two for one, two in zip(*view.played, strict=True)]
    return [
        every - mine - gone - used for every, mine, gone, used in zip(total, view.hand, view.gone, played, strict=True)
    ]
