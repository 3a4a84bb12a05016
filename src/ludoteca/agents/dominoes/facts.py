"""What is true of a tile that is laid: whether the other can follow, what only this seat can lay, what it keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from math import comb

from ludoteca import _core
from ludoteca.agents.reasons import rounded_chance
from ludoteca.games.core_game import expect
from ludoteca.games.dominoes.tiles import numbers, tile_name
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Action, Decision, Reason, View

LIKELY = 0.5
"""The chance that the other cannot follow from which it is worth saying."""
FEW_TILES = 2
"""So many tiles with which the other can follow are named,"""
WORTH_NAMING = 0.25
"""if it has none of them with at least this chance."""
MOST_HANDS = 2000
"""Hands of the other that are counted one by one, which takes some milliseconds."""


def facts(view: View, decision: Decision) -> Iterator[Reason]:
    """What is true of the chosen action, the most important first; see `agents.reasons`."""
    table = expect(view, _core.DominoesView)
    if decision.action < table.game.draw_action:
        yield from _facts_of(table, decision.action)


def skill_missed(view: View, action: Action, best: Decision) -> str | None:
    """See `agents.reasons.skill_missed`."""
    table = expect(view, _core.DominoesView)
    if max(action, best.action) >= table.game.draw_action:
        return None
    follow, better_follow = (_tiles_that_follow(table, each) for each in (action, best.action))
    if better_follow < follow:
        return say("the other's hand: remember which numbers it lacks, and leave those open")
    kept, better_kept = (
        _fitting((tile for tile in table.hand if tile != each // 2), _ends_after(table, each))
        for each in (action, best.action)
    )
    if better_kept > kept:
        return say("your next turn: keep tiles that fit the ends that you leave")
    if _pips(best.action // 2) > _pips(action // 2):
        return say("weight: lay heavy tiles while you can")
    return say("the choice of the end: which number stays open")


def _tiles_that_follow(table: _core.DominoesView, action: Action) -> int:
    """How many tiles that the other may have fit after an action."""
    return _fitting(_possible(table, action), _ends_after(table, action))


@lru_cache(maxsize=64)
def _facts_of(table: _core.DominoesView, action: Action) -> tuple[Reason, ...]:
    """Cached, because a search often comes back to the same tile."""
    return tuple(_found(table, action))


def _found(table: _core.DominoesView, action: Action) -> Iterator[Reason]:
    tile = action // 2
    kept = [each for each in table.hand if each != tile]
    if not kept:
        yield Reason(say("it lays its last tile"), (action,))
        return
    ends = _ends_after(table, action)
    yield from _reply(table, action, kept)
    yield from _own_end(table, ends, kept)
    pips = _pips(tile)
    if pips > max(map(_pips, kept)):
        yield Reason(
            say_count("it lays its heaviest tile, of {count} pip", "it lays its heaviest tile, of {count} pips", pips),
            (action,),
        )
    if len(set(numbers(tile))) == 1:
        yield Reason(say("it lays a double, which fits only one number"), (action,))
    yield from _fitting_kept(table, action, kept)


def _reply(table: _core.DominoesView, action: Action, kept: list[int]) -> Iterator[Reason]:
    """Whether the other can follow, and with what."""
    ends, possible = _ends_after(table, action), _possible(table, action)
    fitting = [tile for tile in possible if _fits(tile, ends)]
    lacked = [number for number in ends if not any(number in numbers(tile) for tile in possible)]
    if not fitting:
        can_draw = table.game.variant == "draw" and table.boneyard
        if can_draw or _fitting(kept, ends):
            numbers_lacked = _alternatives(map(str, ends))
            text = say("the other cannot follow: it has no {numbers}", numbers=numbers_lacked)
            yield Reason(text, _hidden_with(table, ends))
        else:
            yield from _blocked(table, kept, possible)
        return
    chance = _stuck_chance(table, action)
    if len(fitting) <= FEW_TILES and chance is not None and chance >= WORTH_NAMING:
        names = _alternatives(map(tile_name, fitting))
        yield Reason(
            say("the other can follow only with {tiles}, which it has with a chance of {chance:.0%}",
                tiles=names, chance=rounded_chance(1 - chance)),
            tuple(2 * tile for tile in fitting),
        )  # fmt: skip
    elif chance is not None and chance >= LIKELY:
        text = say("the other cannot follow with a chance of {chance:.0%}", chance=rounded_chance(chance))
        yield Reason(text, _hidden_with(table, ends))
    elif lacked:
        yield Reason(say("the other has no {number}", number=lacked[0]), _hidden_with(table, lacked[:1]))


def _blocked(table: _core.DominoesView, kept: list[int], possible: list[int]) -> Iterator[Reason]:
    """That the match ends because no hand has a tile that fits, and who then wins, where that is certain."""
    yield Reason(say("no hand has a tile that fits: the match ends"))
    mine, held = sum(map(_pips, kept)), table.counts[1 - table.seat]
    least = sum(sorted(map(_pips, possible))[:held])
    if table.game.options["blocked"] == "pips" and mine < least:
        yield Reason(say_count("its hand is lighter, with {count} pip", "its hand is lighter, with {count} pips", mine))


def _own_end(table: _core.DominoesView, ends: list[int], kept: list[int]) -> Iterator[Reason]:
    """A number at an end that only this seat has left, so that its tiles can wait."""
    for number in ends:
        mine = [tile for tile in kept if number in numbers(tile)]
        if mine and not any(number in numbers(tile) for tile in table.unseen):
            yield Reason(
                say("only it has a {number}: it keeps {tiles} for last",
                    number=number, tiles=joined(map(tile_name, mine), say(" and "))),
                tuple(2 * tile for tile in mine),
            )  # fmt: skip
            return


def _fitting_kept(table: _core.DominoesView, action: Action, kept: list[int]) -> Iterator[Reason]:
    """How many of its tiles fit the ends as they are then, and whether another action would keep fewer."""
    fitting = [tile for tile in kept if _fits(tile, _ends_after(table, action))]
    count, places = len(fitting), tuple(2 * tile for tile in fitting)
    others = [
        _fitting([tile for tile in table.hand if tile != each // 2], _ends_after(table, each))
        for each in table.legal()
        if each != action
    ]
    if others and count > max(others):
        yield Reason(
            say_count("it keeps {count} tile that fits now, more than with any other choice",
                      "it keeps {count} tiles that fit now, more than with any other choice", count),
            places,
        )  # fmt: skip
    elif count:
        text = say_count("it keeps {count} tile that fits now", "it keeps {count} tiles that fit now", count)
        yield Reason(text, places)


def _ends_after(table: _core.DominoesView, action: Action) -> list[int]:
    """The numbers at the ends once a tile is laid, each once."""
    high, low = numbers(action // 2)
    if table.ends is None:
        return sorted({high, low})
    side = action % 2
    return sorted({high + low - table.ends[side], table.ends[1 - side]})


def _hidden_with(table: _core.DominoesView, some: Collection[int]) -> tuple[Action, ...]:
    """Where the tiles with these numbers that the seat does not see would be laid on the left."""
    return tuple(2 * tile for tile in table.unseen if _fits(tile, some))


def _fits(tile: int, ends: Iterable[int]) -> bool:
    return not set(ends).isdisjoint(numbers(tile))


def _fitting(tiles: Iterable[int], ends: list[int]) -> int:
    return sum(_fits(tile, ends) for tile in tiles)


def _pips(tile: int) -> int:
    return sum(numbers(tile))


def _possible(table: _core.DominoesView, action: Action) -> list[int]:
    """The tiles that the other may have.

    Until it draws it has none that would have started in place of the first tile.
    """
    lacks = set(table.lacks[1 - table.seat])
    tiles = [tile for tile in table.unseen if lacks.isdisjoint(numbers(tile))]
    first, seat, _ = table.line[0] if table.line else (action // 2, table.seat, 0)
    if not table.highest_starts or seat is None or _has_drawn(table):
        return tiles
    return [tile for tile in tiles if _rank(tile) < _rank(first)]


def _rank(tile: int) -> tuple[int, ...]:
    """Which of two tiles starts: the higher double, or without a double the heavier tile."""
    high, low = numbers(tile)
    return (1, high) if high == low else (0, high + low, high)


def _has_drawn(table: _core.DominoesView) -> bool:
    """Whether the other has drawn a tile."""
    return any(seat != table.seat and action == table.game.draw_action for seat, action, *_ in table.stuck)


def _stuck_chance(table: _core.DominoesView, action: Action) -> float | None:
    """The chance that no tile of the other fits after an action, over all deals; None if it is not easily computed.

    If the other has not drawn, its hand is a random choice of the tiles that it may have. Otherwise it matters when
    each of its tiles came, and the possible hands are counted.
    """
    ends = _ends_after(table, action)
    if not _has_drawn(table):
        possible, held = _possible(table, action), table.counts[1 - table.seat]
        return comb(len(possible) - _fitting(possible, ends), held) / comb(len(possible), held)
    hands = _core.dominoes_hands(table, MOST_HANDS)
    if hands is None:
        return None
    return sum(deals for hand, deals in hands if not _fitting(hand, ends)) / sum(deals for _, deals in hands)


def _alternatives(names: Iterable[str]) -> str:
    return joined(names, say(" or "))
