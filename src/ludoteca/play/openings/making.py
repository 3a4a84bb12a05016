"""Makes openings: tries short random lines and keeps those that favour neither seat."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from ludoteca.agents import agent as agent_of
from ludoteca.errors import InvalidOption
from ludoteca.games.details import details_of
from ludoteca.play.openings.suite import Opening, Suite
from ludoteca.protocols import Action, Decision, Game, Limit, State

Line: TypeAlias = tuple[Action, ...]
SHORT, LONG = (1, 2), (3, 4, 5, 6)
"""Lengths of the openings that are tried first, and of those tried when the first are used up."""
ENUMERATED = 60_000
"""Up to so many lines are listed and shuffled; beyond that, lines are drawn at random."""
PATIENCE = 400
"""Known lines in a row after which a length counts as used up."""
BATCH, KEPT = 256, 64
"""Of every 256 lines the 64 most balanced are taken, so the first openings do not depend on how many follow."""
PLAYOUTS = 400
SKIM, SKIMMED = 1, 4.0
"""Nodes of the short search before the long one, and how many times `within` its value may be from even."""


def more_openings(game: Game, known: Container[bytes] = frozenset()) -> Iterator[Line]:
    """Distinct openings, until the game has no more: always the same for the same game, and cheap to make.

    They are distinct up to the symmetries of the board, and none leads to a position in `known` (see `line_key`).
    Random playouts judge the lines: of every 256 the 64 most balanced come first, the rest when no others of that
    length are left.
    """
    chance = random.Random(f"openings of {game.spec}")
    for lengths in (SHORT, LONG):
        lines = _distinct(game, lengths, chance, known)
        left: list[tuple[float, Line]] = []
        while batch := list(itertools.islice(lines, BATCH)):
            judged = sorted((abs(_by_playouts(game, line)), line) for line in batch)
            chosen = [line for _, line in judged[:KEPT]]
            left += judged[KEPT:]
            chance.shuffle(chosen)
            yield from chosen
        yield from (line for _, line in sorted(left))


def make_suite(
    game: Game,
    count: int,
    *,
    agent: str,
    nodes: int,
    within: float = 0.1,
    resume_from: Sequence[Opening] = (),
    watch: Callable[[int, Suite], None] = lambda tried, suite: None,
) -> Suite:
    """Up to `count` openings of one to three actions that one of our agents finds balanced.

    Lines are tried in random order, short ones first where they can be listed. A line is kept if the agent, searching
    `nodes`, gives it a value of at most `within` from even, in units of returns. A short search first rejects lines far
    from even. Raises InvalidOption if the agent gives no values, or never tries one of `resume_from`.

    resume_from: what an earlier call had kept, when it was stopped or with a smaller `count`, and the same arguments
    otherwise; this call goes on after the last.
    watch: called after each line with the number of lines tried and the suite so far.
    """
    method = f"{agent} with {nodes} nodes; share: the part of the points it expects for seat 0"
    suite, earlier = Suite(game.spec, (), method), list(resume_from[:count])
    chance = random.Random(f"openings of {game.spec}")
    lines = itertools.chain.from_iterable(_distinct(game, each, chance, ()) for each in (SHORT, (LONG[0],)))
    for tried, line in enumerate(lines, 1):
        if len(suite.openings) == count:
            break
        names = tuple(map(game.action_name, line))
        if earlier:
            opening = earlier.pop(0) if names == earlier[0].actions else None
        else:
            value = _even_value(game, line, agent, nodes, within)
            opening = None if value is None else Opening(names, round((value + 1) / 2, 3))
        if opening is not None:
            suite = replace(suite, openings=(*suite.openings, opening))
        watch(tried, suite)
    if earlier:
        raise InvalidOption(
            "the openings cannot be continued: {opening} is never tried for {game}; choose another file to begin anew",
            opening=" ".join(earlier[0].actions),
            game=game.spec,
        )
    return suite


def _even_value(game: Game, line: Line, agent: str, nodes: int, within: float) -> float | None:
    """The value for seat 0 if it is at most `within` from even, else None; None too if one action is forced."""
    if len(_after(game, line).legal()) == 1:
        return None
    # A network's first impression lies between the results; that of a single playout is one, and says nothing.
    if nodes > SKIM and SKIMMED * within < abs(_value(game, line, agent, SKIM)) < 1:
        return None
    value = _value(game, line, agent, nodes)
    return value if abs(value) <= within else None


def _value(game: Game, line: Line, agent: str, nodes: int) -> float:
    """The value that an agent gives seat 0 after these actions."""
    state = _after(game, line)
    seat = state.turn
    assert seat is not None, "an opening does not end a match"
    decision = agent_of(agent)(game, seat, 1).act(state.view(seat), Limit(nodes=nodes))
    if not isinstance(decision, Decision) or decision.value is None:
        raise InvalidOption("{agent} gives no values; ask one that does, such as mcts", agent=agent)
    return decision.value if seat == 0 else -decision.value


def _distinct(game: Game, lengths: Sequence[int], chance: random.Random, known: Container[bytes]) -> Iterator[Line]:
    """Lines of these lengths that do not end the match, in random order, one per position."""
    seen: set[bytes] = set()
    missed = 0
    listed = _listed(game) if lengths == SHORT else None
    if listed is not None:
        chance.shuffle(listed)
    for line in _drawn(game, lengths, chance) if listed is None else listed:
        key = line_key(game, line)
        if key is not None and key not in seen and key not in known:
            missed = 0
            seen.add(key)
            yield line
            continue
        missed += 1
        if listed is None and missed > PATIENCE:
            return


def _listed(game: Game) -> list[Line] | None:
    """All lines of one or two actions; None if there are too many."""
    first = game.deal(0).legal()
    if len(first) ** 2 > ENUMERATED:
        return None
    found: list[Line] = [(action,) for action in first]
    for action in first:
        found += [(action, answer) for answer in _after(game, [action]).legal()]
    return found


def _drawn(game: Game, lengths: Sequence[int], chance: random.Random) -> Iterator[Line]:
    """Lines drawn at random, without end."""
    while True:
        state, line = game.deal(0), list[Action]()
        for _ in range(chance.choice(lengths)):
            if state.turn is None:
                break
            line.append(chance.choice(state.legal()))
            state.apply(line[-1])
        yield tuple(line)


def line_key(game: Game, line: Line) -> bytes | None:
    """Equal for lines that lead to the same position up to symmetry; None if the line ends the match."""
    images = [_after(game, [turned[action] for action in line]) for turned in details_of(game).symmetries()]
    if images[0].turn is None:
        return None
    return min(bytes(each.view(0)) + bytes(each.view(1)) for each in images)


def _after(game: Game, line: Sequence[Action]) -> State:
    state = game.deal(0)
    for action in line:
        state.apply(action)
    return state


def _by_playouts(game: Game, line: Line) -> float:
    """The mean return of seat 0 in random playouts, in [-1, 1]."""
    state = _after(game, line)
    if hasattr(state, "playouts"):
        return float(state.playouts(PLAYOUTS, 1)[0])
    chance, total = random.Random(str(line)), 0.0
    for _ in range(PLAYOUTS // 10):  # a game in pure Python is some hundred times slower
        world = state.copy()
        while world.turn is not None:
            world.apply(chance.choice(world.legal()))
        total += world.returns()[0]
    return total / (PLAYOUTS // 10)
