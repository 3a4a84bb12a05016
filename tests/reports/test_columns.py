"""Columns for data frames: of one length and one type each, whatever they come from."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.play.store import Store


def checked(table: dict[str, list[Any]], rows: int) -> dict[str, list[Any]]:
    """Columns as Polars takes them without being told the types; and it does, where it is installed."""
    assert table and {len(values) for values in table.values()} == {rows}
    for name, values in table.items():
        kinds = {type(each) for each in values if each is not None}
        assert len(kinds) <= 1 and kinds <= {int, float, str, bool}, (name, kinds)
    for library in filter(find_spec, ("pandas", "polars")):
        frame: Any = pytest.importorskip(library).DataFrame(table)
        assert frame.shape == (rows, len(table))
    return table


def test_results_records_and_stores_are_columns(tmp_path: Path) -> None:
    store = tmp_path / "arena.sqlite"
    agents = ["minimax:depth=1", "random"]
    series = ludoteca.series("horses:size=5", agents[0], agents[1], 4, limit="50n", seed=3, store=store, workers=1)
    table = checked(ludoteca.columns(series), 2)
    assert table["agent"] == agents and table["wins"] == [series.wins, series.losses]
    matches = checked(ludoteca.columns(series, "matches"), 4)
    assert matches["agent0"] == agents * 2 and matches["score0"] == [record.score for record in series.records]
    actions = checked(ludoteca.columns(series, "actions"), sum(matches["actions"]))
    game, first = ludoteca.game("horses:size=5"), series.records[0]
    names = [game.action_name(action) for action in first.actions]
    assert [name for name, match in zip(actions["action"], actions["match"], strict=True) if match == 0] == names
    assert ludoteca.columns(series.records) == matches == ludoteca.columns(store, run=series.run)
    cup = ludoteca.tournament(
        "horses:size=5", [*agents, "minimax:depth=2"], limit="50n", seed=1, store=store, workers=1
    )
    checked(ludoteca.columns(cup), 3)
    checked(ludoteca.columns(ludoteca.standings(cup)), 3)
    runs = checked(ludoteca.columns(store), 2)
    assert dict(zip(runs["run"], runs["matches"], strict=True)) == {series.run: 4, cup.run: 6}
    review = ludoteca.review(first, "minimax:depth=1", ludoteca.Limit(nodes=50))
    assert checked(ludoteca.columns(review), len(first.actions))["action"] == names


def test_an_unfinished_match_of_an_unknown_game_has_a_row() -> None:
    left = ludoteca.Match.of_spec("hex:size=2", 0, [0]).record()
    assert checked(ludoteca.columns([left]), 1)["score0"] == [None]
    unknown = ludoteca.Record.from_json(left.to_json().replace("hex:size=2", "hexx"))
    assert ludoteca.columns([unknown], "actions")["action"] == ["0"]


def test_what_a_source_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ludoteca.InvalidOption, match="rows=agents is none of matches, actions"):
        ludoteca.columns([], "agents")
    with pytest.raises(ludoteca.InvalidOption, match="only a store has runs"):
        ludoteca.columns([], run=3)
    with pytest.raises(ludoteca.InvalidStore, match="there is no store"):
        ludoteca.columns(tmp_path / "none")
    with Store(":memory:") as store, pytest.raises(ludoteca.InvalidStore, match="has no run '7'"):
        ludoteca.columns(store, run=7)
