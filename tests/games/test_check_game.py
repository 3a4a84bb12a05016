"""`check_game` finds games that leak or lie: each is Kuhn or Leduc poker with one fault, as authors make them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludoteca.testing import check_game

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def example(name: str, module: str) -> Iterator[ModuleType]:
    """A module of an example, as if it was installed."""
    folder = str(EXAMPLES / f"ludoteca-{name}")
    sys.path.insert(0, folder)
    try:
        yield importlib.import_module(module)
    finally:
        sys.path.remove(folder)
        for each in [each for each in sys.modules if each.startswith(f"ludoteca_{name}")]:
            del sys.modules[each]


@pytest.fixture(scope="module")
def kuhn() -> Iterator[ModuleType]:
    yield from example("kuhn", "ludoteca_kuhn")


@pytest.fixture(scope="module")
def leduc() -> Iterator[ModuleType]:
    yield from example("leduc", "ludoteca_leduc.game")


def changed(
    kuhn: ModuleType,
    *,
    seeds: Callable[[int], int] = int,
    told: Collection[int] = (),
    knowing: Collection[int] = (),
    **game: Any,
) -> Any:
    """Kuhn poker with other members of its game; seeds: changes the seeds of its sampler.

    told: seats whose views have the true state in an attribute. knowing: those that also compare and sample by it.
    """

    class View(kuhn.KuhnView):  # type: ignore[name-defined,misc]
        def sample(self, seed: int) -> Any:
            if self.seat in knowing:
                return self.truth.copy()
            honest = super().sample(seeds(seed))
            return State(honest.game, honest.cards, honest.history)

        def __eq__(self, other: Any) -> bool:
            return bytes(self) == bytes(other) and (self.seat not in knowing or self.truth.cards == other.truth.cards)

        def __hash__(self) -> int:
            return hash(bytes(self))

    class State(kuhn.KuhnState):  # type: ignore[name-defined,misc]
        def copy(self) -> Any:
            return State(self.game, self.cards, self.history)

        def view(self, seat: int) -> Any:
            honest = super().view(seat)
            seen = View(*(getattr(honest, each) for each in honest.__dataclass_fields__))
            if seat in (*told, *knowing):
                object.__setattr__(seen, "truth", self)
            return seen

    def deal(self: Any, seed: int) -> Any:
        honest = kuhn.Kuhn.deal(self, seed)
        return State(self, honest.cards, honest.history)

    def deals(self: Any) -> Any:
        return [(State(self, each.cards, ()), share) for each, share in kuhn.Kuhn.deals(self)]

    return type("Changed", (kuhn.Kuhn,), {"deal": deal, "deals": deals, **game})()


def test_honest_games_pass(kuhn: ModuleType, leduc: ModuleType) -> None:
    check_game(kuhn.Kuhn())
    check_game(changed(kuhn))
    check_game(leduc.Leduc(raises=1), matches=4)


@pytest.mark.parametrize("seats", [(0, 1), (1,)])
def test_a_view_that_holds_the_true_cards_is_found(kuhn: ModuleType, seats: tuple[int, ...]) -> None:
    game = changed(kuhn, knowing=seats)
    with pytest.raises(AssertionError, match=f"every sampled world is the true one for seat {seats[0]}"):
        check_game(game)


@pytest.mark.parametrize(
    ("member", "leak", "what"),
    [
        ("text", lambda self, view, *, language="en": str(view.truth.cards), "text board"),
        ("svg", lambda self, view, **_: f"<svg>{view.truth.cards}</svg>", "picture"),
        ("area_name", lambda self, view, action: str(view.truth.cards), "name of a click area"),
        ("hand_text", lambda self, view: str(view.truth.cards), "text of the hand"),
        ("public_svg", lambda self, view, **_: f"<svg>{view.card}</svg>", "picture for spectators"),
    ],
)
def test_what_shows_the_true_cards_is_found(kuhn: ModuleType, member: str, leak: Any, what: str) -> None:
    with pytest.raises(AssertionError, match=f"the {what} depends on what is hidden"):
        check_game(changed(kuhn, told=() if member == "public_svg" else (0, 1), **{member: leak}))


def test_a_view_in_which_an_agent_could_find_them_is_found(kuhn: ModuleType) -> None:
    """Such a view is equal, shows and samples as it should; but it is pickled with all that it holds."""
    with pytest.raises(AssertionError, match="the view holds something that depends on what is hidden"):
        check_game(changed(kuhn, told=(0, 1)))


def test_a_sampler_with_wrong_probabilities_is_found(kuhn: ModuleType) -> None:
    with pytest.raises(AssertionError, match="sampled worlds are not as likely as deals"):
        check_game(changed(kuhn, seeds=lambda seed: 0 if seed % 4 else seed))


@pytest.mark.parametrize(
    ("hidden_cards", "found"),
    [
        (lambda self: [0, 1, 2], r"deals\(\) and sample\(seed\) differ"),  # as if each rank was left equally often
        (lambda self: [0, 0, 1, 1, 2, 2], "differ: a world of the one is impossible"),  # forgets what it sees
    ],
)
def test_a_sampler_that_is_right_on_average_only_is_found(
    leduc: ModuleType, monkeypatch: pytest.MonkeyPatch, hidden_cards: Any, found: str
) -> None:
    monkeypatch.setattr(leduc.LeducView, "hidden_cards", hidden_cards)
    with pytest.raises(AssertionError, match=found):
        check_game(leduc.Leduc(), matches=2)


@pytest.mark.parametrize("change", [lambda deals: deals[1:], lambda deals: [deals[0]] * 20 + deals])
def test_deals_that_are_not_those_of_the_game_are_found(kuhn: ModuleType, change: Any) -> None:
    def deals(self: Any) -> Any:
        listed = [deal for deal, _ in kuhn.Kuhn.deals(self)]
        return [(deal, 1 / len(change(listed))) for deal in change(listed)]

    monkey = type("Kuhn", (kuhn.Kuhn,), {"deals": deals})()
    with pytest.raises(AssertionError, match=r"deals\(\) and deal\(seed\) differ"):
        check_game(monkey, matches=2)


def test_stakes_must_be_said(kuhn: ModuleType) -> None:
    with pytest.raises(AssertionError, match="the game must say its stake"):
        check_game(changed(kuhn, stake=None))


def test_zero_sum_must_be_said_truly(kuhn: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="the game must say zero_sum = True"):
        check_game(changed(kuhn, zero_sum=None))
    monkeypatch.setattr(kuhn.KuhnState, "returns", lambda self: (0.0, 0.0) if self.turn is not None else (1.0, -0.5))
    with pytest.raises(AssertionError, match=r"says zero_sum = True, but the returns of a match add up to 0\.5"):
        check_game(changed(kuhn))
