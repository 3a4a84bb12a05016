from __future__ import annotations

import argparse
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

import ludoteca
from bench.strength import cells, crosstable, summary, variants
from bench.strength.beliefs import Meeting, played, reliability, scores
from bench.strength.document import DOCUMENT
from bench.strength.pairs import Played, Tally, agent_seed, even_matches, play_pair, play_pairs, resume_pairs
from ludoteca.protocols import Game, Limit, View
from ludoteca.ratings.wilson import wilson


def test_the_wilson_interval_solves_its_own_equation() -> None:
    """Its ends are the shares p from which the seen share is 1.96 standard errors of p away."""
    for share, count in [(0.5, 10), (0.9, 100), (0.031, 2000), (0.0, 20), (1.0, 20)]:
        low, high = wilson(share, count)
        assert 0 <= low <= share <= high <= 1
        for end in (low, high):
            if end not in (0.0, 1.0):
                assert abs(share - end) == pytest.approx(1.959964 * (end * (1 - end) / count) ** 0.5, rel=1e-5)


def test_a_tally_counts_for_a() -> None:
    results = [(0, 1.0, "x"), (1, 1.0, "x"), (0, 0.0, "y"), (1, -1.0, "x"), (0, 0.0, "y"), (1, -1.0, "x")]
    tally = Tally.of(Played(7, seat, result, deal, (1, 2)) for seat, result, deal in results)
    assert (tally.wins, tally.draws, tally.losses, tally.matches) == (2, 2, 2, 6)
    assert tally.score == 3 / 6
    assert tally.pairs == (0, 1, 0, 0, 1)  # the third pair repeats the second
    low, high = tally.interval
    assert low < 2.5 / 4 < high
    assert tally.distinct == 3
    assert str(tally).startswith("+2 =2 -2 of 6 matches: 50.0%, 95% interval ")
    assert str(tally).endswith("(only 3 of them distinct)")


def test_matches_with_other_hidden_cards_are_distinct() -> None:
    """In short matches of Kittens often all that differs is the deck, which neither seat is shown."""
    tally = Tally.of(play_pairs("kittens", "v1", "v2", 100))
    assert tally.distinct == tally.matches == 200


def test_the_seats_of_a_pair_are_swapped_and_the_result_is_that_of_a() -> None:
    """With one agent against itself, both matches of a pair are the same match, seen from either seat."""
    for seed in range(5):
        first, second = play_pair("horses:size=5", "random", "random", seed, Limit())
        assert (first.seat, second.seat) == (0, 1)
        assert first.seed == second.seed == seed
        assert first.actions == second.actions
        assert first.result == -second.result


class Spy:
    """An agent that notes how it was made and asked."""

    seen: ClassVar[set[tuple[int, int, Limit]]] = set()

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.made = (seat, seed)

    def act(self, view: View, limit: Limit) -> int:
        self.seen.add((*self.made, limit))
        return view.legal()[0]


def test_agents_get_the_seed_of_their_seat_and_the_limit() -> None:
    play_pair("hex:size=2", f"{__name__}.Spy", f"{__name__}.Spy", 9, Limit(nodes=5))
    assert Spy.seen == {(seat, agent_seed(9, seat), Limit(nodes=5)) for seat in (0, 1)}


def test_processes_change_nothing() -> None:
    alone = play_pairs("hex:size=3", "random", "random", 6, seed=3)
    assert [match.seed for match in alone] == [3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    assert play_pairs("hex:size=3", "random", "random", 6, seed=3, jobs=2) == alone


def test_the_command_prints_one_line_about_a() -> None:
    output = subprocess.run(
        [sys.executable, "-m", "bench.strength", "hex:size=3", "random", "random", "-n", "8"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    assert output[0] == "hex:size=3: random against random"
    assert "of 8 matches" in output[1] and "95% interval" in output[1]


def test_matches_come_in_pairs() -> None:
    assert even_matches("10") == 10
    for wrong in ("9", "0", "-2"):
        with pytest.raises(argparse.ArgumentTypeError, match=f"{wrong} is not an even number of matches"):
            even_matches(wrong)


def test_what_the_adviser_calls_likely_is_held_as_often() -> None:
    """Dominoes by random players, Kittens by the documented opponent; the whole table is in docs/adviser.md."""
    for meeting in (Meeting("dominoes", "random", 40), Meeting("kittens", "v2", 40)):
        matches = played(meeting)
        assert meeting.game == "dominoes" or all(score.found < score.counted for score in scores(matches))
        for row in reliability(matches):
            if row.name in ("0%", "100%"):
                assert row.true == pytest.approx(row.claimed)
            elif row.statements > 300:
                assert abs(row.true - row.claimed) < 0.03 + 3 * row.error


def test_a_series_that_was_stopped_goes_on(tmp_path: Path) -> None:
    file, game = tmp_path / "matches.jsonl", "hex:size=3"
    begun = resume_pairs(file, "one", game, "random", "random", 2)
    resume_pairs(file, "another", game, "random", "random", 1)
    before = file.read_text()
    assert len(before.splitlines()) == 6
    assert resume_pairs(file, "one", game, "random", "random", 4) == play_pairs(game, "random", "random", 4)
    assert file.read_text().startswith(before) and len(file.read_text().splitlines()) == 10
    assert resume_pairs(file, "one", game, "random", "random", 2) == begun, "and plays nothing again"


def test_the_tables_of_variants_add_up_portions_and_show_the_latest_results(tmp_path: Path) -> None:
    file = tmp_path / "variants.json"
    assert cells.read(file) == []

    def cell(engine: str, pairs: tuple[int, ...], portion: int, machine: str = "here") -> cells.Cell:
        return cells.Cell("dominoes", "mcts", 0.05, pairs, (portion,), engine, "mcts@2", machine, "2026-11-17")

    old, first, second = (
        cell("engine@0", (5, 0, 0, 0, 0), 0),
        cell("engine@1", (0, 0, 4, 0, 1), 0),
        cell("engine@1", (1, 0, 90, 0, 4), 1),
    )
    for more in ([old], [first, second], [first]):  # what was added before is not counted again
        cells.write(file, cells.add(cells.read(file), more))
    found = cells.read(file)
    assert [each.matches for each in found] == [10, 200] and found[1].portions == (0, 1)
    assert len(cells.add(found, [cell("engine@1", (0, 0, 5, 0, 0), 2, "elsewhere")])) == 3
    rows = variants.table(cells.latest(found)).splitlines()
    assert rows[0].startswith("`dominoes`: 1 of") and "in 1 of them the lower end is above 49%" in rows[0]
    (row,) = (row for row in rows if row.startswith("| `dominoes` | `mcts` |"))
    low, high = found[1].interval
    assert f"52.0% ({100 * low:.1f}–{100 * high:.1f}), 200 |  |  |" in row
    assert 0.49 < low < 0.52 < high < 0.56, "narrower than that of 200 independent matches"


def test_the_mean_of_variants_counts_each_once_however_many_matches_it_has() -> None:
    many, few = (
        cells.Cell(game, "mcts", 0.05, pairs, (0,), "engine@1", "mcts@2", "here", "2026-11-17")
        for game, pairs in (("dominoes", (50, 0, 900, 0, 50)), ("dominoes:pips=3", (0, 0, 0, 0, 5)))
    )
    rows = variants.table(cells.latest([many, few])).splitlines()
    (row,) = (row for row in rows if row.startswith("| mean of all variants |"))
    low = 0.75 - math.hypot(many.share - many.interval[0], few.share - few.interval[0]) / 2
    assert row == f"| mean of all variants | `mcts` | 75.0% ({100 * low:.1f}–75.5), 2010 |  |  |"
    assert 0.5 < low < 0.55, "ten matches say little, and two thousand others cannot make up for it"
    assert variants.mean([few]) == str(few), "of one it is that one"


def test_the_document_has_the_tables_of_the_results_of_variants() -> None:
    table = variants.table(cells.latest(cells.read(variants.RESULTS)))
    assert table in DOCUMENT.read_text(encoding="utf-8")


def test_a_portion_of_a_cell_is_played_in_pairs_and_not_again() -> None:
    key = cells.Key("hex:size=5", "random", 0.05)
    played = cells.play(cells.Key("dominoes:pips=3", "random", 0.05), 2)
    assert played.portions == (2,) and played.matches == 2 * cells.PORTION
    assert [portion for _, portion in cells.missing([key, played.key], 21, [played])] == [0, 1, 2, 0, 1]


def test_a_crosstable_counts_one_version_of_each_agent(tmp_path: Path) -> None:
    plan = crosstable.Plan("dominoes:pips=3", ("random", "naive", "cases"), 20, 0.01)
    tasks = crosstable.tasks_of([plan], None, [])
    assert [portion for _, portion in tasks] == [0, 0, 0, 1, 1, 1], "every two meet before any meet again"
    played = [cells.play(*task) for task in tasks]
    file = tmp_path / "crosstables.json"
    cells.write(file, cells.add([], played))
    kept = cells.read(file)
    assert crosstable.tasks_of([plan], 20, kept) == []
    assert all(sum(cell.seats) == sum(cell.pairs) == 10 for cell in kept)
    old = [replace(cell, engine_version="naive@0", pairs=(0, 0, 0, 0, 10)) for cell in kept if cell.agent == "naive"]
    found = crosstable.of_one_version(plan, [*old, *kept])
    assert sorted(found.values(), key=kept.index) == kept
    assert len(crosstable.of_one_version(plan, [*kept, *old])) == 2, "the newer one has not met the third yet"
    rows = crosstable.markdown(plan, found).splitlines()
    assert rows[0].startswith("60 matches, 20 of every two, 0.01 s an action, ")
    (share,) = (cell.share for cell in kept if (cell.agent, cell.opponent) == ("naive", "random"))
    cells_of = {row.split(" | ")[0]: row.rstrip(" |").split(" | ") for row in rows[4:]}
    column = rows[2].rstrip(" |").split(" | ").index("`random`")
    assert cells_of["| `naive`"][column] == f"{100 * share:.1f}"


def test_every_crosstable_and_row_has_its_place_in_the_document() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for mark in (*(plan.game for plan in crosstable.PLANS), "rows"):
        assert f"<!-- {mark} -->" in text
    for key in (*(key for plan in crosstable.PLANS for key in plan.keys), *(row.key for row in summary.ROWS)):
        assert {ludoteca.agents.canonical(name) for name in (key.agent, key.opponent)}
        assert ludoteca.game(key.game)


def test_every_variant_has_other_agents_that_play_it() -> None:
    for game, opponents in variants.VARIANTS.items():
        for opponent in opponents:
            ludoteca.agents.canonical(opponent)
        assert ludoteca.game(game)
    assert all(len(set(opponents)) == len(opponents) for opponents in variants.VARIANTS.values())
    assert variants.chosen(["kittens*"], ["mcts"], [0.05]) == [
        cells.Key("kittens", "mcts", 0.05),
        cells.Key("kittens:rules=original", "mcts", 0.05),
    ]
