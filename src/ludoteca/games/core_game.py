"""What the Python classes of our games share: they are compared, hashed and pickled by their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from ludoteca import spec as specs
from ludoteca.errors import InvalidAction
from ludoteca.games import game
from ludoteca.games.details import GameDetails
from ludoteca.games.side_names import COLOURS

if TYPE_CHECKING:
    from ludoteca.protocols import Action, Game, Seat

T = TypeVar("T")


class CoreGame(GameDetails):
    """A game that its name and options define. A subclass calls `_remember` in its constructor."""

    name: str
    title: str
    """What people call the game, in a page's headings."""
    num_actions: int
    hidden_information = False

    def _remember(self, **options: Any) -> None:
        self.options = options
        self._spec = specs.write(self.name, specs.options(type(self)), options)

    @property
    def spec(self) -> str:
        """The shortest string from which `ludoteca.game` makes an equal game."""
        return self._spec

    def side(self, seat: Seat) -> str:
        """The colour of the seat, as the pictures paint it."""
        return COLOURS[seat]

    def action_name(self, action: Action) -> str:
        """The action in the game's own notation."""
        raise NotImplementedError

    def public_name(self, action: Action) -> str:
        """The action's name as the other seat sees it: the whole name, unless a subclass overrides this."""
        return self.action_name(action)

    def _check_range(self, action: Action) -> None:
        """Raises InvalidAction unless this game has such an action."""
        if not 0 <= action < self.num_actions:
            raise InvalidAction(
                "action {action} does not exist in {game}: actions are 0 to {last}",
                action=action,
                game=self.spec,
                last=self.num_actions - 1,
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CoreGame) and other.spec == self.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"ludoteca.game({self.spec!r})"

    def _repr_svg_(self) -> str | None:
        """For a notebook: the first position of the deal from seed 0, as seat 0 sees it."""
        from ludoteca.games.display import position_svg  # imported here because only notebooks need it

        return position_svg([cast("Game", self).deal(0).view(0)])

    def __reduce__(self) -> tuple[Any, ...]:
        return game, (self.spec,)


def expect(view: object, kind: type[T]) -> T:
    """`view` itself, as this type. Raises TypeError when it is of another type."""
    if not isinstance(view, kind):
        raise TypeError(f"this game shows a {kind.__name__}, not a {type(view).__name__}")
    return view
