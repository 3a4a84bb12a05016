"""What the Python side of every core game shares: it is known, compared and pickled by its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from ludoteca import spec as specs
from ludoteca.errors import InvalidAction
from ludoteca.games import game
from ludoteca.messages import say

if TYPE_CHECKING:
    from ludoteca.protocols import Action, Game

__all__ = ["Described", "expect"]

T = TypeVar("T")


class Described:
    """A game that is the sum of its name and options; a subclass calls `_remember` when it is built."""

    name: str
    title: str
    """What people call the game, in a page's headings."""
    num_actions: int
    tensor_range: tuple[float, float]
    """Between which bounds all numbers of a tensor lie, whatever the options; most of them are in [0, 1]."""
    secrets = False
    """Whether anything is hidden from a seat; a game that does not say so is taken to have secrets."""

    def _remember(self, **options: Any) -> None:
        self.options = options
        self._spec = specs.write(self.name, specs.options(type(self)), options)

    @property
    def spec(self) -> str:
        """The shortest string from which `ludoteca.game` makes an equal game."""
        return self._spec

    def action_name(self, action: Action) -> str:
        """The action in the game's own notation."""
        raise NotImplementedError

    def public_name(self, action: Action) -> str:
        """The action as the other seat sees it: all of it, unless a game says otherwise."""
        return self.action_name(action)

    def _check_range(self, action: Action) -> None:
        """Raises InvalidAction unless this game has such an action."""
        if not 0 <= action < self.num_actions:
            raise InvalidAction(
                say(
                    "action {action} does not exist in {game}: actions are 0 to {last}",
                    action=action,
                    game=self.spec,
                    last=self.num_actions - 1,
                )
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Described) and other.spec == self.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"ludoteca.game({self.spec!r})"

    def _repr_svg_(self) -> str | None:
        """For a notebook: how a match begins, as seat 0 of the deal from seed 0 sees it."""
        from ludoteca.games.display import position_svg  # here: only who looks needs it

        return position_svg([cast("Game", self).deal(0).view(0)])

    def __reduce__(self) -> tuple[Any, ...]:
        return game, (self.spec,)


def expect(view: object, kind: type[T]) -> T:
    """`view` itself, if it is a view of this kind of game. Raises TypeError."""
    if not isinstance(view, kind):
        raise TypeError(f"this game shows a {kind.__name__}, not a {type(view).__name__}")
    return view
