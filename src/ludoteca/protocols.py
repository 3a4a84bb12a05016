"""The nouns of Ludoteca as types.

There are seven: a Game deals a State, a State shows each seat a View, an Agent turns a View into a decision, a Match
referees two Players and leaves a Record. The first four are here. The others are `ludoteca.play.match.Match`,
`ludoteca.players.player.Player` and `ludoteca.play.record.Record`.

Our four games implement these protocols in C++. A game in pure Python with the same methods works everywhere too, only
slower. What a game may say beyond them is in `ludoteca.games.details`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeAlias, runtime_checkable

from ludoteca.catalogues import Language
from ludoteca.messages import joined

if TYPE_CHECKING:  # slow to import, and only what a tensor is made of
    import numpy as np
    from numpy.typing import NDArray

Seat: TypeAlias = int
"""0 or 1; the rules name seat 0 first.

>>> import ludoteca
>>> seat: ludoteca.Seat = 1
"""

Action: TypeAlias = int
"""An index below `Game.num_actions`. Text exists only at the edges.

>>> import ludoteca
>>> action: ludoteca.Action = ludoteca.game("hex:size=3").parse_action("b2")
>>> action
4
"""


class Game(Protocol):
    """The rules with their parameters. Immutable; equal when `spec` is equal.

    >>> import ludoteca
    >>> game = ludoteca.game("hex:size=7,swap=false")
    >>> game.name, game.spec, game.seats, game.num_actions, game.tensor_shape
    ('hex', 'hex:size=7', 2, 49, (5, 7, 7))
    >>> game == ludoteca.game("hex:size=7")
    True
    """

    @property
    def name(self) -> str:
        """The registered name, such as ``hex``."""

    @property
    def spec(self) -> str:
        """The shortest string from which `ludoteca.game` makes an equal game, such as ``hex:size=7``."""

    @property
    def seats(self) -> int:
        """How many seats there are: 2 in all our games."""

    @property
    def num_actions(self) -> int:
        """Actions are the integers from 0 up to this, whatever the position."""

    @property
    def tensor_shape(self) -> tuple[int, ...]:
        """The shape of `View.tensor`, the same for every view of this game."""

    def deal(self, seed: int) -> State:
        """A starting position; the seed decides all chance, also that to come."""

    def action_name(self, action: Action) -> str:
        """The action in the game's own notation."""

    def public_name(self, action: Action) -> str:
        """The action's name as the other seat sees it, without what is hidden from that seat."""

    def parse_action(self, text: str) -> Action:
        """The action that `text` names, forgiving case and spaces. Raises InvalidAction."""

    def text(self, view: View, *, language: Language = "en") -> str:
        """The view as a board of characters for a terminal."""


@runtime_checkable
class Drawable(Protocol):
    """A game that can draw its views. For any other game the text board is shown.

    >>> import ludoteca
    >>> game = ludoteca.game("horses:size=5")
    >>> isinstance(game, ludoteca.Drawable), game.svg(game.deal(seed=1).view(0))[:4]
    (True, '<svg')
    """

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
    ) -> str:
        """The view as an SVG document.

        heat: a score per action, drawn from cold to hot. last: the action to mark, by default the last one played if
        the view knows it. line: actions to number 1, 2, 3… as a planned continuation.
        """


@runtime_checkable
class MarkableText(Protocol):
    """A game whose text board has a place for each action."""

    def text_with_marks(self, view: View, marks: Mapping[Action, str], *, language: Language = "en") -> str:
        """The text board with one character at the place of each of these actions."""


class ClickArea(NamedTuple):
    """Where in a picture a person clicks to play an action."""

    action: Action
    outline: str
    """SVG path data, in the coordinates of the picture that `Drawable.svg` draws of the same view."""


@runtime_checkable
class Clickable(Protocol):
    """A game that is played by clicking on its picture. For any other game the actions are offered as words."""

    def click_areas(self, view: View) -> list[ClickArea]:
        """An area for every action that has a place in the picture, legal or not; no two overlap.

        What is hidden from the view has no area. An action without an area, such as a pass, is offered as a word.
        """

    def area_name(self, view: View, action: Action) -> str:
        """The place and what is there, such as ``e6, red stone``, for a screen reader; nothing hidden from the view."""


@runtime_checkable
class NarrowLayout(Protocol):
    """A game that also has a layout for narrow screens: `svg` and `click_areas` take ``narrow=True``.

    On a screen 390 pixels wide no text is smaller than 12 pixels. A click area of less than 44 pixels asks for a second
    tap, so that a wrong cell is never played.
    """

    def svg(
        self,
        view: View,
        *,
        heat: Mapping[Action, float] | None = None,
        last: Action | None = None,
        line: Sequence[Action] = (),
        language: Language = "en",
        narrow: bool = False,
    ) -> str:
        """See `Drawable.svg`."""

    def click_areas(self, view: View, *, narrow: bool = False) -> list[ClickArea]:
        """See `Clickable.click_areas`."""

    narrow_layout: bool
    """Always true; it marks a game that draws itself for narrow screens."""


@runtime_checkable
class CustomStart(Protocol):
    """A game with hidden information that can begin from a position set up by hand.

    Every seat may read a game's options, so hidden cards cannot stand there: only the match receives the start.
    """

    def deal_from(self, start: str, seed: int) -> State:
        """The position that `start` describes in the game's own notation; the seed decides what it leaves open.

        No seat knows more of what is hidden than after an ordinary deal. Raises InvalidPosition.
        """


class State(Protocol):
    """The full position, hidden parts included: only a match and a search over sampled worlds hold one.

    >>> import ludoteca
    >>> state = ludoteca.game("hex:size=2").deal(seed=1)
    >>> while state.turn is not None:
    ...     state.apply(state.legal()[0])
    >>> state.returns()
    (-1.0, 1.0)
    """

    @property
    def game(self) -> Game:
        """The game this is a state of."""

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over."""

    def legal(self) -> list[Action]:
        """The legal actions of the seat on turn, ascending; empty only when the match is over."""

    def apply(self, action: Action) -> None:
        """Plays `action`. Raises IllegalAction, with the state unchanged, when it is not legal."""

    def copy(self) -> Self:
        """An independent state that is equal, future chance included."""

    def returns(self) -> tuple[float, ...]:
        """The result per seat, in [-1, 1]; zeros before the end."""

    def view(self, seat: Seat) -> View:
        """All that `seat` may know."""


class View(Protocol):
    """All that one seat may know, as a value: it has equality, a hash and `bytes(view)`.

    >>> import ludoteca
    >>> state = ludoteca.game("dominoes").deal(seed=1)
    >>> view = state.view(seat=0)
    >>> view.sample(seed=2).view(0) == view
    True
    >>> view.tensor().dtype
    dtype('float32')
    """

    @property
    def game(self) -> Game:
        """The game this is a view of."""

    @property
    def seat(self) -> Seat:
        """Who sees this."""

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; None when the match is over."""

    def legal(self) -> list[Action]:
        """The legal actions if it is this seat's turn, else nothing."""

    def sample(self, seed: int) -> State:
        """A world in which this seat sees exactly this view, with its true probability.

        That is the probability by chance: how likely the seats were to choose their actions does not count.
        """

    def tensor(self) -> NDArray[np.float32]:
        """The view as numbers for learning, of shape `Game.tensor_shape`."""

    def __hash__(self) -> int:
        """The same for equal views."""

    def __bytes__(self) -> bytes:
        """The same bytes for equal views of a game, and only for equal ones."""


class Batch(Protocol):
    """N states of one game, stepped together; a state that ends is dealt anew in the same step.

    >>> import ludoteca
    >>> batch = ludoteca.batch(ludoteca.game("kittens"), 100, seed=1)
    >>> returns, done = batch.step(batch.random_actions())
    >>> returns.shape, done.shape
    ((100, 2), (100,))
    """

    @property
    def game(self) -> Game:
        """The game of all the states."""

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """[N] the seed that each current state was dealt from."""

    @property
    def turns(self) -> NDArray[np.int8]:
        """[N] whose turn it is."""

    def __len__(self) -> int:
        """N."""

    def __getitem__(self, index: int) -> State:
        """A copy of one state."""

    def legal(self) -> NDArray[np.bool_]:
        """[N, num_actions] True where an action is legal."""

    def tensor(self) -> NDArray[np.float32]:
        """[N, *tensor_shape] what the seat on turn sees."""

    def random_actions(self) -> NDArray[np.int32]:
        """[N] a uniformly random legal action for each state."""

    def step(self, actions: NDArray[np.int32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Plays actions [N]; gives returns [N, 2], zeros where no match ended, and done [N].

        Raises IllegalAction for the first illegal one, with all states unchanged.
        """


@dataclass(frozen=True)
class Limit:
    """How much an agent may think about one decision; None means without limit.

    >>> import ludoteca
    >>> ludoteca.Limit(seconds=0.5)
    Limit(seconds=0.5, nodes=None)
    """

    seconds: float | None = None
    nodes: int | None = None


@dataclass(frozen=True)
class Reason:
    """One reason for an action: a statement that is true in the position, in words and on the board.

    >>> import ludoteca
    >>> print(ludoteca.Reason("it connects b2 to the edge", (4,)))
    it connects b2 to the edge
    """

    text: str
    """A clause that begins with a small letter, such as ``it takes 8 points``."""
    places: Sequence[Action] = ()
    """The actions at whose places on the board the reason can be seen, such as the cells of a chain."""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Decision:
    """What an agent chose and why.

    >>> import ludoteca
    >>> decision = ludoteca.Decision(12, value=0.25, note="the centre is free")
    >>> decision.action, decision.proven
    (12, False)
    """

    action: Action
    value: float | None = None
    """Expected return for the agent's seat, in [-1, 1]."""
    scores: Mapping[Action, float] = field(default_factory=dict)
    """A score for each action that it considered, drawn as a heat map."""
    line: Sequence[Action] = ()
    """The continuation it expects, its own action first."""
    note: str = ""
    """How the agent came to it, in its own terms, such as ``1,200 simulations``."""
    nodes: int = 0
    depth: int = 0
    proven: bool = False
    """Whether the value is exact: the result of best play by both seats, with nothing cut off or estimated."""
    reasons: Sequence[Reason] = ()
    """Why, for a person: at most three, the strongest first."""

    @property
    def explanation(self) -> str:
        """The reasons and the note as one text, whose parts are separated by ``; ``. May be empty."""
        return joined([part for part in (*(reason.text for reason in self.reasons), self.note) if part], "; ")

    def __repr__(self) -> str:
        """Only what is there, and of many scores the best three."""
        said = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "scores" and len(value) > 3:
                best = sorted(value.items(), key=lambda pair: -pair[1])[:3]
                value = f"{{{', '.join(f'{action}: {score}' for action, score in best)}, … {len(value) - 3} more}}"
                said.append(f"scores={value}")
            elif value or each.name == "action" or (each.name == "value" and value is not None):
                said.append(f"{each.name}={value!r}")
        return f"Decision({', '.join(said)})"

    def _repr_html_(self) -> str:
        """For a notebook: the scores as bars. `ludoteca.explain` draws them on the board."""
        from html import escape  # imported here because only notebooks need it

        shown = sorted(self.scores.items(), key=lambda each: -each[1])[:10]
        low, high = min([0.0, *self.scores.values()]), max([0.0, *self.scores.values()])
        rows = "".join(
            f"<tr><td>{'<b>' if action == self.action else ''}action {action}</td><td>{score:.4g}</td>"
            f"<td><div style='background:#f0a202;height:0.8em;width:"
            f"{12 * (score - low) / (high - low) if 0 < high - low < float('inf') else 0:.1f}em'></div></td></tr>"
            for action, score in shown
        )
        caption = [f"action {self.action}"]
        caption += [] if self.value is None else [f"value {self.value:+.2f}{' (proven)' if self.proven else ''}"]
        caption += [f"{self.nodes} nodes"] if self.nodes else []
        caption += [self.explanation] if self.explanation else []
        return f"<table><caption>{escape('; '.join(caption))}</caption>{rows}</table>"


class Agent(Protocol):
    """Turns a view into a decision. It lives for one match, in one seat.

    >>> import ludoteca
    >>> class First:
    ...     def __init__(self, game: ludoteca.Game, seat: ludoteca.Seat, seed: int) -> None:
    ...         pass
    ...
    ...     def act(self, view: ludoteca.View, limit: ludoteca.Limit) -> ludoteca.Action:
    ...         return view.legal()[0]
    >>> game = ludoteca.game("hex:size=3")
    >>> First(game, 0, 0).act(game.deal(seed=1).view(0), ludoteca.Limit())
    0
    """

    def act(self, view: View, limit: Limit) -> Decision | Action:
        """Chooses one of `view.legal()` within `limit`."""


@runtime_checkable
class Thinker(Agent, Protocol):
    """An agent that can be watched and stopped while it thinks.

    >>> import ludoteca
    >>> game = ludoteca.game("horses:size=5")
    >>> thinker = ludoteca.agent("minimax:depth=3")(game, 0, 0)
    >>> thoughts = [each.depth for each in thinker.think(game.deal(seed=1).view(0), ludoteca.Limit())]
    >>> thoughts == sorted(thoughts)
    True
    """

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        """Decisions, each better than the one before it; the last one counts.

        It is a generator. The limit counts from its first step; it ends by itself within the limit. While it works it
        yields at least every 4 ms, the same object again if nothing is new. So ``close()`` takes effect within 5 ms,
        and then nothing of the search is left running.

        `act` gives what the last of these decisions would be. Only without a limit may it take a shorter way, and then
        `nodes` and `depth` describe that way.
        """


AgentFactory: TypeAlias = Callable[[Game, Seat, int], Agent]
"""Makes an agent for a game, a seat and the agent's own seed.

>>> import ludoteca
>>> make: ludoteca.AgentFactory = ludoteca.agent("random")
>>> agent = make(ludoteca.game("hex"), 0, 42)
"""
