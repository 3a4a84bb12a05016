"""Matches of Kittens in the core, in the words of the reference."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import ludoteca
from ludoteca import _core
from ludoteca.games.kittens.cards import ACTIONS, CARDS
from ludoteca.games.kittens.game import Kittens
from tests.games.kittens.reference import COUNTED, PLAYABLE, Seen, Table, World, worlds


def kittens(spec: str) -> Kittens:
    game = ludoteca.game(spec)
    assert isinstance(game, Kittens)
    return game


def play(state: _core.KittensState, text: str) -> None:
    """Plays actions written as ``draw, place top, skip``."""
    for word in text.split(", "):
        state.apply(state.game.parse_action(word))


def table_of(game: Kittens, state: _core.KittensState, *, arranged: bool = False) -> Table:
    """The reference with the same cards, at the start of a match."""
    views = [state.view(0), state.view(1)]
    return Table(
        [CARDS[card] for card in game.deck_of(state)],
        original=game.options["rules"] == "original",
        stack=game.options["stack"],
        any_place=game.options["place"] == "any",
        max_turns=game.options["max_turns"],
        arranged=arranged,
        hands=[Counter(dict(counted(view.hand))) for view in views],
        turn=state.turn,
        owed=views[0].owed,
        lost=views[0].gone[0],
    )


def observed(view: _core.KittensView) -> list[Seen]:
    """The log of a view in the words of the reference."""
    out: list[Seen] = []
    game: Kittens = view.game
    events = game.events(view)
    original, holding = game.options["rules"] == "original", False
    for number, event in enumerate(events, start=1):
        seat, mine, last = event.seat, event.seat == view.seat, number == len(events)
        if event.what in PLAYABLE:
            out.append((seat, f"plays {event.what}", None))
            if event.what == "see" and not original:
                out.append((seat, "looks", event.cards if mine else None))
            continue
        end = "bottom" if event.what.endswith("bottom") else "top"
        bomb = event.what.startswith("bomb")
        if bomb:
            out.append((seat, f"draws a bomb from the {end}", None))
        else:
            what = {None: "a card", True: "a counted card", False: "another card"}[event.counted]
            out.append((seat, f"draws {what} from the {end}", event.cards[0] if mine else None))
        if bomb and last and view.loser is not None:
            out.append((seat, "explodes", None))
            break
        # The original's seat 0 draws on before it puts back a bomb that came from the bottom.
        holding = (bomb or holding) and not (last and view.placing)
        waits = original and seat == 0 and event.what == "bomb bottom" and not last and events[number].seat == 0
        if holding and not waits:
            out.append((seat, "puts the bomb back", event.depth if mine else None))
            holding = False
    return out


def counted(hand: Sequence[int]) -> tuple[tuple[str, int], ...]:
    return tuple((card, count) for card, count in zip(CARDS, hand, strict=True) if count)


def world_of(game: Kittens, state: _core.KittensState, seat: int) -> World:
    """What `seat` cannot see of a state."""
    view = state.view(1 - seat)
    return tuple(CARDS[card] for card in game.deck_of(state)), counted(view.hand), tuple(observed(view))


def shuffled_order(game: Kittens, state: _core.KittensState, seat: int, events: int) -> list[str]:
    """The deck as a shuffle left it, which was event number `events`: what was drawn since, then what is there."""
    drawn = [event.cards[0] for event in game.events(state.view(seat))[events + 1 :]]
    return drawn + [CARDS[card] for card in game.deck_of(state)]


def random_start(game: Kittens, chance: random.Random) -> str:
    """A position of any cards that this game has; now and then the second hand is only a number."""
    first, second, deck, gone = places = ([], [], [], [])  # type: tuple[list[str], list[str], list[str], list[str]]
    many = chance.randrange(1, 4), chance.randrange(1, 4), chance.randrange(1, 9), chance.randrange(5)
    for card, count in game.counts.items():
        for _ in range(count + 2 * (card in ("Defuse", "Skip", "Attack"))):
            place = chance.choices((0, 1, 2, 3), many)[0]
            places[max(place, 2) if card == "Bomb" else place].append(card)
    while len(deck) > game.max_deck:
        gone.append(deck.pop())
    if not deck:
        deck.append((gone or second or first).pop())
    chance.shuffle(deck)
    return game.start(
        deck=deck,
        hands=(first, len(second) if chance.random() < 0.3 else second),
        turn=chance.randrange(2),
        owed=chance.randint(1, game.max_owed),
    )


@dataclass
class Story:
    """A match up to some moment, and what must be given to the reference to follow it."""

    game: Kittens
    state: _core.KittensState
    start: Table
    actions: list[str]
    orders: list[list[str]]
    """What each shuffle gave."""

    def worlds(self, seat: int) -> dict[World, float]:
        return worlds(self.start, self.actions, self.orders, seat)


def follow(
    game: Kittens, seed: int, steps: int, *, eager: bool = False, start: str | None = None, first: str = ""
) -> Story:
    """A random match of so many actions, fond of cards; an eager one looks where it can, then shuffles."""
    state, chance = game.deal(seed) if start is None else game.deal_from(start, seed), random.Random(seed)
    story = Story(game, state, table_of(game, state, arranged=start is not None), [], [])
    while state.turn is not None and len(story.actions) < steps:
        legal, seat, before = state.legal(), state.turn, len(state.view(0).log)
        cards = [action for action in legal if action] or legal
        action = chance.choice(cards if chance.random() < 0.6 else legal)
        if eager:
            looked = any(event.what == "see" and event.seat == seat for event in game.events(state.view(seat)))
            action = 6 if 6 in legal else 8 if 8 in legal and looked else chance.choice([legal[0]] * 4 + legal)
        if first and not story.actions:
            action = game.parse_action(first)
        shuffles = action == 8 and state.view(seat).hand[CARDS.index("Shuffle")]
        state.apply(action)
        story.actions.append(game.action_name(action))
        if shuffles:
            story.orders.append(shuffled_order(game, state, seat, before))
    return story


def play_in_step(
    game: Kittens,
    state: _core.KittensState,
    chance: random.Random,
    watch: Callable[[Table], None] = lambda slow: None,
) -> None:
    """Plays a random match to its end, in the core and in the reference, and compares them after each action."""
    slow = table_of(game, state)
    while True:
        assert state.turn == slow.turn
        assert [game.action_name(action) for action in state.legal()] == sorted(slow.legal(), key=game.parse_action)
        assert [CARDS[card] for card in game.deck_of(state)] == slow.deck
        assert state.returns() == slow.returns()
        for seat in (0, 1):
            view = state.view(seat)
            assert dict(counted(view.hand)) == +slow.hands[seat]
            assert observed(view) == slow.seen[seat]
            assert (view.deck_size, view.bombs) == (len(slow.deck), slow.deck.count("Bomb"))
            assert view.hand_sizes == tuple(sum(hand.values()) for hand in slow.hands)
            assert (view.turns, view.placing, view.loser) == (slow.turns, slow.placing, slow.loser)
            assert slow.turn is None or view.owed == slow.owed
            count = [sum(hand[card] for card in COUNTED) for hand in slow.hands]
            assert view.counted == (tuple(count) if slow.original else None)
            assert view.gone[0] == slow.lost
            if slow.original and slow.turn == seat:
                assert view.seed_observation == slow.eleven(seat)
        if state.turn is None:
            break
        watch(slow)
        seat, before = state.turn, len(state.view(0).log)
        action = chance.choice(state.legal())
        state.apply(action)
        order = shuffled_order(game, state, seat, before) if ACTIONS[min(action, 8)] == "shuffle" else []
        slow.shuffled = lambda deck, order=order: check_same_cards(deck, order)  # type: ignore[misc]
        slow.play(game.action_name(action))


def check_same_cards(deck: list[str], order: list[str]) -> list[str]:
    assert sorted(deck) == sorted(order)
    return order
