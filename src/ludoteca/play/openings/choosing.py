"""Whether a game needs openings, and which ones a run uses."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.messages import say
from ludoteca.play.openings.making import line_key, more_openings
from ludoteca.play.openings.suite import Suite, suite_of
from ludoteca.protocols import Action, Game, State

DEALS, LINES, LONGEST = 8, 4, 200
"""How many deals are compared, along how many lines of play, and the most actions of a line."""

_known: dict[str, bool] = {}


def needs_openings(game: Game) -> bool:
    """Whether all deals of a game are the same, so that deterministic agents would repeat one match.

    Deals count as the same when both seats see the same along random lines of play: in some games a difference shows
    only when a card is drawn.
    """
    if game.spec not in _known:
        _known[game.spec] = all(_alike(game, random.Random(line)) for line in range(LINES))
    return _known[game.spec]


def _alike(game: Game, chance: random.Random) -> bool:
    states = [game.deal(seed) for seed in range(DEALS)]
    for _ in range(LONGEST):
        if len({_shown(state) for state in states}) > 1:
            return False
        if states[0].turn is None:
            return True
        action = chance.choice(states[0].legal())
        for state in states:
            state.apply(action)
    return True


def _shown(state: State) -> tuple[object, ...]:
    return state.turn, bytes(state.view(0)), bytes(state.view(1)), tuple(state.legal())


def openings_for(game: Game, count: int, given: str | None = None) -> list[tuple[Action, ...]]:
    """Up to `count` distinct openings; fewer only where the game has no more. Raises InvalidOption.

    given: a file with a suite; by default the one that ships with Ludoteca. If the suite has too few, more are made.
    The first openings are the same for any `count`.
    """
    return list(itertools.islice(_openings(game, given), count))


def _openings(game: Game, given: str | None) -> Iterator[tuple[Action, ...]]:
    suite = suite_of(game) if given is None else _read(Path(given), game)
    known: set[bytes] = set()
    for line in suite.lines(game) if suite else ():
        key = line_key(game, line)
        if key is not None and key not in known:
            known.add(key)
            yield line
    yield from more_openings(game, known)


def _read(path: Path, game: Game) -> Suite:
    try:
        suite = Suite.from_json(path.read_text(encoding="utf-8"))
        fits = suite.fits(game)
        suite.lines(game) if fits else []
    except OSError as error:
        reason = say("the openings {file} cannot be read: {why}", file=str(path), why=error.strerror or str(error))
        raise InvalidOption(reason) from error
    except (LudotecaError, ValueError) as error:
        reason = say("the openings {file} cannot be used: {why}", file=str(path), why=error)
        raise InvalidOption(reason) from error
    if not fits:
        raise InvalidOption(
            "the openings {file} are for {other}, not for {game}", file=str(path), other=suite.game, game=game.spec
        )
    return suite
