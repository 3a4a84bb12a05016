from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import _core, agents
from ludoteca.agents.hex.beam import Beam, as_value
from ludoteca.games.hex.game import Hex
from ludoteca.messages import translate
from ludoteca.protocols import Limit
from tests.agents.hex.hex_positions import axial_position, named, random_position
from tests.agents.hex.reference import Beam as Documented
from tests.agents.hex.reference import BeamProgram, Board, shortest_path


def recurrence(lengths: list[int], total: int) -> Fraction:
    """P[0] as the document writes it."""
    probability = Fraction(0)
    for length in reversed(lengths):
        probability = Fraction(total - length, total) + Fraction(length, total) * probability
    return probability


@given(st.integers(0, 2**32), st.integers(0, 2**64 - 1))
def test_four_paths_are_those_of_the_document(seed: int, chance: int) -> None:
    at = random_position(seed, (1, 13))
    board = Board.of(at.view)
    for seat in (0, 1):
        slow = Documented(chance, board.size, 1 - 2 * seat)
        assert _core.hex_four_paths(at.view, seat, chance) == slow.lengths(board, 1 - 2 * seat)


def test_evaluation_is_the_documents_recurrence() -> None:
    """P[i] = (tot-L[i])/tot + (L[i]/tot)*P[i+1], P[4] = 0: counted in whole numbers it is 1 - L0 L1 L2 L3 / tot^4."""
    for seed in range(40):
        at = random_position(seed, (2, 7))
        board = Board.of(at.view)
        slow = Documented(seed, board.size, 1)
        lengths = slow.lengths(board, 1)
        probability = Fraction(slow.ev(board, 1), slow.whole)
        assert probability == recurrence(lengths, slow.total) == 1 - Fraction(math.prod(lengths), slow.whole)


def test_four_paths_of_two_by_two_by_hand() -> None:
    """a1 b1 is the first path, of two cells. With a1 blocked a2 b1 is left, then a2 b2 if b1 is blocked next; with b1
    blocked a2 b2, then nothing. So a third path exists in a quarter of all cases; a missing one counts as all cells.
    """
    view = Hex(2).deal(0).view(0)
    assert shortest_path(Board.of(view), 1) == [0, 1]
    count = 4000
    found = [_core.hex_four_paths(view, 0, seed) for seed in range(count)]
    assert {tuple(lengths) for lengths in found} == {(2, 2, 4, 4), (2, 2, 2, 4)}
    assert abs(found.count([2, 2, 2, 4]) / count - 1 / 4) < 5 * (3 / 16 / count) ** 0.5


@pytest.mark.parametrize(("sizes", "width", "count"), [((1, 5), 0, 40), ((1, 4), 4, 25), ((2, 3), 8, 8)])
def test_same_choice_and_value_as_the_document(sizes: tuple[int, int], width: int, count: int) -> None:
    for seed in range(count):
        at = random_position(seed, sizes)
        board, player = Board.of(at.view), 1 - 2 * at.view.seat
        slow = Documented(seed + 7, board.size, player)
        value, move = slow.minimax(board, player, width)
        found = _core.hex_beam(at.view, width, seed + 7).run()
        assert (found.action, found.value) == (move, value / slow.whole)


def test_each_of_the_best_moves_gets_its_minimax_value() -> None:
    at = named(Hex(4), "b2 c3")
    board = Board.of(at.view)
    slow = Documented(5, 4, 1)
    expected = []
    for _, move in slow.ranked(board, 1)[:4]:
        value, _ = slow.minimax(board.put(move, 1), -1, 2)
        expected.append((move, value / slow.whole))
    assert _core.hex_beam(at.view, 4, 5).run().scores == expected


def test_widths_eight_six_four_two_make_five_plies() -> None:
    """«Al tener altura impar(5) … en el último nivel juegue el mismo jugador»: four wide plies and one of width 0."""
    decision = Beam(Hex(5), 0, 1).act(Hex(5).deal(0).view(0), Limit())
    assert len(decision.scores) == 8
    assert len(decision.line) == decision.depth == 5
    state = Hex(5).deal(0)
    movers = []
    for action in decision.line:
        movers.append(state.turn)
        state.apply(action)
    assert movers == [0, 1, 0, 1, 0]


def test_a_win_in_one_is_taken_and_is_the_only_score_of_one() -> None:
    game = Hex(4)
    at = named(game, "a2 a1 b2 b1 c2 c1")
    decision = Beam(game, 0, 3).act(at.view, Limit())
    assert game.action_name(decision.action) in ("d1", "d2")
    assert decision.note.endswith("wins at once")
    assert decision.value == 1
    slow = Documented(3, 4, 1)
    board = Board.of(at.view)
    for score, move in slow.ranked(board, 1):
        assert (score == slow.whole) == board.put(move, 1).connected(1)


def test_the_second_term_of_the_score_is_never_the_larger() -> None:
    """max(Ev(B,X), 1-Ev(B,Y)) is Ev(B,X) wherever B holds a stone: core/hex/beam.hpp says why."""
    for seed in range(200):
        at = random_position(seed, (2, 8))
        if not any(at.played):
            continue
        total = len(at.view.stones)
        own, others = (math.prod(_core.hex_four_paths(at.view, seat, seed)) for seat in (0, 1))
        assert others <= total**4 - own
        assert own <= total**4 - others
        first = [_core.hex_distance(at.view, seat) for seat in (0, 1)]
        assert sum(each for each in first if each is not None) <= at.view.stones.count(None) + 1


def test_a_decided_board_has_all_paths_or_none() -> None:
    won = Hex(3).position([0, 0, 0, 1, 1, None, None, None, None], 1).view(0)
    assert [_core.hex_four_paths(won, seat, 0) for seat in (0, 1)] == [[0] * 4, [9] * 4]
    assert [Documented(0, 3, 1).lengths(Board.of(won), player) for player in (1, -1)] == [[0] * 4, [9] * 4]


def test_the_seed_decides() -> None:
    game = Hex(6)
    view = game.deal(0).view(0)
    by_seed = [Beam(game, 0, seed, width=4).act(view, Limit()) for seed in (1, 1, 2, 3, 4)]
    assert by_seed[0] == by_seed[1]
    assert len({tuple(each.scores.items()) for each in by_seed}) > 2


def test_out_of_nodes_it_plays_the_best_so_far() -> None:
    at = named(Hex(5), "c3 b2")
    whole, judged = _core.hex_beam(at.view, 4, 1).run(), _core.hex_beam(at.view, 0, 1).run()
    legal = len(at.view.legal())
    for nodes in (1, 5, legal, whole.nodes // 2, whole.nodes - 1):
        part = _core.hex_beam(at.view, 4, 1, nodes=nodes).run()
        assert part.nodes == nodes
        assert not part.complete
        assert part.action in at.view.legal()
        if nodes < legal:  # not all moves were judged, but those that were have their score
            assert (part.depth, len(part.scores)) == (1, nodes)
            assert set(part.scores) < set(judged.scores)
        elif nodes == legal:
            assert (part.action, part.scores, part.depth) == (judged.action, judged.scores, 1)
        else:  # the same moves are searched, as far as it goes
            assert part.depth == 3
            assert part.scores == whole.scores[: len(part.scores)]
    assert len(_core.hex_beam(at.view, 4, 1, nodes=whole.nodes // 2).run().scores) > 0
    assert _core.hex_beam(at.view, 4, 1, nodes=whole.nodes).run().complete


def test_under_a_limit_it_looks_wider_and_wider() -> None:
    """However wide it is to look, it has searched something soon: the narrower looks are those of narrower players."""
    game = Hex(5)
    at = named(game, "c3 b2")
    by_width = {width: Beam(game, 0, 1, width=width).act(at.view, Limit()) for width in (0, 4, 8)}
    seen = set()
    for nodes in (*range(1, 2000, 50), 10_000, 100_000):
        decision = Beam(game, 0, 1, width=28).act(at.view, Limit(nodes=nodes))
        seen.add(decision.depth)
        finished = by_width.get(2 * (decision.depth - 1))
        if finished is not None and len(decision.scores) == len(finished.scores):
            assert (decision.action, decision.value, decision.line) == (
                finished.action, finished.value, finished.line,
            )  # fmt: skip
        assert decision.value == decision.scores[decision.action] == max(decision.scores.values())
        if decision.depth == 1:
            assert decision.note.endswith(f"out of time: {len(decision.scores)} of 23 moves judged, none searched")
        else:
            width = 2 * (decision.depth - 1)
            searched = f"{len(decision.scores)} of the {min(width, 23)} best moves searched, {width} wide instead of 28"
            assert decision.note.endswith(f"out of time: {searched}")
    assert seen == {1, 3, 5, 7}
    note = Beam(game, 0, 1, width=4).act(at.view, Limit(nodes=100)).note
    assert note.endswith("out of time: 1 of the 4 best moves searched")


def test_without_any_time_it_still_plays_and_says_so() -> None:
    game = Hex(5)
    at = named(game, "c3 b2")
    decision = Beam(game, 0, 1).act(at.view, Limit(seconds=0))
    assert decision.action in at.view.legal()
    assert (decision.value, decision.depth, decision.nodes, dict(decision.scores)) == (None, 0, 0, {})
    assert decision.note == "no time to search: c2, the empty cell nearest to the centre"


def test_it_never_swaps_and_only_plays_hex() -> None:
    game = Hex(5, swap=True)
    at = named(game, "c3")
    decision = Beam(game, 1, 0).act(at.view, Limit())
    assert game.swap not in decision.scores
    assert decision.action != game.swap
    assert "beam" in agents.names("hex")
    with pytest.raises(ludoteca.InvalidAgent, match="beam does not play horses"):
        ludoteca.agent("beam")(ludoteca.game("horses"), 0, 0)
    with pytest.raises(ludoteca.InvalidOption, match="width=6 must be a multiple of 4"):
        ludoteca.agent("beam:width=6")(game, 0, 0)
    with pytest.raises(ludoteca.InvalidOption, match="width=32"):
        ludoteca.agent("beam:width=32")(game, 0, 0)


def test_values_say_who_is_ahead_in_the_order_of_the_scores() -> None:
    """A score is close to 1 for the winning and for the losing seat; a value is not."""
    game = Hex(7)
    ahead, behind = named(game, "c4 a1 d4 b1 e4 c1").view, named(game, "a1 d3 a2 d4 a3 d5").view
    for view, sign in ((ahead, 1), (behind, -1)):
        found, decision = _core.hex_beam(view, 8, 1).run(), Beam(game, 0, 1).act(view, Limit())
        assert found.value > 0.9 and decision.value is not None and -1 < decision.value < 1
        assert decision.value * sign > 0.1
        by_score = sorted(found.scores, key=lambda each: each[1])
        values = [decision.scores[action] for action, _ in by_score]
        assert values == sorted(values) and decision.scores[decision.action] == max(values)
    assert [as_value(score, 49, 4.0) for score in (0, 1)] == [-1, 1]
    assert as_value(1 - (3 / 49) ** 4, 49, 4.0) == pytest.approx(0.0)


def test_the_programs_paths_lead_through_the_new_stone() -> None:
    """Two halves joined; a cell of both counts twice.

    From c1, with b1, d1 and c2 taken, both ways begin at b2: b2 a2 to the left, b2 b3 c3 d3 to the stone on e3.
    """
    for seed in range(60):
        at = axial_position(seed, (1, 9))
        board, slow = Board.of(at.view), BeamProgram(seed, at.view.game.size, 1)
        for action in at.view.legal()[:5]:
            for seat in (0, 1):
                expected = slow.through(board, action, 1 - 2 * seat)
                assert _core.hex_paths_through(at.view, action, seat, seed) == expected
    game = Hex(5)
    empty = game.deal(0).view(0)
    assert _core.hex_paths_through(empty, game.parse_action("c3"), 0, 0)[0] == 4
    assert _core.hex_paths_through(empty, game.parse_action("a1"), 0, 0)[0] == 4
    shut_in = named(game, "e5 b1 e4 c2 e3 d1").view
    assert _core.hex_paths_through(shut_in, game.parse_action("c1"), 0, 0)[0] == 6


@pytest.mark.parametrize(("sizes", "width", "count"), [((1, 5), 0, 30), ((1, 5), 4, 15), ((2, 3), 8, 12)])
def test_same_choice_and_value_as_the_program(sizes: tuple[int, int], width: int, count: int) -> None:
    for seed in range(count):
        at = axial_position(seed, sizes)
        board, player = Board.of(at.view), 1 - 2 * at.view.seat
        value, move = BeamProgram(seed + 7, board.size, player).program_minimax(board, player, width)
        found = _core.hex_beam_program(at.view, width, seed + 7).run()
        assert (found.action, found.value, found.complete) == (move, value, True)


def test_the_program_stops_where_the_best_score_is_above_its_limit() -> None:
    game = Hex(11)
    early, late = named(game, "f6"), named(game, "f6 e8 g6 e9 h6 d10 e6 c11 d6 b2")
    for at, depth in ((early, 5), (late, 1)):
        found = _core.hex_beam_program(at.view, 8, 1).run()
        assert (found.depth, found.value > 0.99999) == (depth, depth == 1)


def test_a_cell_of_no_use_to_the_other_scores_one_in_the_program() -> None:
    """The second player is evaluated as if it had played there: without a path through that cell 1 - Ev is 1.

    A win scores 1 too. a1 is shut in by b1 and a2, and comes before the win at e3.
    """
    game = Hex(5)
    at = named(game, "b1 e1 a2 e2 a3 c5 b3 d5 c3 b5 d3 b4")
    assert game.action_name(Beam(game, 0, 1).act(at.view, Limit()).action) == "e3"
    decision = Beam(game, 0, 1, variant="program").act(at.view, Limit())
    assert game.action_name(decision.action) == "a1"
    assert dict(_core.hex_beam_program(at.view, 8, 1).run().scores)[0] == 1
    assert decision.value is not None and decision.value < 1  # no win, whatever its score
    assert decision.note == "no path of the other leads through a1; score 1.000000"


def test_the_program_as_an_agent() -> None:
    game = Hex(6)
    at = named(game, "c3 d4")
    agent = Beam(game, 0, 1, width=4, variant="program")
    decision = agent.act(at.view, Limit())
    assert decision == agent.act(at.view, Limit())
    names = " ".join(game.action_name(action) for action in decision.line)
    assert f"; expects {names}, with a score of 0.9" in decision.note
    assert decision.note.startswith(f"through {game.action_name(decision.action)} paths of ")
    short = agent.act(at.view, Limit(nodes=60))
    assert "out of time" in short.note and short.action in at.view.legal()
    for seed in range(30):
        anywhere = random_position(seed, (1, 6))
        played = Beam(anywhere.view.game, anywhere.view.seat, seed, width=4, variant="program").act(
            anywhere.view, Limit()
        )
        assert played.action in anywhere.view.legal()
        assert played.value is not None and -1 <= played.value <= 1
    with pytest.raises(ludoteca.InvalidOption, match="variant"):
        ludoteca.agent("beam:variant=other")(game, 0, 0)


def test_the_note_says_which_position_has_the_paths_and_which_the_score() -> None:
    game = Hex(6)
    at = named(game, "c3 d4")
    decision = Beam(game, 0, 1).act(at.view, Limit())
    paths, score = [], ""
    end = at.view.sample(0)
    for action in decision.line:
        end.apply(action)
        lengths = _core.hex_four_paths(end.view(0), 0, 1)
        paths.append(", ".join(map(str, lengths)))
        score = f"{1 - math.prod(lengths) / 36**4:.6f}"
    name, names = (" ".join(map(game.action_name, actions)) for actions in (decision.line[:1], decision.line))
    assert paths[0] != paths[-1]
    english = f"after {name} four paths of {paths[0]} stones; expects {names}, with a score of {score} there"
    spanish = f"tras {name}, cuatro caminos de {paths[0]} piedras; espera {names}, y ahí una puntuación de "
    spanish += score.replace(".", ",")
    assert (decision.note, translate(decision.note, "es")) == (english, spanish)
