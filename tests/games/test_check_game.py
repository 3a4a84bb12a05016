"""`check_game` finds games that leak: each is Kuhn poker with one fault, as an author might write it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludoteca.testing import check_game

KUHN = Path(__file__).parents[2] / "docs" / "examples" / "ludoteca-kuhn"


@pytest.fixture(scope="module")
def kuhn() -> Iterator[ModuleType]:
    sys.path.insert(0, str(KUHN))
    try:
        yield importlib.import_module("ludoteca_kuhn")
    finally:
        sys.path.remove(str(KUHN))
        sys.modules.pop("ludoteca_kuhn", None)


def changed(
    kuhn: ModuleType, *, view: dict[str, Any] | None = None, seeds: Callable[[int], int] = int, **game: Any
) -> Any:
    """Kuhn poker with other members of its game and of its views; seeds: changes the seeds of its sampler."""
    seen_by: Any = type("View", (kuhn.KuhnView,), view or {})

    class State(kuhn.KuhnState):  # type: ignore[name-defined,misc]
        def copy(self) -> Any:
            return State(self.game, self.cards, self.history)

        def view(self, seat: int) -> Any:
            honest = super().view(seat)
            seen = seen_by(*(getattr(honest, each) for each in honest.__dataclass_fields__))
            object.__setattr__(seen, "truth", self)
            return seen

    def deal(self: Any, seed: int) -> Any:
        honest = kuhn.Kuhn.deal(self, seed)
        return State(self, honest.cards, honest.history)

    def sample(self: Any, seed: int) -> Any:
        honest = kuhn.KuhnView.sample(self, seeds(seed))
        return State(honest.game, honest.cards, honest.history)

    seen_by.sample = (view or {}).get("sample", sample)
    return type("Changed", (kuhn.Kuhn,), {"deal": deal, **game})()


def test_an_honest_game_passes(kuhn: ModuleType) -> None:
    check_game(kuhn.Kuhn())
    check_game(changed(kuhn))


def test_a_view_that_holds_the_true_cards_is_found(kuhn: ModuleType) -> None:
    members = {
        "sample": lambda self, seed: self.truth.copy(),
        "__eq__": lambda self, other: self.truth.cards == other.truth.cards and bytes(self) == bytes(other),
        "__hash__": lambda self: hash(bytes(self)),
    }
    with pytest.raises(AssertionError, match="every sampled world is the true one"):
        check_game(changed(kuhn, view=members))


def test_a_text_that_prints_the_true_cards_is_found(kuhn: ModuleType) -> None:
    with pytest.raises(AssertionError, match="the text board depends on what is hidden"):
        check_game(changed(kuhn, text=lambda self, view, *, language="en": str(view.truth.cards)))


def test_a_picture_that_shows_the_true_cards_is_found(kuhn: ModuleType) -> None:
    with pytest.raises(AssertionError, match="the picture shows what is hidden"):
        check_game(changed(kuhn, svg=lambda self, view, **_: f"<svg>{view.truth.cards}</svg>"))


def test_a_sampler_with_wrong_probabilities_is_found(kuhn: ModuleType) -> None:
    with pytest.raises(AssertionError, match="sampled worlds are not as likely as deals"):
        check_game(changed(kuhn, seeds=lambda seed: 0 if seed % 4 else seed))


def test_stakes_must_be_said(kuhn: ModuleType) -> None:
    with pytest.raises(AssertionError, match="the game must say its stake"):
        check_game(changed(kuhn, stake=None))
