"""Many starts of a game: each value against a proof of its own, and what a proof says about other starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.engines.hex_solver import WINNING
from ludoteca import _core
from ludoteca.agents.dominoes import solver as dominoes_solver
from ludoteca.agents.dominoes.solver import EXACT
from ludoteca.agents.hex.solver import HexStartSolver, solve_every
from ludoteca.agents.solvers.starts import Solution, Start, StartSolver, start_solver
from ludoteca.errors import InvalidFile, InvalidOption
from ludoteca.games import game as game_of
from ludoteca.games.hex.game import Hex
from ludoteca.protocols import Game
from ludoteca.reports.solutions import all_solutions


def solution(solver: StartSolver, start: Start) -> Solution:
    *_, last = solver.attempt(start)
    assert last.value is not None
    return last


def every_value(game: Game) -> dict[int, float]:
    *_, last = solve_every(game, game.deal(0).view(0))
    assert last.proven
    return dict(last.scores)


@pytest.mark.parametrize("spec", ["hex:size=4", "hex:size=4,layout=even-r", "hex:size=5,layout=odd-r"])
def test_each_opening_of_hex_and_all_that_its_proof_implies_have_the_right_value(spec: str) -> None:
    game = game_of(spec)
    values, solver = every_value(game), HexStartSolver(game, 1, 16)
    assert {start.opening for start in solver.openings()} == set(values)
    implied = 0
    for start in solver.openings():
        found = solution(solver, start)
        assert start.opening is not None and found.value == values[start.opening]
        assert solver.representative(start) in [start, *solver.implied(start, found)]
        for other in solver.implied(start, found):
            assert other.opening is not None and values[other.opening] == found.value
            implied += 1
    assert implied > len(values) / 2


def test_with_the_swap_rule_no_opening_wins() -> None:
    solver = start_solver(Hex(3, swap=True))
    for start in solver.openings():
        found = solution(solver, start)
        assert found.value == -1
        assert len(solver.implied(start, found)) <= 1


def test_proofs_are_kept_in_a_file_and_a_damaged_one_is_refused(tmp_path: Path) -> None:
    path, start = tmp_path / "proofs", Start(opening=2)
    first = HexStartSolver(Hex(6), 1, 16)
    assert solution(first, start).nodes > 50
    first.save(path)
    again = HexStartSolver(Hex(6), 1, 1)
    again.load(path)
    assert solution(again, start) == Solution(solution(first, start).value, nodes=0)
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1  # would be another proof
    for bytes_of in (flipped, whole[: len(whole) // 2], whole[:-8], b""):
        path.write_bytes(bytes_of)
        fresh = HexStartSolver(Hex(6), 1, 1)
        with pytest.raises(InvalidFile, match="damaged"):
            fresh.load(path)
        if bytes_of is flipped:
            assert solution(fresh, start).nodes > 50, "nothing of it was taken over"
    path.write_bytes(whole)
    for other in (Hex(5), Hex(6, layout="even-r"), Hex(6, "standard")):
        with pytest.raises(InvalidFile, match="another board"):
            HexStartSolver(other, 1, 1).load(path)
    with pytest.raises(OSError, match="cannot be written"):
        first.save(tmp_path / "nowhere" / "proofs")
    with pytest.raises(ValueError, match="another board"):
        _core.hex_solver(Hex(5).deal(0).view(0), proofs=_core.HexProofs(Hex(6)))


def test_each_deal_of_horses_has_the_value_of_the_engine() -> None:
    solver = start_solver(game_of("horses:size=5"))
    values = {solution(solver, start).value for start in solver.deals(12)}
    assert values >= {-1.0, 1.0}


def test_first_tiles_of_dominoes_have_their_shares_and_values() -> None:
    solver = start_solver(game_of("dominoes:pips=3,variant=block"))
    starts = solver.openings()
    assert [solver.name(start) for start in starts] == ["3-3", "2-2", "1-1", "0-0", "3-2", "3-1", "3-0"]
    assert sum(map(solver.share, starts)) == pytest.approx(1)
    mean = sum(solver.share(start) * _checked(solver, start) for start in starts)
    whole = _core.DominoesEquilibrium(game_of("dominoes:pips=3,variant=block"), 64, 1e-5)
    assert whole.prepare_deals()
    whole.iterate(300)
    assert abs(whole.value()) < EXACT  # each seat begins as often
    assert 0.5 < mean < 0.6
    chosen = start_solver(game_of("dominoes:pips=3,variant=block,start=seat"))
    (start,) = chosen.openings()
    assert chosen.name(start) == "" and _checked(chosen, start) > mean


def _checked(solver: StartSolver, start: Start) -> float:
    found = solution(solver, start)
    assert found.value is not None and found.within <= EXACT / 2
    return found.value


@pytest.mark.parametrize(
    ("spec", "call", "complaint"),
    [
        ("horses", "openings", "depend on the deal"),
        ("dominoes", "deals", "do not see the deal"),
        ("kittens", "deals", "do not see the deal"),
    ],
)
def test_what_cannot_be_solved_is_said(spec: str, call: str, complaint: str) -> None:
    solver = start_solver(game_of(spec))
    with pytest.raises(InvalidOption, match=complaint):
        solver.openings() if call == "openings" else solver.deals(3)


def test_the_published_results_agree_with_fresh_proofs_and_with_the_literature(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of Dominoes the fresh bounds are wider than the published ones, which take five times as long."""
    monkeypatch.setattr(dominoes_solver, "EXACT", 0.01)
    hex_sizes = []
    for published in all_solutions():
        game = game_of(published.game)
        solver = start_solver(game)
        values = {each.start: each.value for each in published.starts}
        if isinstance(game, Hex):
            hex_sizes.append(game.size)
            transposed = {f"{chr(96 + int(name[1:]))}{ord(name[0]) - 96}" for name in WINNING[game.size].split()}
            assert len(values) == game.size**2
            assert all((value == 1) == (name in transposed) for name, value in values.items() if value is not None)
            assert None not in values.values() or game.size > 7
            if game.size <= 5:
                fresh = every_value(game)
                assert values == {game.action_name(action): value for action, value in fresh.items()}
        elif published.starts[0].start.startswith("seed="):
            assert len(values) == 100
            for each in sorted(published.settled, key=lambda each: each.nodes)[:2]:
                assert solution(solver, Start(int(each.start[5:]))).value == each.value
        else:
            for start in solver.openings()[-3:]:
                known = next(each for each in published.starts if each.start == solver.name(start))
                assert known.value is not None and known.share == pytest.approx(solver.share(start), abs=1e-5)
                if "hand=4" not in published.game:
                    found = solution(solver, start)
                    assert found.value == pytest.approx(known.value, abs=found.within + EXACT)
    assert sorted(hex_sizes) == [3, 4, 5, 6, 7, 8]
