"""What is true of a move of Hex: the bridges it makes, saves and cuts, the threats it answers, the distances left.

::

    x . .      A bridge: two stones with two empty cells between them. The other can take only one of these cells, so
     . . x     the stones can always be joined by the other cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ludoteca import _core
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import joined, say, say_count
from ludoteca.protocols import Action, Decision, Reason, Seat, View


def facts(view: View, decision: Decision) -> Iterator[Reason]:
    """What is true of the chosen action, the most important first; see `agents.reasons`."""
    board = expect(view, _core.HexView)
    if decision.proven and decision.value == 1:
        yield from _virtual_win(board, decision.action)
    yield from _facts_of(board, decision.action)


def skill_missed(view: View, action: Action, best: Decision) -> str | None:
    """See `agents.reasons.skill_missed`."""
    board = expect(view, _core.HexView)
    swap = expect(board.game, Hex).swap
    if swap in (action, best.action):
        return say("the first move: whether to take it over")
    analysis = _core.hex_analysis(board, board.seat)
    if best.action in analysis.must_play and action not in analysis.must_play:
        return say("defence: before each move, look where the other would connect")
    after = board.sample(0)
    after.apply(best.action)
    if after.turn is None or _winning_connection(expect(board.game, Hex), after.view(board.seat)):
        return say("finishing: look for the move after which nothing can part the two sides")
    missed = _bridge_cells(board, best.action) - _bridge_cells(board, action)
    if missed:
        return say("bridges: two stones with two free cells between them are as good as joined")
    return say("counting: how many stones each side still needs")


def _bridge_cells(board: _core.HexView, action: Action) -> set[Action]:
    """The cells of the bridges that a move makes or saves."""
    position = _Position(expect(board.game, Hex), board)
    reasons = [each for each in position.own_links(action) if "bridge" in each.text]
    return {cell for each in reasons for cell in each.places}


@lru_cache(maxsize=256)
def _facts_of(board: _core.HexView, action: Action) -> tuple[Reason, ...]:
    """Cached, because a search often comes back to the same move; finding them takes a millisecond."""
    return tuple(_found(board, action))


def _found(board: _core.HexView, action: Action) -> Iterator[Reason]:
    game = expect(board.game, Hex)
    if action == game.swap:
        return
    after = board.sample(0)
    after.apply(action)
    me = board.seat
    if after.turn is None:
        yield Reason(say("it connects its two sides"), tuple(game.winning_chain(after.view(me))))
        return
    position = _Position(game, board)
    yield from _answered_threat(board, action)
    yield from position.own_links(action)
    yield from position.cut(action)
    then = after.view(me)
    needs = [_core.hex_distance(then, seat) for seat in (me, 1 - me)]
    before = _core.hex_distance(board, 1 - me)
    if needs[1] is not None and before is not None and needs[1] > before:
        yield Reason(
            say_count("the other needs {count} stone more than before",
                      "the other needs {count} stones more than before", needs[1] - before)
        )  # fmt: skip
    if needs[0] is not None and needs[1] is not None:
        yield Reason(
            say_count("it needs {count} more stone to connect, the other {other}",
                      "it needs {count} more stones to connect, the other {other}", needs[0], other=needs[1])
        )  # fmt: skip


def _virtual_win(board: _core.HexView, action: Action) -> Iterator[Reason]:
    """That nothing can part the two sides any more, with the empty cells by which they are connected."""
    after = board.sample(0)
    after.apply(action)
    if after.turn is not None:
        cells = _winning_connection(expect(board.game, Hex), after.view(board.seat))
        if cells:
            yield Reason(say("its two sides are connected, whatever the other plays"), tuple(cells))


def _winning_connection(game: Hex, board: _core.HexView) -> list[Action]:
    """The empty cells of a connection of the seat from side to side that cannot be broken; empty if none is found."""
    me, stones = board.seat, board.stones
    low, high = ({cell for cell in edge if stones[cell] != 1 - me} for edge in game.edges(me))
    winning = [
        carrier
        for one, two, carrier, first in _core.hex_virtual_connections(board, me)
        if first is None and ((low <= set(one) and high <= set(two)) or (high <= set(one) and low <= set(two)))
    ]
    return min(winning, key=len, default=[])


def _answered_threat(board: _core.HexView, action: Action) -> Iterator[Reason]:
    """That the other would connect if the seat played elsewhere, in the opinion of the static analysis."""
    found = _core.hex_analysis(board, board.seat)
    undecided = len(board.stones) - sum(map(len, found.filled))
    if found.winner is None and len(found.must_play) < undecided and action in found.must_play:
        yield Reason(say("it answers a threat: left alone, the other would connect"), tuple(found.must_play))


class _Position:
    """The stones before a move, with the chains that they form."""

    def __init__(self, game: Hex, board: _core.HexView) -> None:
        self._game, self._me, self._last = game, board.seat, board.last
        self._stones = board.stones
        self._near = [game.neighbours(cell) for cell in range(len(self._stones))]
        self._chain = self._chains()

    def own_links(self, action: Action) -> Iterator[Reason]:
        """The own stones that the move joins, or comes to be linked with by a bridge."""
        me, name = self._me, self._game.action_name
        touched = {self._chain[cell]: cell for cell in self._near[action] if self._stones[cell] == me}
        saved = self._saved_bridge(action)
        if saved is not None:
            one, two = saved
            yield Reason(say("it saves the bridge {one}–{two}", one=name(one), two=name(two)), (one, action, two))
        elif len(touched) > 1:
            yield Reason(
                say("it joins {count} chains of its stones", count=len(touched)),
                (action, *touched.values()),
            )  # fmt: skip
        made: dict[int, tuple[Action, list[Action]]] = {}
        for other, between in self._bridges(action, me):
            used = {cell for _, cells in made.values() for cell in cells}  # one intrusion could break both
            if self._chain[other] not in {*touched, *made} and used.isdisjoint(between):
                made[self._chain[other]] = other, between
        if made:
            ends = [name(other) for other, _ in made.values()]
            places = (action, *(cell for other, between in made.values() for cell in (other, *between)))
            yield Reason(say("it makes a bridge to {names}", names=joined(ends, say(" and "))), places)
        elif edge := self._edge_bridge(action):
            yield Reason(say("it makes a bridge to the edge"), (action, *edge))

    def cut(self, action: Action) -> Iterator[Reason]:
        """A bridge of the other that the move threatens to cut, or else chains of the other that it keeps apart."""
        other, name = 1 - self._me, self._game.action_name
        for one in (cell for cell in self._near[action] if self._stones[cell] == other):
            for two, between in self._bridges(one, other):
                if action in between and self._chain[one] != self._chain[two]:
                    first, second = sorted((one, two))
                    yield Reason(
                        say("it threatens to cut the bridge {one}–{two}", one=name(first), two=name(second)),
                        (one, *between, two),
                    )
                    return
        apart = {self._chain[cell]: cell for cell in self._near[action] if self._stones[cell] == other}
        if len(apart) > 1:
            first, second, *_ = sorted(apart.values())
            yield Reason(
                say("it blocks the cell that would have joined {one} and {two}", one=name(first), two=name(second)),
                (first, action, second),
            )

    def _bridges(self, cell: Action, owner: Seat) -> Iterator[tuple[Action, list[Action]]]:
        """The stones of a seat that a stone on this cell makes a bridge with, and the two cells between."""
        near = self._near[cell]
        beyond = {far for each in near for far in self._near[each]} - {cell, *near}
        for far in sorted(beyond):
            between = [each for each in near if each in self._near[far]]
            if self._stones[far] == owner and len(between) == 2 and all(self._stones[x] is None for x in between):
                yield far, between

    def _saved_bridge(self, action: Action) -> tuple[Action, Action] | None:
        """The ends of the own bridge between which the other has just played, if this move joins them."""
        last = self._last
        if last is None or last >= len(self._stones) or self._stones[last] != 1 - self._me:
            return None
        ends = [cell for cell in self._near[action] if self._stones[cell] == self._me and cell in self._near[last]]
        pairs = [(one, two) for one in ends for two in ends if one < two and self._chain[one] != self._chain[two]]
        return next((pair for pair in pairs if pair[1] not in self._near[pair[0]]), None)

    def _edge_bridge(self, action: Action) -> list[Action]:
        """The two empty cells by which the move reaches an own edge from the second row; empty if it does not."""
        for edge in self._game.edges(self._me):
            reached = [cell for cell in self._near[action] if cell in edge]
            if action not in edge and len(reached) == 2 and all(self._stones[cell] is None for cell in reached):
                return reached
        return []

    def _chains(self) -> list[int]:
        """By cell with a stone the first cell of its chain; by empty cell -1."""
        chain = [-1] * len(self._stones)
        for start, owner in enumerate(self._stones):
            if owner is None or chain[start] >= 0:
                continue
            chain[start], todo = start, [start]
            while todo:
                for near in self._near[todo.pop()]:
                    if chain[near] < 0 and self._stones[near] == owner:
                        chain[near] = start
                        todo.append(near)
        return chain
