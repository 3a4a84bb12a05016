"""Every deal of a small game, for algorithms that need all of them; all are equally likely.

Dominoes: every pair of hands, with ``variant=block`` or without a boneyard, so that nothing else is hidden. Kittens:
every order of the deck, without Shuffle cards, which would bring in new chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from ludoteca.errors import InvalidOption
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.kittens.game import Kittens
from ludoteca.messages import say
from ludoteca.protocols import Game, State

MOST: Final = 20_000


def every_deal(game: Game) -> list[Callable[[], State]]:
    """A function for each deal. Raises InvalidOption if they cannot be listed."""
    listed = LISTS.get(game.name)
    if listed is None:
        raise InvalidOption(
            "deals=0: every deal can be listed of {games} only, not of {game}", games=[*LISTS], game=game.spec
        )
    return listed(game)


def _of_dominoes(rules: Game) -> list[Callable[[], State]]:
    """Seeds are tried until no deal is missing, so that the game itself decides who begins."""
    game = expect(rules, Dominoes)
    if game.variant != "block" and game.num_tiles > 2 * game.hand:
        raise InvalidOption(say("deals=0: with a boneyard to draw from there are too many deals; use variant=block"))
    count = math.comb(game.num_tiles, game.hand) * math.comb(game.num_tiles - game.hand, game.hand)
    _check(game, count)
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    seed = 0
    while len(found) < count:
        state = game.deal(seed)
        found.setdefault(tuple(tuple(sorted(state.view(seat).hand)) for seat in (0, 1)), seed)
        seed += 1
    return [partial(game.deal, found[hands]) for hands in sorted(found)]


def _of_kittens(rules: Game) -> list[Callable[[], State]]:
    """The usual hands with the deck in every order, by `Kittens.deal_from`."""
    game = expect(rules, Kittens)
    cards = {name.lower(): number for name, number in game.counts.items() if number}
    if "shuffle" in cards or game.options["rules"] != "clean":
        raise InvalidOption("deals=0: only rules=clean and decks without Shuffle cards, not {game}", game=game.spec)
    _check(game, math.factorial(sum(cards.values())) // math.prod(map(math.factorial, cards.values())))
    hand = "defuse skip attack"
    starts = [f"deck: {' '.join(deck)}; 0: {hand}; 1: {hand}" for deck in _orders(list(cards.items()))]
    return [partial(game.deal_from, start, 0) for start in starts]


def _orders(cards: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """Every order of these cards, given with their counts; equal cards are interchangeable."""
    if not any(count for _, count in cards):
        yield []
    for place, (card, count) in enumerate(cards):
        if count:
            for rest in _orders([*cards[:place], (card, count - 1), *cards[place + 1 :]]):
                yield [card, *rest]


LISTS: Final = {"dominoes": _of_dominoes, "kittens": _of_kittens}
"""By the name of the game."""


def _check(game: Game, count: int) -> None:
    if count > MOST:
        raise InvalidOption(
            "deals=0: {game} has {count} deals, and at most {most} are listed", game=game.spec, count=count, most=MOST
        )
