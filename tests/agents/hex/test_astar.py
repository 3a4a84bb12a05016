from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import _core, agents
from ludoteca.agents.hex.astar import Astar, as_value
from ludoteca.games.hex.game import Hex
from ludoteca.play.match import Match
from ludoteca.protocols import Decision, Limit
from tests.agents.hex.hex_positions import Position, axial_position, named, position, random_position
from tests.agents.hex.reference import (
    Board,
    Forgetful,
    HexAI,
    HexAIProgram,
    added_estimate,
    admissible,
    distance,
    documented,
)


def player_of(seat: int) -> int:
    """The document's number for a seat."""
    return 1 - 2 * seat


def as_documented(at: Position, depth: int, *, known: tuple[bool, bool] = (True, True)) -> tuple[int, HexAI]:
    """What the document's algorithm chooses; of a seat that is not `known` it has no history."""
    slow = HexAI(player_of(at.view.seat), depth)
    recent = {player_of(seat): at.played[seat] for seat in (0, 1) if known[seat]}
    return slow.choose(Board.of(at.view), recent), slow


def decide(agent: Astar, view: ludoteca.View, limit: Limit = Limit()) -> Decision:  # noqa: B008
    return agent.act(view, limit)


@given(st.integers(0, 2**32))
def test_distances_are_those_of_a_star(seed: int) -> None:
    at = random_position(seed, (1, 19))
    for seat in (0, 1):
        assert _core.hex_distance(at.view, seat) == distance(Board.of(at.view), player_of(seat))


def test_distances_at_the_end_and_at_the_start() -> None:
    game = Hex(3)
    empty = game.deal(0).view(0)
    assert [_core.hex_distance(empty, seat) for seat in (0, 1)] == [3, 3]
    won = game.position([0, 0, 0, 1, 1, None, None, None, None], 1).view(0)
    assert [_core.hex_distance(won, seat) for seat in (0, 1)] == [0, None]
    assert distance(Board.of(won), -1) == math.inf


def test_the_documents_estimate_is_not_admissible() -> None:
    """Claimed to find the shortest path always; but own stones ahead cost nothing, and h = (N-1) - y charges for them.

    a1 b1 c1    Black (·: empty) connects left and right. a3 is enough: a3 b3 c2.
     a2 b2 c2   By the document's estimate the way over a1 looks better, and costs two.
      a3 b3 c3
    """
    game = Hex(3)
    stones: list[int | None] = [None] * 9
    for name in ("a1", "c2", "b3"):
        stones[game.parse_action(name)] = 0
    board = Board.of(game.position(stones, 1).view(0))
    assert distance(board, 1, admissible) == 1
    assert distance(board, 1, documented) == 2
    empty = Board.of(game.deal(0).view(0))
    assert documented(empty, 1) == admissible(empty, 1) == [2, 1, 0]


def test_same_choice_and_values_as_the_document() -> None:
    for seed in range(60):
        at = random_position(seed, (1, 6))
        for depth in (1, 2, 3):
            move, slow = as_documented(at, depth)
            found = _core.hex_astar(at.view, depth, at.played).run()
            assert (found.action, dict(found.scores), found.nodes) == (move, slow.values, slow.nodes)
            assert found.value == slow.values[move]
            assert found.complete


@pytest.mark.parametrize("known", [(True, False), (False, True), (False, False)])
def test_without_a_past_all_stones_count(known: tuple[bool, bool]) -> None:
    differs = 0
    for seed in range(30):
        at = random_position(seed, (4, 6))
        recent = tuple(at.played[seat] if known[seat] or len(at.played[seat]) < 3 else [] for seat in (0, 1))
        takes_all = tuple(known[seat] or not at.played[seat] or len(at.played[seat]) < 3 for seat in (0, 1))
        move, slow = as_documented(at, 2, known=takes_all)  # type: ignore[arg-type]
        found = _core.hex_astar(at.view, 2, recent).run()
        assert (found.action, dict(found.scores), found.nodes) == (move, slow.values, slow.nodes)
        differs += found.nodes != _core.hex_astar(at.view, 2, at.played).run().nodes
    assert differs


def test_neither_pruning_nor_the_memo_changes_a_choice() -> None:
    saved_by_pruning = saved_by_memo = 0
    for seed in range(40):
        at = random_position(seed, (3, 8))
        choices = {
            flags: _core.hex_astar(at.view, 3, at.played, prune=flags[0], cache=flags[1]).run()
            for flags in itertools.product((False, True), repeat=2)
        }
        assert len({(each.action, each.value) for each in choices.values()}) == 1
        saved_by_pruning += choices[False, True].nodes - choices[True, True].nodes
        saved_by_memo += choices[True, False].nodes - choices[True, True].nodes
    assert saved_by_pruning > 0
    assert saved_by_memo == 0  # at depth 3 only leaves are met twice: the memo saves their evaluation, not the visit


def test_worked_example_of_the_disjoint_set() -> None:
    """«Si Jugador 1 coloca en (5,3) … chequea si left=0 y right=10 en tablero 11x11»: columns, so left to right."""
    game = Hex(11)
    stones: list[int | None] = [None] * 121
    for column in range(11):
        stones[5 * 11 + column] = 0 if column != 3 else None
        stones[6 * 11 + column] = 1 if column != 3 else None
    decision = decide(Astar(game, 0, 0), game.position(stones, 0).view(0))
    assert divmod(decision.action, 11) == (5, 3)
    assert decision.note == "d6 wins at once"
    assert (decision.value, decision.nodes, decision.depth) == (1.0, 0, 1)


def test_candidates_are_the_centre_and_neighbours_of_stones() -> None:
    game = Hex(7)
    assert set(decide(Astar(game, 0, 0), game.deal(0).view(0)).scores) == {game.parse_action("d4")}
    at = named(game, "b2 f6")
    found = _core.hex_astar(at.view, 3, at.played, prune=False).run()
    names = [game.action_name(action) for action, _ in found.scores]
    assert " ".join(names) == "d4 a2 c2 b1 c1 a3 b3 e6 g6 f5 g5 e7 f7"


def test_ratio_is_the_other_distance_over_the_own() -> None:
    """«Ratio > 1: el enemigo necesita más pasos»; with depth 1 the value is the formula after each candidate."""
    game = Hex(5)
    at = named(game, "c3 b2 d3")
    found = _core.hex_astar(at.view, 1, at.played).run()
    for action, ratio in found.scores:
        after = at.view.sample(0)
        after.apply(action)
        own, others = (_core.hex_distance(after.view(0), seat) for seat in (1, 0))
        assert own is not None and others is not None
        assert ratio == others / (own + 1e-5)
    assert found.value == max(dict(found.scores).values())


def test_values_keep_the_order_of_ratios() -> None:
    ratios = [0.0, 0.2, 0.5, 1.0, 2.0, 7.5, 1e6, math.inf]
    values = [as_value(ratio) for ratio in ratios]
    assert values == sorted(values)
    assert (values[0], values[3], values[-1]) == (-1.0, 0.0, 1.0)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", ["hex:size=5", "hex:size=6,layout=even-r,orientation=standard"])
def test_an_agent_remembers_the_last_moves(spec: str, seat: int) -> None:
    game = ludoteca.game(spec)
    match = Match(game, 3)
    agent, other = Astar(game, seat, 0, depth=2), ludoteca.agent("random")(game, 1 - seat, 3)
    while match.turn is not None:
        view = match.view(match.turn)
        assert isinstance(view, _core.HexView)
        if match.turn != seat:
            choice = other.act(view, Limit())
            match.play(choice.action if isinstance(choice, Decision) else choice)
        else:
            decision = decide(agent, view)
            recent = match.actions[::2][-3:], match.actions[1::2][-3:]
            expected = _core.hex_astar(view, 2, recent).run()
            assert (decision.action, decision.nodes) == (expected.action, expected.nodes)
            assert decide(agent, view) == decision  # asked twice, it says the same
            match.play(decision.action)


def test_a_swap_is_understood() -> None:
    game = Hex(5, swap=True)
    agent, state = Astar(game, 0, 0), game.deal(0)
    state.apply(decide(agent, state.view(0)).action)
    state.apply(game.parse_action("swap"))
    stone = state.view(0).stones.index(1)
    assert decide(agent, state.view(0)).nodes == _core.hex_astar(state.view(0), 3, ([], [stone])).run().nodes


def test_an_agent_that_comes_late_or_sees_a_leap_has_no_past() -> None:
    game = Hex(6)
    late = position(game, [*range(0, 36, 4), *range(1, 13, 4)])
    without_past = _core.hex_astar(late.view, 2, ([], [late.played[1][-1]])).run()
    agent = Astar(game, 0, 0, depth=2)
    assert decide(agent, late.view).nodes == without_past.nodes
    earlier = position(game, [*range(0, 24, 4)])
    assert decide(agent, earlier.view) == decide(Astar(game, 0, 0, depth=2), earlier.view)


def test_out_of_nodes_it_plays_the_best_so_far() -> None:
    at = named(Hex(6), "c3 d4 b5 e2")
    whole = _core.hex_astar(at.view, 3, at.played).run()
    assert len(whole.scores) > 3
    for nodes in (1, 10, whole.nodes // 3, whole.nodes // 2, whole.nodes - 1):
        part = _core.hex_astar(at.view, 3, at.played, nodes=nodes).run()
        assert part.nodes == nodes
        assert not part.complete
        assert part.scores == whole.scores[: len(part.scores)]
        if part.scores:
            best = max(score for _, score in part.scores)
            assert part.action == next(action for action, score in part.scores if score == best)
    assert _core.hex_astar(at.view, 3, at.played, nodes=whole.nodes).run().complete


def test_without_any_time_it_still_plays() -> None:
    game = Hex(6)
    at = named(game, "c3 d4")
    for limit in (Limit(seconds=0), Limit(nodes=1)):
        decision = decide(Astar(game, 0, 0), at.view, limit)
        assert decision.action in at.view.legal()
        assert decision.value is None
        assert decision.note.startswith("no time to search")


def test_the_note_says_what_was_weighed() -> None:
    game = Hex(5)
    at = named(game, "c3 b2")
    decision = decide(Astar(game, 0, 0), at.view)
    end = at.view.sample(0)
    for action in decision.line:
        end.apply(action)
    own, others = (_core.hex_distance(end.view(0), seat) for seat in (0, 1))
    assert f"stones needed: {own}, the other {others};" in decision.note
    assert len(decision.line) == decision.depth == 3
    assert decision.line[0] == decision.action
    assert decision.value == decision.scores[decision.action] == max(decision.scores.values())


def tell_again(at: Position, decision: Decision) -> str:
    """What the note should begin with, and the value be, judging by the line alone."""
    end, game = at.view.sample(0), at.view.game
    for action in decision.line:
        assert end.turn is not None
        end.apply(action)
    names = " ".join(game.action_name(action) for action in decision.line)
    me = at.view.seat
    if end.turn is None:
        won = end.returns()[me] > 0
        assert decision.value == (1 if won else -1)
        if len(decision.line) == 1:
            return f"{names} wins at once"
        return f"wins by {names}" if won else f"loses, as after {names}"
    assert len(decision.line) == decision.depth  # nothing is left out
    own, others = (_core.hex_distance(end.view(me), seat) for seat in (me, 1 - me))
    assert own and others
    ratio = others / (own + 1e-5)
    assert decision.value == as_value(ratio)
    return f"stones needed: {own}, the other {others}; expects {names} (ratio {ratio:.2f})"


def test_note_value_and_line_tell_the_same_story() -> None:
    """Also where the value of a position was known from another order of the same moves, which happens from depth 4 on.

    The line of such a position used to be lost: the note then spoke of a position in the middle of the line.
    """
    for depth in range(1, 7):
        met_again = 0
        for seed in range(40 if depth < 6 else 8):
            at = random_position(seed, (3, 6))
            for limit in (Limit(), Limit(nodes=3000)):
                decision = decide(Astar(at.view.game, at.view.seat, 0, depth=depth), at.view, limit)
                assert decision.note.startswith(tell_again(at, decision))
                assert decision.line[0] == decision.action
                assert decision.value == decision.scores[decision.action] == max(decision.scores.values())
            met_again += (
                len({_core.hex_astar(at.view, depth, ([], []), cache=cache).run().nodes for cache in (False, True)}) - 1
            )
        assert (met_again > 0) == (depth >= 4)


def test_a_deep_search_that_is_cut_short_has_searched_less_deep() -> None:
    """It does not answer with the first candidate because the first of many plies took all the time."""
    at = named(Hex(6), "c3 d4 b5 e2")
    for nodes in (1000, 5000, 20_000):
        decision = decide(Astar(at.view.game, 0, 0, depth=9), at.view, Limit(nodes=nodes))
        assert 3 <= decision.depth < 9
        assert decision.note.startswith(tell_again(at, decision))
        assert decision.note.endswith(f"{decision.depth} plies deep instead of 9")
        assert decision.nodes == nodes


def test_it_never_swaps_and_only_plays_hex() -> None:
    game = Hex(5, swap=True)
    at = named(game, "c3")
    assert game.swap in at.view.legal()
    assert decide(Astar(game, 1, 0), at.view).action != game.swap
    assert "astar" in agents.names("hex")
    with pytest.raises(ludoteca.InvalidAgent, match="astar does not play horses"):
        ludoteca.agent("astar")(ludoteca.game("horses"), 0, 0)
    with pytest.raises(ludoteca.InvalidOption, match="depth=0 must be a whole number from 1 to 9"):
        ludoteca.agent("astar:depth=0")(game, 0, 0)
    with pytest.raises(ValueError, match="only the seat on turn"):
        _core.hex_astar(at.view.sample(0).view(0), 3, ([], [])).run()


def test_the_programs_estimate_is_added_again_at_each_step() -> None:
    """On the empty 11×11 board 10 + 10 + 9 + … + 1 = 65 where eleven stones are needed."""
    empty = Hex(11).deal(0).view(0)
    assert [_core.hex_added_estimate(empty, seat) for seat in (0, 1)] == [65, 65]
    assert [_core.hex_distance(empty, seat) for seat in (0, 1)] == [11, 11]
    won = Hex(3).position([0, 0, 0, 1, 1, None, None, None, None], 1).view(0)
    assert [_core.hex_added_estimate(won, seat) for seat in (0, 1)] == [2 + 1, None]  # never 0: it sees no win
    for seed in range(60):
        at = axial_position(seed, (1, 13))
        for seat in (0, 1):
            found = _core.hex_added_estimate(at.view, seat)
            assert (math.inf if found is None else found) == added_estimate(Board.of(at.view), player_of(seat))


def test_same_choice_and_values_as_the_program() -> None:
    cut = 0
    for seed in range(20):
        at = axial_position(seed, (2, 5))
        board, slow = Board.of(at.view), HexAIProgram(player_of(at.view.seat), at.played[0])
        if not slow.candidates(board, 3):
            continue
        move, found = slow.choose(board), _core.hex_astar_program(at.view, 3, at.played[0]).run()
        assert found.action == move
        assert found.complete
        if not slow.wins:
            assert dict(found.scores) == slow.values and found.value == slow.values[move]
            forgetful = HexAIProgram(slow.player, slow.stones, memo=Forgetful())
            forgetful.choose(board)
            cut += forgetful.values != slow.values
    assert cut  # what a cut leaves in the memo changes values


def test_the_program_sees_only_cells_beside_the_first_players_stones() -> None:
    """The other's list is filled from the first player's, for both: so it may miss a win in one."""
    game = Hex(7)
    at = named(game, "b2 f6")
    scores = decide(Astar(game, 0, 0, variant="program"), at.view).scores
    assert " ".join(map(game.action_name, scores)) == "d4 a3 c1 b1 a2 c2 b3"
    almost = named(Hex(4), "a1 c2 a2 c3 b1 c4 a3")
    assert Hex(4).action_name(decide(Astar(Hex(4), 1, 0), almost.view).action) in ("c1", "d1")
    missed = position(Hex(5), [0, 3, 5, 8, 10, 13, 15, 18, 1])  # d1 d2 d3 d4 stand; d5 is beside no stone of the first
    program = decide(Astar(Hex(5), 1, 0, variant="program"), missed.view)
    assert missed.view.game.action_name(program.action) not in ("c5", "d5")


def test_the_program_as_an_agent() -> None:
    game = Hex(6)
    agent, state = Astar(game, 0, 0, variant="program"), game.deal(0)
    first = decide(agent, state.view(0))
    assert (game.action_name(first.action), first.value) == ("d4", None)
    assert first.note == "finds no move after d4"
    seen: list[int] = []
    for answer in ("b2", "e5", "c3"):
        decision = decide(agent, state.view(0))
        expected = _core.hex_astar_program(state.view(0), 3, seen).run()
        assert (decision.action, decision.nodes) == (expected.action, expected.nodes)
        assert decision.line[0] == decision.action
        seen.append(decision.action)
        state.apply(decision.action)
        state.apply(game.parse_action(answer))
    decision = decide(agent, state.view(0))
    end = state.copy()
    for action in decision.line:
        end.apply(action)
    own, others = (_core.hex_added_estimate(end.view(0), seat) for seat in (0, 1))
    assert own and others and decision.value == as_value(others / (own + 1e-5))
    assert decision.note.startswith(f"distances that add up: {own}, the other {others}; expects ")
    assert decision.depth == len(decision.line) == 4
    short = decide(agent, state.view(0), Limit(nodes=200))
    assert short.note.endswith("3 plies deep instead of 4") and short.nodes == 200


def test_the_program_plays_legally_on_every_board() -> None:
    for seed in range(30):
        at = random_position(seed, (1, 6))
        decision = decide(Astar(at.view.game, at.view.seat, 0, depth=1 + seed % 4, variant="program"), at.view)
        assert decision.action in at.view.legal()
        assert decision.value is None or -1 <= decision.value <= 1
    walled = Hex(3).position([0, 1, None, 1, 1, None, None, None, None], 0)
    assert decide(Astar(Hex(3), 0, 0, variant="program"), walled.view(0)).action in walled.legal()
    with pytest.raises(ludoteca.InvalidOption, match="variant"):
        ludoteca.agent("astar:variant=other")(Hex(3), 0, 0)
