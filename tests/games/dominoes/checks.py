"""What the tests of Dominoes share: lockstep with the reference, and samples against all deals."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

import ludoteca
from ludoteca._core import DominoesState, DominoesView
from ludoteca.games.dominoes.game import SIDES, Dominoes
from ludoteca.games.dominoes.tiles import chain, numbers
from tests.games.dominoes.reference import DRAW, PASS, Move, Round, Tile, full_set, heaviest, starting_rank, worlds


def dominoes(spec: str) -> Dominoes:
    game = ludoteca.game(spec)
    assert isinstance(game, Dominoes)
    return game


def move_of(game: Dominoes, action: int) -> Move:
    if action >= game.draw_action:
        return DRAW if action == game.draw_action else PASS
    return numbers(action // 2), SIDES[action % 2]


def hand_of(state: DominoesState, seat: int) -> set[Tile]:
    return {numbers(tile) for tile in state.view(seat).hand}


def boneyard_of(state: DominoesState) -> list[Tile]:
    """The boneyard; it is drawn from its end.

    A state's bytes end with it, after the public part (216 bytes) and the two hands (8 bytes each).
    """
    assert len(bytes(state)) == 288  # 55 bytes and one of padding
    return [numbers(tile) for tile in bytes(state)[232:][: state.view(0).boneyard]]


def reference_of(game: Dominoes, state: DominoesState, *, arranged: bool = False) -> Round:
    """The same position, before anything was played."""
    return Round(
        [hand_of(state, 0), hand_of(state, 1)],
        boneyard_of(state),
        game.options["variant"] == "draw",
        game.options["start"] == "highest-double",
        game.options["blocked"] == "pips",
        [(each.left, each.right) for each in chain(state.view(0).line)],
        state.turn,
        arranged=arranged,
    ).start()


def play(state: DominoesState, text: str) -> None:
    for name in text.split():
        state.apply(state.game.parse_action(name))


def check_against(game: Dominoes, state: DominoesState, reference: Round) -> None:
    assert state.turn == reference.turn
    assert [move_of(game, action) for action in state.legal()] == reference.moves()
    assert [hand_of(state, seat) for seat in (0, 1)] == reference.hands
    assert boneyard_of(state) == reference.boneyard
    won = 0.0
    if reference.winner is not None:
        lost = sum(map(sum, reference.hands[1 - reference.winner]))
        most = len(full_set(game.pips)) - game.hand if reference.drawing else game.hand
        points = lost / heaviest(full_set(game.pips), most)
        won = points if game.options["scoring"] == "points" else 1.0
    assert state.returns() == pytest.approx((won, -won) if reference.winner == 0 else (-won, won))
    for seat in (0, 1):
        view = state.view(seat)
        assert view.ends == reference.ends()
        assert view.winner == reference.winner
        assert [(each.left, each.right) for each in chain(view.line)] == reference.line
        assert view.counts == tuple(map(len, reference.hands))
        if reference.turn is None:
            assert view.revealed is not None
            assert [{numbers(tile) for tile in hand} for hand in view.revealed] == reference.hands
        else:
            assert view.revealed is None


def first_deal(game: Dominoes, wanted: Callable[[DominoesState], bool]) -> DominoesState:
    return next(state for state in map(game.deal, range(10_000)) if wanted(state))


def faces(picture: str) -> Iterator[tuple[float, float, float, float]]:
    """The corners of all tiles that lie face up."""
    for part in picture.split("<rect ")[1:]:
        fields = dict(field.split("=", 1) for field in part.split("/>")[0].split("' ") if "=" in field)
        if "#fffdf8" in fields["fill"]:
            x, y, width, height = (float(fields[key].strip("'")) for key in ("x", "y", "width", "height"))
            assert min(x, y) >= 0 and x + width <= 760
            yield x, y, x + width, y + height


def exact_worlds(game: Dominoes, view: DominoesView, begun: Round | None = None) -> Counter[frozenset[Tile]]:
    """How many deals show this view with each hand of the other seat; `begun` is how it began, if not with a deal."""
    log = [(seat, move_of(game, action)) for seat, action in view.log]
    own = {numbers(tile) for tile in view.hand}
    assert view.turn is not None
    begun = begun or reference_of(game, game.deal(0))
    return Counter(hand for hand, _ in worlds(begun, game.pips, log, view.seat, own, view.turn))


def sampled_worlds(view: DominoesView, count: int) -> Counter[frozenset[Tile]]:
    chance = random.Random(1)
    hands = (view.sample(chance.getrandbits(63)).view(1 - view.seat).hand for _ in range(count))
    return Counter(frozenset(map(numbers, hand)) for hand in hands)


def surprise(exact: Counter[frozenset[Tile]], sampled: Counter[frozenset[Tile]]) -> float:
    """How many standard deviations above its mean Pearson's chi-square lies (after Wilson and Hilferty)."""
    assert set(sampled) <= set(exact), "an impossible world was sampled"
    total, count, freedom = exact.total(), sampled.total(), len(exact) - 1
    if freedom == 0:
        return 0.0
    expected = {hand: count * deals / total for hand, deals in exact.items()}
    chi2 = sum((sampled[hand] - mean) ** 2 / mean for hand, mean in expected.items())
    spread = 2 / (9 * freedom)
    return float(((chi2 / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def traits(game: Dominoes, view: DominoesView) -> Iterator[str]:
    """What makes a view interesting to sample from: what the other seat, and this one, went through."""
    other, mine = 1 - view.seat, "own turn" if view.turn == view.seat else "other's turn"
    if not view.log:
        yield f"nothing laid, {mine}"
    if game.variant == "block":
        passes = [by for by, _, _, _ in view.stuck]
        yield f"{min(passes.count(other), 2)} passes"
        if view.ends and not {number for tile in view.hand for number in numbers(tile)} & set(view.ends):
            yield f"stuck, {mine}" if view.log else f"stuck at once, {mine}"
    elif view.boneyard and view.log:
        drew = ["draw" if action == game.draw_action else "lay" for by, action in view.log if by == other]
        story = "-".join(["", *drew, ""]).replace("-draw" * 2, "-draw").replace("-draw" * 2, "-draw")
        yield f"{min(story.count('draw'), 3)} runs"
        if view.log[-1] == (other, game.draw_action):
            yield "a run in progress"
        if "-draw-lay-lay-draw-lay-lay" in story:
            yield "held tiles laid after both of two runs"
        if {by for by, _, _, _ in view.stuck} == {0, 1}:
            yield "own draws too"
        if laid_but_not_dealt(game, view) and view.counts[other] > 1:
            yield "a tile laid late that was not dealt"


def laid_but_not_dealt(game: Dominoes, view: DominoesView) -> bool:
    """Whether the other seat drew, kept and later laid a tile that would have been laid before if dealt."""
    other, lacked, newest = 1 - view.seat, set[int](), False
    first, stuck = numbers(view.log[0][1] // 2), iter(view.stuck)
    for by, action in view.log:
        if action >= game.draw_action:
            seat, _, left, right = next(stuck)
            lacked |= {left, right} if seat == other else set()
        elif by == other and not newest:
            tile = numbers(action // 2)
            above = game.options["start"] == "highest-double" and starting_rank(tile) > starting_rank(first)
            if above or lacked & set(tile):
                return True
        newest = action == game.draw_action
    return False
