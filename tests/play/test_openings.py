"""Where every deal is the same, every pair begins from a balanced opening of its own."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import ludoteca
from ludoteca.games.details import details_of
from ludoteca.games.hex.game import Hex
from ludoteca.play.openings import Suite, make_suite, more_openings, needs_openings, openings_for, suite_of
from ludoteca.play.openings.making import _value, line_key
from ludoteca.play.openings.suite import FOLDER, Opening

SHIPPED = sorted(FOLDER.glob("*.json"))
LAYOUT = "horses:size=5,layout=W@b1/B@d5/+10@c3/-5@d2"


@pytest.mark.parametrize("spec", ["hex", "hex:size=2", "hex:size=5,layout=odd-r", "hex:size=4,swap=true", LAYOUT])
def test_games_without_chance_need_openings(spec: str) -> None:
    assert needs_openings(ludoteca.game(spec))


@pytest.mark.parametrize("spec", ["horses", "horses:size=5", "dominoes", "kittens", "kittens:rules=original"])
def test_games_that_deal_need_none(spec: str) -> None:
    """Of Kittens too, in which both seats see the same at first, whatever lies in the deck."""
    assert not needs_openings(ludoteca.game(spec))


class Envelope:
    """A match of three actions; what lies in the envelope is dealt, and shows only at the end."""

    name, seats, num_actions, tensor_shape = "envelope", 2, 2, (1,)

    def __init__(self, dealt: bool) -> None:
        self.dealt, self.spec = dealt, f"envelope:dealt={dealt}"

    def deal(self, seed: int) -> Open:
        return Open(seed % 2 if self.dealt else 0)


class Open:
    def __init__(self, inside: int) -> None:
        self.inside, self.actions = inside, list[int]()

    @property
    def turn(self) -> int | None:
        return len(self.actions) % 2 if len(self.actions) < 3 else None

    def legal(self) -> list[int]:
        return [0, 1] if self.turn is not None else []

    def apply(self, action: int) -> None:
        self.actions.append(action)

    def copy(self) -> Open:
        new = Open(self.inside)
        new.actions = [*self.actions]
        return new

    def returns(self) -> tuple[float, float]:
        return (1.0, -1.0) if sum(self.actions) % 2 else (-1.0, 1.0)

    def view(self, seat: int) -> bytes:
        return bytes(self.actions if self.turn is not None else [*self.actions, self.inside])


def test_what_shows_only_later_is_chance_too() -> None:
    assert not needs_openings(Envelope(dealt=True))  # type: ignore[arg-type]
    assert needs_openings(Envelope(dealt=False))  # type: ignore[arg-type]


def test_a_game_in_pure_python_has_openings_until_there_are_no_more() -> None:
    found = openings_for(Envelope(dealt=False), 100)  # type: ignore[arg-type]
    assert sorted(found) == [(0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1)]


def positions(game: ludoteca.Game, lines: list[tuple[int, ...]]) -> list[bytes | None]:
    return [line_key(game, line) for line in lines]


@pytest.mark.parametrize(
    "spec", ["hex:size=7", "hex:size=6", "hex:size=5,layout=even-r", "hex:size=4,swap=true", LAYOUT]
)
def test_openings_are_legal_distinct_and_the_first_are_always_the_same(spec: str) -> None:
    game = ludoteca.game(spec)
    many = openings_for(game, 300)
    keys = positions(game, many)
    assert None not in keys, "a match that is over after its opening is none"
    assert len(set(keys)) == len(many) == 300
    assert openings_for(game, 10) == many[:10]
    assert openings_for(game, 130) == many[:130]


def test_openings_are_balanced_by_random_play_where_there_is_no_suite() -> None:
    game = ludoteca.game("hex:size=9,layout=odd-r")
    assert suite_of(game) is None
    values = []
    for line in openings_for(game, 60):
        state = game.deal(0)
        for action in line:
            state.apply(action)
        values.append(abs(state.playouts(2000, 3)[0]))  # type: ignore[attr-defined]
    assert sum(value < 0.1 for value in values) > 50


def test_small_boards_run_out_of_openings_and_do_not_repeat_them() -> None:
    game = ludoteca.game("hex:size=2")
    found = openings_for(game, 1000)
    assert 3 < len(found) < 60
    assert len(set(positions(game, found))) == len(found)
    assert openings_for(ludoteca.game("hex:size=1"), 10) == []


def test_a_half_turn_is_a_symmetry_only_where_it_keeps_neighbours() -> None:
    counts = {spec: len(details_of(ludoteca.game(spec)).symmetries()) for spec in
              ("hex:size=5", "hex:size=5,layout=odd-r", "hex:size=6,layout=odd-r", "horses:size=5")}  # fmt: skip
    assert counts == {"hex:size=5": 2, "hex:size=5,layout=odd-r": 1, "hex:size=6,layout=odd-r": 2, "horses:size=5": 1}
    game = ludoteca.game("hex:size=5")
    assert line_key(game, (0, 7)) == line_key(game, (24, 17)) != line_key(game, (7, 0))


def test_the_other_orientation_has_the_same_openings_turned_over() -> None:
    course, standard = Hex(7), Hex(7, orientation="standard")
    one, other = openings_for(course, 20), openings_for(standard, 20)
    assert other == [tuple(action % 7 * 7 + action // 7 for action in line) for line in one]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_suite_that_comes_with_us_is_large_distinct_and_balanced(path: Path) -> None:
    suite = Suite.from_json(path.read_text(encoding="utf-8"))
    game = ludoteca.game(suite.game)
    assert path.name == f"hex-{game.size}.json" and suite_of(game) == suite  # type: ignore[attr-defined]
    assert len(suite.openings) >= 50
    assert all(0.45 <= opening.share <= 0.55 and 1 <= len(opening.actions) <= 3 for opening in suite.openings)
    keys = positions(game, suite.lines(game))
    assert None not in keys and len(set(keys)) == len(keys)
    assert suite.command.startswith(f"ludoteca openings {suite.game} -n ")
    assert suite.to_json() == path.read_text(encoding="utf-8")


def test_every_size_of_hex_from_5_on_has_a_suite() -> None:
    assert {path.stem for path in SHIPPED} >= {f"hex-{size}" for size in range(5, 20)}


def test_a_suite_is_what_its_command_makes() -> None:
    game = ludoteca.game("hex:size=6")
    suite = suite_of(game)
    assert suite is not None
    for line, opening in itertools.islice(zip(suite.lines(game), suite.openings, strict=True), 3):
        share = (_value(game, line, "zero", 1) + 1) / 2
        assert share == pytest.approx(opening.share, abs=0.002), "another processor rounds a little differently"


def test_a_suite_is_made_written_and_read(tmp_path: Path) -> None:
    game = ludoteca.game("hex:size=4")
    tried: list[int] = []
    suite = make_suite(game, 5, agent="mcts", nodes=50, within=0.5, watch=lambda count, _: tried.append(count))
    assert 1 <= len(suite.openings) <= 5 and tried == list(range(1, len(tried) + 1))
    assert all(0.25 <= opening.share <= 0.75 for opening in suite.openings)
    with pytest.raises(ludoteca.InvalidOption, match="gives no values"):
        make_suite(game, 5, agent="random", nodes=50)
    path = tmp_path / "suite.json"
    path.write_text(suite.to_json(), encoding="utf-8")
    assert Suite.from_json(suite.to_json()) == suite
    found = openings_for(game, 40, str(path))
    assert found[: len(suite.openings)] == suite.lines(game)
    assert len(set(positions(game, found))) == 40, "what the file lacks is made, and repeats nothing of it"


def test_a_suite_that_was_begun_goes_on_after_its_last_opening() -> None:
    game = ludoteca.game("hex:size=4")
    whole = make_suite(game, 8, agent="mcts", nodes=50, within=0.5)
    begun = [opening._replace(share=0.123) for opening in whole.openings[:3]]
    again = make_suite(game, 8, agent="mcts", nodes=50, within=0.5, resume_from=begun)
    assert again.openings == (*begun, *whole.openings[3:]), "the first three were judged again, or the others differ"
    assert make_suite(game, 2, agent="mcts", nodes=50, within=0.5, resume_from=begun).openings == tuple(begun[:2])
    with pytest.raises(ludoteca.InvalidOption, match="cannot be continued: a1 b2 c3 d4 is never tried for hex:size=4"):
        make_suite(game, 8, agent="mcts", nodes=50, resume_from=[Opening(("a1", "b2", "c3", "d4"), 0.5)])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"game": "hex:size=6"}, "are for hex:size=6, not for hex:size=5"),
        ({"game": "chess"}, "no game is called 'chess'"),
        ({"version": 2}, "its version is 2"),
        ({"openings": [["a1 a1", 0.5]]}, "is not legal"),
        ({"openings": [["z9", 0.5]]}, "'z9' is no cell"),
        ({"openings": ["a1"]}, "cannot be used"),
        ({"openings": None}, "cannot be used"),
    ],
)
def test_files_that_are_no_suite_are_refused(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    path = tmp_path / "suite.json"
    good = {"version": 1, "game": "hex:size=5", "method": "", "command": "", "date": "", "openings": [["a1 b2", 0.5]]}
    path.write_text(json.dumps(good))
    assert openings_for(ludoteca.game("hex:size=5"), 1, str(path)) == [(0, 6)]
    path.write_text(json.dumps(good | change))
    with pytest.raises(ludoteca.InvalidOption) as caught:
        openings_for(ludoteca.game("hex:size=5"), 1, str(path))
    assert complaint in str(caught.value) and "suite.json" in str(caught.value)
    with pytest.raises(ludoteca.InvalidOption, match="cannot be read: No such file"):
        openings_for(ludoteca.game("hex:size=5"), 1, "nowhere.json")
    path.write_text("]")
    with pytest.raises(ludoteca.InvalidOption, match="cannot be used"):
        openings_for(ludoteca.game("hex:size=5"), 1, str(path))


def test_openings_do_not_come_from_what_is_known_already() -> None:
    game = ludoteca.game("hex:size=5")
    first = list(itertools.islice(more_openings(game), 20))
    known = {key for key in positions(game, first) if key is not None}
    assert known.isdisjoint(positions(game, list(itertools.islice(more_openings(game, known), 200))))


AGENTS, ENOUGH = ("astar:depth=1", "astar:depth=2"), "100000n"
"""Agents that play the same again, and a limit that they never reach, however slow the machine is."""


def test_a_series_of_agents_without_chance_plays_different_matches_from_an_opening_each() -> None:
    result = ludoteca.series("hex:size=5", *AGENTS, 20, limit=ENOUGH, store=":memory:", workers=1)
    records = list(result.records)
    beginnings = [record.actions[: record.opening] for record in records]
    assert beginnings[::2] == beginnings[1::2] and len(set(beginnings)) == 10
    assert beginnings[::2] == openings_for(ludoteca.game("hex:size=5"), 10)
    assert (result.matches, result.distinct, result.count) == (20, 20, 20)


def test_without_openings_they_play_one_pair_over_and_over_and_it_counts_once() -> None:
    result = ludoteca.series("hex:size=5", *AGENTS, 20, limit=ENOUGH, store=":memory:", workers=1, openings="none")
    assert (result.matches, result.distinct, result.count) == (20, 2, 2)
    assert sum(result.pairs) == 1
    assert result.difference.high - result.difference.low > 300
