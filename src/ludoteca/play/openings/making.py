"""How openings are found: short random lines, of which those are kept that favour neither seat."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Container, Iterator, Sequence
from typing import TypeAlias

from ludoteca.agents import agent as agent_of
from ludoteca.errors import InvalidOption
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.play.openings.suites import Opening, Suite
from ludoteca.protocols import Action, Decision, Game, Limit, State

__all__ = ["line_key", "make_suite", "more_openings"]

Line: TypeAlias = tuple[Action, ...]
SHORT, LONG = (1, 2), (3, 4, 5, 6)
"""Actions of the openings that are tried first, and of those that are tried when these are used up."""
ENUMERATED = 60_000
"""So many lines are listed and shuffled; where there are more, lines are drawn."""
PATIENCE = 400
"""Lines in a row that may be known already before a length counts as used up."""
BATCH, KEPT = 256, 64
"""Of every so many lines so many are taken, the balanced ones; so the first are the same however many follow."""
PLAYOUTS = 400
SKIM, SKIMMED = 1, 4.0
"""Nodes of the short search before a long one, and how many times farther from even it may see an opening."""


def more_openings(game: Game, known: Container[bytes] = frozenset()) -> Iterator[Line]:
    """Openings without end, or until the game has no more distinct ones: the same for the same game, and cheap.

    They are distinct up to the symmetries of the board, and none leads to a position in `known` (see `line_key`).
    Of every 256 lines the 64 are taken of which random play says that they favour neither seat; what is left over
    comes when there are no others of that length.
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
    watch: Callable[[int], None] = lambda done: None,
) -> Suite:
    """Up to so many balanced openings of one to three actions, as an agent of ours that gives values sees them.

    Openings are tried in random order, long ones after all shorter ones where these can be listed. Kept is each whose
    value is at most `within` from even, in units of returns, when the agent searches `nodes`; a short search before
    that saves the long one where it is far from even. Ends when there are enough, or when the game has no more. watch:
    is told how many were tried. Raises InvalidOption for an agent that gives no values.
    """
    kept: list[Opening] = []
    tried = 0
    chance = random.Random(f"openings of {game.spec}")
    for line in itertools.chain.from_iterable(_distinct(game, each, chance, ()) for each in (SHORT, (LONG[0],))):
        if len(kept) == count:
            break
        tried += 1
        watch(tried)
        if nodes > SKIM and abs(_value(game, line, agent, SKIM)) > SKIMMED * within:
            continue
        value = _value(game, line, agent, nodes)
        if abs(value) <= within:
            kept.append(Opening(tuple(map(game.action_name, line)), round((value + 1) / 2, 3)))
    method = f"{agent} with {nodes} nodes; share: what it expects seat 0 to make of the points"
    return Suite(game.spec, tuple(kept), method)


def _value(game: Game, line: Line, agent: str, nodes: int) -> float:
    """What an agent expects for seat 0 after these actions."""
    state = _after(game, line)
    seat = state.turn
    assert seat is not None, "an opening does not end a match"
    decision = agent_of(agent)(game, seat, 1).act(state.view(seat), Limit(nodes=nodes))
    if not isinstance(decision, Decision) or decision.value is None:
        raise InvalidOption(say("{agent} gives no values; ask one that does, such as mcts", agent=agent))
    return decision.value if seat == 0 else -decision.value


def _distinct(game: Game, lengths: Sequence[int], chance: random.Random, known: Container[bytes]) -> Iterator[Line]:
    """Lines of these lengths after which the match is not over, in random order, each position once."""
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
    """All lines of one action and of two; None where there are too many."""
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
    """The same for lines to the same position, but for symmetry; None for a line after which the match is over."""
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
    """What seat 0 gets on average when both play at random, in [-1, 1]."""
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
