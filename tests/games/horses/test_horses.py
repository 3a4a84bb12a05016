from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import _core
from ludoteca.errors import IllegalAction
from ludoteca.games.horses.game import Horses
from ludoteca.testing import check_game, random_actions
from tests.chances import chances
from tests.games.horses.matches import TURNS_ROUND, TURNS_ROUND_MATCH, make, play
from tests.games.horses.reference import PASS, Position, board

LONE_CORNERS = "W@a1/B@e5"
RICH = "W@d4/B@e5/" + "/".join(f"{value:+}@a{row}" for row, value in enumerate((9, -8, 7, -6, 2, -2), 1))
FULL = "W@c3/B@d4/" + "/".join(
    f"{(i * 8) % 21 - 10 or 1:+}@{square}" for i, square in enumerate(board(6)) if square not in ("c3", "d4")
)
SPECS = [
    "horses",
    "horses:penalty=every",
    "horses:size=5",
    "horses:size=5,penalty=every",
    "horses:size=6",
    "horses:size=7,penalty=every",
    f"horses:size=5,layout={LONE_CORNERS}",
    f"horses:size=5,penalty=every,layout={TURNS_ROUND}",
    f"horses:layout={RICH}",
    f"horses:size=6,penalty=every,layout={FULL}",
    "horses:charge=stuck",
    "horses:size=9",
    "horses:size=10,penalty=every,charge=stuck",
    "horses:size=5,penalty=every,charge=stuck",
    f"horses:size=5,charge=stuck,layout={TURNS_ROUND}",
]


MATCHES = 16  # random matches of each of these


def reference(game: Horses, view: _core.HorsesView) -> Position:
    """The starting position that a view shows."""
    squares = board(game.size)
    worth = {squares[i]: value for i, value in enumerate(view.values) if value}
    white, black = view.squares
    return Position(game.size, game.penalty, (squares[white], squares[black]), worth, game.charge)


def expected_tensor(position: Position, seat: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    size, other = position.size, 1 - seat
    squares = board(size)

    def marked(chosen: Sequence[str] | frozenset[str]) -> list[float]:
        return [float(square in chosen) for square in squares]

    def everywhere(number: float) -> list[float]:
        return [number] * len(squares)

    def pays(who: int) -> bool:
        return position.penalty == "every" or position.times_stuck[who] == 0

    planes = [
        marked([position.knights[seat]]),
        marked([position.knights[other]]),
        marked(position.destroyed),
        [position.left(square) / 10 for square in squares],
        marked(position.targets(seat)),
        marked(position.targets(other)),
        everywhere((position.points[seat] - position.points[other]) / 10),
        everywhere(pays(seat)),
        everywhere(pays(other)),
        everywhere(position.turn == seat),
    ]
    return np.array(planes, dtype=np.float32).reshape(10, size, size)


def assert_same(game: Horses, state: _core.HorsesState, position: Position) -> None:
    squares = board(game.size)
    assert state.turn == position.turn
    assert [game.action_name(action) for action in state.legal()] == position.legal()
    assert state.returns() == position.returns()
    for seat in (0, 1):
        view = state.view(seat)
        assert tuple(squares[square] for square in view.squares) == position.knights
        assert view.scores == position.points
        assert view.penalised == tuple(times > 0 for times in position.times_stuck)
        assert {squares[i] for i, gone in enumerate(view.destroyed) if gone} == position.destroyed
        assert view.values == [position.left(square) for square in squares]
        assert [[squares[i] for i in moves] for moves in view.moves] == [position.targets(s) for s in (0, 1)]
        last = position.played[-1] if position.played else None
        assert view.last == (None if last is None else game.parse_action(last))
        assert np.array_equal(view.tensor(), expected_tensor(position, seat))


@pytest.mark.parametrize("spec", SPECS)
def test_keeps_the_promises_of_every_game(spec: str) -> None:
    check_game(ludoteca.game(spec), matches=1)


@pytest.mark.parametrize("spec", SPECS)
def test_agrees_with_the_reference(spec: str) -> None:
    game = make(spec)
    for seed in range(MATCHES):
        state = game.deal(seed)
        position = reference(game, state.view(0))
        assert_same(game, state, position)
        for action in random_actions(game, seed):
            state.apply(action)
            position = position.play(game.action_name(action))
            assert_same(game, state, position)
        assert position.over


def test_random_matches_meet_passes_draws_and_both_winners() -> None:
    """The comparison above is worth something only if its matches reach every rule."""
    met: Counter[str] = Counter()
    for spec in SPECS:
        game = make(spec)
        for seed in range(MATCHES):
            actions, state = random_actions(game, seed), game.deal(seed)
            for action in actions:
                state.apply(action)
            met["passes twice"] += actions.count(game.pass_action) > 1
            met[f"returns {state.returns()[0]:+.0f}"] += 1
    assert all(met[each] for each in ("passes twice", "returns +1", "returns -1", "returns +0")), met


@pytest.mark.parametrize(("penalty", "points", "returns"), [("once", (1, -1), (1, -1)), ("every", (-3, -1), (-1, 1))])
def test_the_penalty_rule_can_turn_a_result_round(
    penalty: str, points: tuple[int, int], returns: tuple[int, int]
) -> None:
    game = make(f"horses:size=5,penalty={penalty},layout={TURNS_ROUND}")
    state = play(game, game.deal(0), TURNS_ROUND_MATCH)
    assert state.turn is None
    assert state.view(0).scores == points
    assert state.view(0).penalised == (True, False)
    assert state.returns() == returns


def test_only_the_first_of_two_passes_costs_points_with_once() -> None:
    scores: dict[str, list[int]] = {}
    for penalty in ("once", "every"):
        game = make(f"horses:size=5,penalty={penalty},layout={TURNS_ROUND}")
        state = game.deal(0)
        scores[penalty] = []
        for name in TURNS_ROUND_MATCH:
            play(game, state, [name])
            scores[penalty].append(state.view(0).scores[0])
    assert scores["once"] == [0, 0, 0, 0, 5, 5, 1, 1, 1, 1]
    assert scores["every"] == [0, 0, 0, 0, 5, 5, 1, 1, -3, -3]


@pytest.mark.parametrize(
    ("penalty", "charge", "points"),
    [
        ("once", "turn", [0, 0, 0, 0, 5, 5, 1, 1, 1, 1]),
        ("once", "stuck", [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]),
        ("every", "turn", [0, 0, 0, 0, 5, 5, 1, 1, -3, -3]),
        ("every", "stuck", [0, 0, 0, 0, 1, 1, 1, 1, -3, -3]),
    ],
)
def test_a_stuck_seat_pays_on_its_turn_or_as_soon_as_it_is_stuck(penalty: str, charge: str, points: list[int]) -> None:
    game = make(f"horses:size=5,penalty={penalty},charge={charge},layout={TURNS_ROUND}")
    state = game.deal(0)
    found = []
    for name in TURNS_ROUND_MATCH:
        play(game, state, [name])
        found.append(state.view(0).scores[0])
    assert found == points


def test_who_is_stuck_pays_at_once_even_where_its_turn_never_comes() -> None:
    """White's own move leaves it stuck, and black's next one ends the match."""
    differ = 0
    for seed in range(300):
        games = [make(f"horses:size=5,charge={charge}") for charge in ("turn", "stuck")]
        states = [game.deal(seed) for game in games]
        for action in random_actions(games[0], seed):
            for state in states:
                state.apply(action)  # legal in both: only points differ
        late, soon = (state.view(0).scores for state in states)
        assert states[0].turn is states[1].turn is None
        paid = [before - after for before, after in zip(late, soon, strict=True)]
        assert sorted(paid) in ([0, 0], [0, 4])
        differ += any(paid)
    assert 0 < differ < 300


def test_starting_squares_are_destroyed_and_a_value_is_given_once() -> None:
    game = make("horses:layout=W@b1/B@g8/+10@c3")
    state = game.deal(0)
    view = state.view(1)
    assert [game.action_name(i) for i, gone in enumerate(view.destroyed) if gone] == ["g8", "b1"]
    play(game, state, ["c3"])
    view = state.view(1)
    assert view.scores == (10, 0)
    assert not any(view.values)
    assert [game.action_name(i) for i, gone in enumerate(view.destroyed) if gone] == ["g8", "c3", "b1"]
    assert not state.is_legal(game.parse_action("pass"))


def test_no_seat_pays_when_both_are_stuck_at_once() -> None:
    game = make(f"horses:size=5,penalty=every,layout={LONE_CORNERS}")
    state = play(game, game.deal(0), ["c2", "c4", "b4", "d2", "d3", "b3", "e1", "a5"])
    assert state.turn is None
    assert state.view(0).scores == (0, 0)
    assert state.view(0).penalised == (False, False)
    assert state.returns() == (0, 0)
    assert "draw" in game.text(state.view(0))
    assert "empate" in game.text(state.view(0), language="es")


def test_a_stuck_seat_may_only_pass() -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    state = play(game, game.deal(0), TURNS_ROUND_MATCH[:6])
    assert state.turn == 0
    assert state.legal() == [game.pass_action]
    with pytest.raises(IllegalAction, match=r"'a2' \(action 15\) is not legal for seat 0 .*; legal: pass"):
        play(game, state, ["a2"])


@pytest.mark.parametrize("size", [5, 6, 7, 8, 9, 10])
def test_both_knights_can_move_at_the_start_wherever_they_stand(size: int) -> None:
    """So no match is over before it begins, whatever the layout: a corner has two moves, one may be taken."""
    squares = size * size
    for white, black in permutations(range(squares), 2):
        state = _core.HorsesRules(size, False, False, (white, black), [0] * squares).deal(0)
        assert state.turn == 0
        assert all(state.view(0).moves)


PERFT = {
    (f"horses:size=5,layout={LONE_CORNERS}", 0): [2, 4, 20, 92, 216, 474, 1118, 2258],
    (f"horses:size=5,penalty=every,layout={TURNS_ROUND}", 0): [3, 17, 70, 140, 356, 989, 2109, 4453],
    ("horses:size=5", 1): [4, 12, 39, 159, 373, 1006, 2405, 5110],
    ("horses:size=5", 2): [3, 7, 25, 77, 258, 729, 1587, 3114],
    (f"horses:layout={RICH}", 0): [8, 62, 356, 1992, 8094, 31648, 126582, 485484],
    ("horses", 1): [4, 12, 60, 289, 1571, 7578, 33326, 150083],
    ("horses", 2): [7, 35, 210, 982, 3905, 16193, 68864, 311893],
    ("horses:charge=stuck", 2): [7, 35, 210, 982, 3905, 16193, 68864, 311893],
    ("horses:size=9", 1): [4, 23, 120, 640, 3353, 16274, 79697, 376457],
    ("horses:size=10", 1): [8, 32, 136, 748, 4124, 22098, 120245, 626217],
    ("horses:size=10,charge=stuck", 2): [8, 32, 192, 1032, 5548, 28733, 145674, 724379],
    (f"horses:size=5,penalty=every,charge=stuck,layout={TURNS_ROUND}", 0): [3, 17, 70, 140, 356, 989, 2109, 4453],
}
"""How many sequences of 1, 2, 3… actions there are, by game and seed."""


@pytest.mark.parametrize(("spec", "seed"), PERFT)
def test_perft(spec: str, seed: int) -> None:
    game = make(spec)
    state = game.deal(seed)
    counts = PERFT[spec, seed]
    assert [state.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    position = reference(game, state.view(0))
    checked = sum(count < 3000 for count in counts[:6])
    assert [position.perft(depth) for depth in range(1, checked + 1)] == counts[:checked]


@pytest.mark.no_sanitize
def test_perft_of_a_whole_game() -> None:
    """Every sequence of actions that the rules allow from here; the longest has 42."""
    state = make(f"horses:size=5,layout={LONE_CORNERS}").deal(0)
    counts = [state.perft(depth) for depth in range(1, 44)]
    assert sum(counts) == 3_115_526
    assert counts[-2:] == [1252, 0]


def test_perft_near_the_end_agrees_with_the_reference() -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    state = play(game, game.deal(0), TURNS_ROUND_MATCH[:3])
    position = reference(game, game.deal(0).view(0))
    for name in TURNS_ROUND_MATCH[:3]:
        position = position.play(name)
    for depth in range(1, 8):
        assert state.perft(depth) == position.perft(depth)


def test_a_deal_has_two_knights_and_the_ten_values() -> None:
    for size in range(5, 11):
        for seed in range(130):
            view = make(f"horses:size={size}").deal(seed).view(0)
            white, black = view.squares
            assert white != black
            assert sorted(filter(None, view.values)) == [-10, -5, -4, -3, -1, 1, 3, 4, 5, 10]
            assert not view.values[white] and not view.values[black]
            assert [i for i, gone in enumerate(view.destroyed) if gone] == sorted((white, black))


@pytest.mark.no_sanitize
def test_deals_are_uniform() -> None:
    game = make("horses:size=5")
    views = [game.deal(seed).view(0) for seed in range(12_000)]
    pairs = Counter(view.squares for view in views)
    # 600 equally likely pairs of squares: chi-square has mean 599 and deviation 35; the bound is 5 above.
    assert chi_square([pairs[pair] for pair in permutations(range(25), 2)]) < 775
    for value in (-10, -1, 4, 10):
        where = Counter(view.values.index(value) for view in views)
        assert chi_square([where[square] for square in range(25)]) < 24 + 5 * 7


def chi_square(counts: Sequence[int]) -> float:
    even = sum(counts) / len(counts)
    return sum((count - even) ** 2 / even for count in counts)


def test_a_layout_is_the_same_for_every_seed() -> None:
    game = make(f"horses:layout={RICH}")
    assert game.deal(1).view(0) == game.deal(2).view(0)
    assert make("horses").deal(1).view(0) != make("horses").deal(2).view(0)


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_is_hidden(spec: str) -> None:
    """Both seats see the same, and the only world that fits a view is the true one, future included."""
    game = make(spec)
    state = game.deal(7)
    for action in random_actions(game, 7):
        zero, one = state.view(0), state.view(1)
        assert game.svg(zero) == game.svg(one)
        assert game.text(zero) == game.text(one)
        assert sum(a != b for a, b in zip(bytes(zero), bytes(one), strict=True)) == 1  # the seat itself
        for seed in (0, 1):
            assert bytes(zero.sample(seed)) == bytes(one.sample(seed)) == bytes(state)
        state.apply(action)


def test_two_ways_to_one_position_leave_no_trace() -> None:
    """A search that remembers positions relies on it."""
    game = make("horses:layout=W@a1/B@h8/+3@b3/-4@c2/+5@d3/+10@a8")
    way, black = ["b3", "c1", "d3", "b4", "c2"], ["f7", "h6", "g8", "e7", "g6", "f8"]
    one, two = (
        play(game, game.deal(0), [name for pair in zip([*white, "d4"], black, strict=True) for name in pair])
        for white in (way, way[::-1])
    )
    assert one.view(0).scores == (4, 0)
    assert one.view(0) == two.view(0)
    assert bytes(one) == bytes(two)


@pytest.mark.parametrize(
    ("size", "knights", "values", "message"),
    [
        (4, (0, 1), [0] * 16, "size must be 5 to 10"),
        (11, (0, 1), [0] * 121, "size must be 5 to 10"),
        (5, (3, 3), [0] * 25, "two knights on one square"),
        (5, (-1, 3), [0] * 25, "a knight off the board"),
        (5, (3, 25), [0] * 25, "a knight off the board"),
        (5, (0, 1), [0] * 24, "a value for each square"),
        (5, (0, 1), [0] * 64, "a value for each square"),
        (5, (0, 1), [0, 1] + [0] * 23, "a value under a knight"),
        (5, (0, 1), [0] * 24 + [11], "a value beyond 10"),
        (5, (0, 1), [0] * 24 + [-11], "a value beyond 10"),
        (5, (0, 1), [0] * 24 + [-(2**31)], "a value beyond 10"),
    ],
)
def test_the_core_refuses_what_it_could_not_play(
    size: int, knights: tuple[int, int], values: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        _core.HorsesRules(size, False, False, knights, values)


@st.composite
def layouts(draw: st.DrawFn) -> tuple[int, tuple[str, str], dict[str, int]]:
    """A size, the squares of the knights, and values on other squares."""
    size = draw(st.integers(5, 10))
    squares = draw(st.permutations(board(size)))
    values = draw(st.lists(st.integers(-10, 10).filter(bool), max_size=size * size - 2))
    return size, (squares[0], squares[1]), dict(zip(squares[2:], values, strict=False))


@given(layouts(), chances())
def test_a_layout_is_dealt_as_written_however_it_is_written(
    drawn: tuple[int, tuple[str, str], dict[str, int]], chance: random.Random
) -> None:
    size, knights, values = drawn
    items = [f"W@{knights[0]}", f"B@{knights[1]}"]
    items += [f"{value:{chance.choice(['', '+'])}}@{square}" for square, value in values.items()]
    game = Horses(size=size, layout="/".join(items))
    chance.shuffle(items)
    sloppy = "".join(item + chance.choice([" ", "/", " / ", "  "]) for item in items)
    twin = Horses(size=size, layout=chance.choice([sloppy, sloppy.lower()]))
    assert twin.spec == game.spec and twin == game and hash(twin) == hash(game)
    assert ludoteca.game(game.spec).spec == game.spec
    assert pickle.loads(pickle.dumps(game)) == game
    position = reference(game, game.deal(chance.getrandbits(64)).view(0))
    assert position == Position(size, "once", knights, values)


def test_the_canonical_layout() -> None:
    game = Horses(layout=" -5@F6  b@g8/10@c3 / W@b1/")
    assert game.spec == "horses:layout=W@b1/B@g8/-5@f6/+10@c3"
    assert Horses(layout="  ").spec == "horses"


def mirrored(size: int, name: str) -> str:
    """The same square seen in a mirror: a becomes the last column."""
    return name if name == PASS else chr(ord("a") + size - 1 - (ord(name[0]) - ord("a"))) + name[1:]


@given(layouts(), st.sampled_from(["once", "every"]), chances())
def test_a_mirrored_match_is_the_same_match(
    drawn: tuple[int, tuple[str, str], dict[str, int]], penalty: str, chance: random.Random
) -> None:
    size, knights, values = drawn

    def deal(names: Sequence[str]) -> tuple[Horses, _core.HorsesState]:
        pieces = zip(["W", "B", *values.values()], names, strict=True)
        spec = f"horses:size={size},penalty={penalty},layout={'/'.join(f'{p}@{name}' for p, name in pieces)}"
        return make(spec), make(spec).deal(0)

    names = [*knights, *values]
    game, state = deal(names)
    image, reflection = deal([mirrored(size, name) for name in names])
    while state.turn is not None:
        assert reflection.turn == state.turn
        assert reflection.view(0).scores == state.view(0).scores
        legal = [game.action_name(action) for action in state.legal()]
        assert {mirrored(size, image.action_name(a)) for a in reflection.legal()} == set(legal)
        action = chance.choice(legal)
        play(game, state, [action])
        play(image, reflection, [mirrored(size, action)])
    assert reflection.turn is None
    assert reflection.returns() == state.returns()


def test_playouts_average_the_returns_of_random_matches() -> None:
    game = make(f"horses:size=5,layout={TURNS_ROUND}")
    state = play(game, game.deal(0), TURNS_ROUND_MATCH[:3])
    mean = exact_mean(state)
    assert 0.4 < mean < 0.6  # not a foregone conclusion; the bounds below are five standard errors
    assert abs(state.playouts(20_000, seed=3)[0] - mean) < 0.03
    assert abs(state.playouts(20_000, seed=3, stepwise=True)[0] - mean) < 0.03


def exact_mean(state: _core.HorsesState) -> float:
    """The expected return of seat 0 when both play at random."""
    if state.turn is None:
        return state.returns()[0]
    total = 0.0
    for action in state.legal():
        after = state.copy()
        after.apply(action)
        total += exact_mean(after)
    return total / len(state.legal())
