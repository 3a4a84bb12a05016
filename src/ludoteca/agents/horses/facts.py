"""What is true of a move of Horses: what it takes, whom it traps, what the expected line gains, what is proven."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludoteca import _core
from ludoteca.agents.reasons import proof_of
from ludoteca.games.core_game import expect
from ludoteca.games.horses.game import Horses
from ludoteca.messages import say, say_count
from ludoteca.protocols import Action, Decision, Reason, Seat, View

KNIGHT_STEPS = [(down, right) for down in (-2, -1, 1, 2) for right in (-2, -1, 1, 2) if abs(down) != abs(right)]
SHORTEST_LINE = 3
"""A shorter line says no more than the move itself."""
FEW_MOVES = 2
"""A knight with at most so many moves is in danger of being trapped."""


def proof(value: float, margin: int | None) -> Reason:
    """A proven result; margin: the final lead in points, if that is proven too."""
    if margin is None:
        return proof_of(value)
    if value > 0:
        text = say_count("it has proved that it wins by {count} point with best play",
                         "it has proved that it wins by {count} points with best play", margin)  # fmt: skip
    else:
        text = say_count("it has proved that it loses by {count} point with best play",
                         "it has proved that it loses by {count} points with best play", -margin)  # fmt: skip
    return Reason(text)


def facts(view: View, decision: Decision) -> Iterator[Reason]:
    """What is true of the chosen action, the most important first; see `agents.reasons`."""
    board, action, line = expect(view, _core.HorsesView), decision.action, decision.line
    me, game = board.seat, board.game
    if action == game.pass_action:
        yield Reason(say("its knight has no square to go to, so it must pass"), (board.squares[me],))
        return
    after = board.sample(0)
    after.apply(action)
    then = after.view(me)
    mine, theirs = len(then.moves[me]), len(then.moves[1 - me])
    if not theirs and mine:
        trapped = say("it traps the other knight") if board.moves[1 - me] else say("the other knight is trapped")
        yield Reason(trapped, (then.squares[1 - me],))
    points = board.values[action]
    if points > 0 and action in board.moves[1 - me]:
        yield Reason(
            say_count("it takes {count} point that the other could have taken next",
                      "it takes {count} points that the other could have taken next", points),
            (action,),
        )  # fmt: skip
    elif points > 0:
        yield Reason(say_count("it takes {count} point", "it takes {count} points", points), (action,))
    elif points < 0:
        yield Reason(say_count("it costs {count} point now", "it costs {count} points now", -points), (action,))
    yield from _separated(then)
    if line and line[0] == action and len(line) >= SHORTEST_LINE:
        yield from _gain_of(board, line)
    yield from _in_reach(board, then, action)
    if 0 < theirs <= FEW_MOVES < mine:
        yield Reason(
            say_count("it leaves the other {count} square, and itself {mine}",
                      "it leaves the other {count} squares, and itself {mine}", theirs, mine=mine),
            tuple(then.moves[1 - me]),
        )  # fmt: skip
    elif mine > theirs > 0:
        yield Reason(say("it keeps {mine} squares to go to, the other {theirs}", mine=mine, theirs=theirs))


def skill_missed(view: View, action: Action, best: Decision) -> str | None:
    """See `agents.reasons.skill_missed`."""
    board = expect(view, _core.HorsesView)
    if board.game.pass_action in (action, best.action):
        return None
    mine, better = (len(_moves_from(board, each)) for each in (action, best.action))
    if better > mine <= FEW_MOVES:
        return say("room: count the squares that your knight can go to next")
    left, better_left = (_squares_left_to_other(board, each) for each in (action, best.action))
    if better_left < left and better_left <= FEW_MOVES:
        return say("trapping: take the last squares that the other knight can go to")
    if board.values[best.action] > board.values[action]:
        return say("points: what each square gives, and what the other could take next")
    return say("looking ahead: where your knight can go from the next square")


def _squares_left_to_other(board: _core.HorsesView, action: Action) -> int:
    after = board.sample(0)
    after.apply(action)
    return len(after.view(board.seat).moves[1 - board.seat])


def _separated(then: _core.HorsesView) -> Iterator[Reason]:
    """That no square can be reached by both knights, and more are left to this one."""
    mine, theirs = (_region(then, seat) for seat in (then.seat, 1 - then.seat))
    if theirs and mine.isdisjoint(theirs) and len(mine) > len(theirs):
        yield Reason(
            say("the knights cannot meet any more: {mine} squares are in its reach, {theirs} in the other's",
                mine=len(mine), theirs=len(theirs)),
            tuple(sorted(mine)),
        )  # fmt: skip


def _region(board: _core.HorsesView, seat: Seat) -> set[Action]:
    """The squares that a knight could reach in any number of moves if the other stood still."""
    size, free = expect(board.game, Horses).size, {at for at, gone in enumerate(board.destroyed) if not gone}
    seen, todo = set[Action](), [board.squares[seat]]
    while todo:
        row, column = divmod(todo.pop(), size)
        for down, right in KNIGHT_STEPS:
            square = (row + down) * size + column + right
            if 0 <= column + right < size and square in free - seen:
                seen.add(square)
                todo.append(square)
    return seen


def _in_reach(board: _core.HorsesView, then: _core.HorsesView, action: Action) -> Iterator[Reason]:
    """The highest value that its knight could take next, if no other square offers as much."""
    me = board.seat
    best = max((board.values[square] for square in then.moves[me]), default=0)
    others = [board.values[square] for each in board.moves[me] if each != action for square in _moves_from(board, each)]
    if others and best > max(0, *others):
        squares = tuple(square for square in then.moves[me] if board.values[square] == best)
        yield Reason(
            say_count("from there {count} point is in reach, more than from any other square",
                      "from there {count} points are in reach, more than from any other square", best),
            squares,
        )  # fmt: skip


def _moves_from(board: _core.HorsesView, square: Action) -> list[Action]:
    """Where the knight of the seat could go next if it moved to this square and the other passed."""
    after = board.sample(0)
    after.apply(square)
    return after.view(board.seat).moves[board.seat]


def _gain_of(board: _core.HorsesView, line: Sequence[Action]) -> Iterator[Reason]:
    """What the expected line gains against the other, if it gains anything."""
    me, state = board.seat, board.sample(0)
    for action in line:
        state.apply(action)
    end = state.view(me)
    gain = (end.scores[me] - end.scores[1 - me]) - (board.scores[me] - board.scores[1 - me])
    if gain > 0:
        squares = tuple(each for each in line if each != board.game.pass_action)
        yield Reason(
            say_count("it expects to gain {count} point on the other in {moves} moves",
                      "it expects to gain {count} points on the other in {moves} moves", gain, moves=len(line)),
            squares,
        )  # fmt: skip
