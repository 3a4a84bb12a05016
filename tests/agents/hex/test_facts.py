"""What the players of Hex say about their moves is true: checked by the rules, by search and by the solver."""

from __future__ import annotations

from collections import Counter, deque
from functools import cache
from random import Random
from typing import cast

import ludoteca
from ludoteca import Decision, Limit, Reason, _core
from ludoteca.agents.hex.facts import facts
from ludoteca.agents.hex.solver import solve_every
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import Message
from ludoteca.protocols import Action
from tests.agents.reason_positions import positions, seeds

Stones = list[int | None]


def near(game: Hex, cell: Action) -> set[Action]:
    return set(game.neighbours(cell))


def are_joined(game: Hex, stones: Stones, one: Action, two: Action) -> bool:
    """Whether two stones belong to one chain."""
    seen, todo = {one}, [one]
    while todo:
        for other in near(game, todo.pop()) - seen:
            if stones[other] == stones[one]:
                seen.add(other)
                todo.append(other)
    return two in seen


def distance(game: Hex, stones: Stones, seat: int) -> int:
    """Stones that a seat needs if the other passes: a breadth-first search with costs 0 and 1."""
    first, last = game.edges(seat)
    found = {cell: int(stones[cell] is None) for cell in first if stones[cell] != 1 - seat}
    todo = deque(sorted(found, key=found.__getitem__))
    while todo:
        cell = todo.popleft()
        for other in near(game, cell):
            cost = found[cell] + (stones[other] is None)
            if stones[other] != 1 - seat and cost < found.get(other, len(stones) + 1):
                found[other] = cost
                (todo.append if stones[other] is None else todo.appendleft)(other)
    return min(found[cell] for cell in last if cell in found)


def cells_of(game: Hex, names: str) -> list[Action]:
    return [game.parse_action(each) for part in names.split(" and ") for each in part.split(", ")]


def check(state: _core.HexState, decision: Decision, reason: Reason) -> str:
    """Asserts that a reason is true of a position; returns its template."""
    me, text, game, action = state.turn, reason.text, state.game, decision.action
    assert me is not None and isinstance(text, Message) and isinstance(game, Hex)
    after = state.copy()
    after.apply(action)
    before, stones = state.view(me).stones, after.view(me).stones
    count = cast("int", text.fields.get("count", 0))
    ends = [game.parse_action(str(text.fields[name])) for name in ("one", "two") if name in text.fields]
    match text.template:
        case "it connects its two sides":
            assert after.turn is None and after.returns()[me] == 1
            assert {stones[cell] for cell in reason.places} == {me}
        case "it makes a bridge to {names}":
            used: set[Action] = set()
            for other in cells_of(game, str(text.fields["names"])):
                between = near(game, action) & near(game, other)
                assert used.isdisjoint(between), "one move between them would break two of these bridges"
                used |= between
                assert stones[other] == me and len(between) == 2 and {stones[cell] for cell in between} == {None}
                assert not are_joined(game, stones, action, other)
        case "it makes a bridge to the edge":
            _, *two = reason.places
            assert any(set(two) <= set(edge) and action not in edge for edge in game.edges(me))
            assert len(two) == 2 and set(two) <= near(game, action) and {stones[cell] for cell in two} == {None}
        case "it saves the bridge {one}–{two}":
            last = state.view(me).last
            assert last is not None and {last, action} <= near(game, ends[0]) & near(game, ends[1])
            assert before[last] == 1 - me and not are_joined(game, before, *ends) and are_joined(game, stones, *ends)
        case "it joins {count} chains of its stones":
            own = [cell for cell in near(game, action) if before[cell] == me]
            chains = {frozenset(each for each in own if are_joined(game, before, cell, each)) for cell in own}
            assert len(chains) == count > 1
        case "it threatens to cut the bridge {one}–{two}":
            between = near(game, ends[0]) & near(game, ends[1])
            assert {before[end] for end in ends} == {1 - me} and not are_joined(game, before, *ends)
            assert len(between) == 2 and action in between and {before[cell] for cell in between} == {None}
        case "it blocks the cell that would have joined {one} and {two}":
            assert {before[end] for end in ends} == {1 - me} and not are_joined(game, before, *ends)
            assert set(ends) <= near(game, action)
        case "the other needs {count} stone more than before":
            assert distance(game, stones, 1 - me) - distance(game, before, 1 - me) == count > 0
        case "it needs {count} more stone to connect, the other {other}":
            assert [distance(game, stones, seat) for seat in (me, 1 - me)] == [count, text.fields["other"]]
        case "it answers a threat: left alone, the other would connect":
            assert action in reason.places
            free = frozenset(cell for cell, owner in enumerate(before) if owner is None)
            if len(free) <= 10:
                assert connects(game, before, free, 1 - me, first=True)
        case "its two sides are connected, whatever the other plays":
            assert scores_of(state)[action] == 1
            if len(reason.places) <= 8:
                assert connects(game, stones, frozenset(reason.places), me, first=False)
        case proof:
            assert proof in ("it has proved that it wins", "it has proved that it loses"), proof
            wins = "wins" in proof
            assert max(scores_of(state).values()) == (1 if wins else -1)
            assert not wins or scores_of(state)[action] == 1
    return text.template


def scores_of(state: _core.HexState) -> dict[Action, float]:
    """For each move whether it wins, by the solver."""
    view = state.view(cast("int", state.turn))
    *_, solved = solve_every(view.game, view, memory=1)
    assert solved.proven
    return dict(solved.scores)


def connects(game: Hex, stones: Stones, free: frozenset[Action], seat: int, *, first: bool) -> bool:
    """Whether a seat connects if only these cells can still be played, by trying everything. first: it moves first."""

    @cache
    def wins(own: frozenset[Action], left: frozenset[Action], on_turn: bool) -> bool:
        if is_connected(own):
            return True
        if not left:
            return False
        tried = (wins(own | {cell} if on_turn else own, left - {cell}, not on_turn) for cell in left)
        return any(tried) if on_turn else all(tried)

    def is_connected(own: frozenset[Action]) -> bool:
        first, last = game.edges(seat)
        seen = todo = own & set(first)
        while todo:
            todo = frozenset(other for cell in todo for other in near(game, cell) & own) - seen
            seen |= todo
        return bool(seen & set(last))

    return wins(frozenset(cell for cell, owner in enumerate(stones) if owner == seat), free, first)


def test_every_fact_is_true_of_every_move() -> None:
    seen: Counter[str] = Counter()
    for spec in ("hex:size=4", "hex:size=6", "hex:size=5,layout=even-r", "hex:size=5,swap=true"):
        for seed in seeds(2):
            for state, legal in positions(ludoteca.game(spec), seed):
                assert isinstance(state, _core.HexState) and state.turn is not None
                for action in legal:
                    decision = Decision(action)
                    seen.update(check(state, decision, reason) for reason in facts(state.view(state.turn), decision))
    assert len(seen) >= 10 and sum(seen.values()) > 3000, seen


def said(played: str, action: str, size: int = 5) -> list[str]:
    """The facts about a move after some moves."""
    game = ludoteca.game(f"hex:size={size}")
    match = ludoteca.Match(game, 0, [game.parse_action(name) for name in played.split()])
    view = match.view(cast("int", match.turn))
    return [str(each) for each in facts(view, Decision(game.parse_action(action)))]


def test_two_bridges_over_one_cell_are_not_two_bridges() -> None:
    """One stone of the other between them breaks one of them, so only one can be promised."""
    game = expect(ludoteca.game("hex:size=5"), Hex)
    middle = game.parse_action("c3")
    far = sorted({other for cell in game.neighbours(middle) for other in game.neighbours(cell)})
    pairs = [
        (one, two)
        for one in far
        for two in far
        if one < two
        and len(set(game.neighbours(one)) & set(game.neighbours(middle)) & set(game.neighbours(two))) == 1
        and all(len(set(game.neighbours(end)) & set(game.neighbours(middle))) == 2 for end in (one, two))
        and middle not in (one, two, *game.neighbours(one), *game.neighbours(two))
        and two not in game.neighbours(one)
    ]
    assert pairs
    for one, two in pairs:
        away = [cell for cell in range(25) if cell not in (one, two, middle) and middle not in game.neighbours(cell)]
        free = [cell for cell in away if cell not in {*game.neighbours(one), *game.neighbours(two)}]
        names = [game.action_name(cell) for cell in (one, free[0], two, free[-1])]
        told = [each for each in said(" ".join(names), "c3") if each.startswith("it makes a bridge to ")]
        assert len(told) == 1 and " and " not in told[0], told


def test_a_bridge_between_stones_that_are_joined_already_is_not_cut() -> None:
    assert "it threatens to cut the bridge b2–c3" in said("a5 b2 e1 c3", "c2")
    assert not any("cut" in each for each in said("a5 b2 e1 c3 e2 b3", "c2")), "b3 joins them"


def test_every_reason_is_true() -> None:
    agents = {"engine:network=none": 30, "engine": 8, "engine:level=3": 30, "astar": 200, "mcts": 20}
    shifted = {"engine:network=none": 30, "beam": 100}
    seen: Counter[str] = Counter()
    for spec, names in (("hex:size=4", agents), ("hex:size=5", agents), ("hex:size=5,layout=even-r", shifted)):
        game = ludoteca.game(spec)
        for seed in seeds(3):
            chance, state = Random(seed), game.deal(seed)
            assert isinstance(state, _core.HexState)
            while state.turn is not None:
                view = state.view(state.turn)
                for name, nodes in names.items():
                    decision = ludoteca.agent(name)(game, state.turn, seed).act(view, Limit(nodes=nodes))
                    assert isinstance(decision, Decision) and len(decision.reasons) <= 3
                    seen.update(check(state, decision, reason) for reason in decision.reasons)
                assert isinstance(decision, Decision)
                state.apply(decision.action if chance.random() < 0.5 else chance.choice(view.legal()))
    assert len(seen) >= 12, seen
    assert sum(seen.values()) > 400, seen
