"""What a game may say beyond the protocol `Game`, and what holds for a game that does not say it.

Code outside the games asks ``details_of(game)``, never for the game's class or name. Every member is optional: a game
in pure Python implements those that it needs, in a class of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, cast

from ludoteca.catalogues import Language
from ludoteca.errors import InvalidOption
from ludoteca.games.lesson import Exercise, Guide, Position
from ludoteca.games.picture import SEATS
from ludoteca.messages import say_as
from ludoteca.protocols import Action, Decision, Game, Seat, State, View

PLAYERS = (say_as("side", "player 1"), say_as("side", "player 2"))


class GameDetails:
    """The optional members of a game with their defaults. Texts are Messages, to be translated."""

    hidden_information = True
    """Whether anything is hidden from a seat. True by default: then nothing is shown by mistake."""
    can_end_in_draw = False
    """Whether a match can end without a winner; then two people may also agree on a draw."""
    zero_sum: bool | None = None
    """Whether the returns of both seats always add up to 0. None: the game does not say."""
    can_sample = True
    """Whether `View.sample` works. If it does not, only agents that do not sample play the game."""
    stake: float | None = None
    """The amount, such as chips, that a return of 1 stands for; agents are then compared by their mean return.

    None: only winning, drawing and losing count, and returns are 1, 0 and -1.
    """
    tensor_range = (-math.inf, math.inf)
    """The bounds of all numbers of a tensor, for any options."""
    summary = ""
    """The game in one line."""
    rules_text = ""
    """The rules in a minute: paragraphs with an empty line between them."""
    figures: Sequence[Position] = ()
    """Positions that show the rules, one for each paragraph of `rules_text`; empty: any positions will do."""
    exercise: Exercise | None = None
    """A position to try."""
    guide: Guide | None = None
    """A first match, step by step."""
    cover: Callable[[], str] | None = None
    """Draws a picture of the size `COVER` without words, as SVG, for cards and lists."""
    example_spec = ""
    """The variant to show as an example; empty: the game without options."""
    extra_formats: tuple[str, ...] = ()
    """The file formats that its matches can be written in, besides those for every game."""
    seat_colours: tuple[str, str] = SEATS
    """The colour of each seat in pictures, bars and graphs."""
    seat_styles = ("bold red", "bold blue")
    """How a terminal writes the name of each side, as Rich calls the styles."""
    aims_differ = False
    """Whether each side has an aim of its own, which a person who chooses a side wants to read."""
    side_choices: ClassVar[Mapping[str, str]] = {}
    """Texts for the person's choice of a side, by ``0``, ``1`` and ``chance``; empty: the usual texts."""
    options_by_side: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The options that this choice decides: by option and by choice its value."""
    may_waste_actions = False
    """Whether a legal action can be wasted; see `is_wasted`."""
    swap: Action | None = None
    """The action by which seat 1 takes over the first stone; None without the swap rule."""
    forced_pass: Action | None = None
    """A pass that is legal exactly when nothing else is, and that people need not play: page and terminal do."""
    small_variants: tuple[str, ...] = ()
    """Specs of smaller variants, on which an agent of this game should also play legally."""
    opening_suite = ""
    """The name of the suite of balanced openings that comes with Ludoteca; empty if there is none."""

    def side(self, seat: Seat) -> str:
        """The name of a side within a sentence, such as ``red``."""
        return PLAYERS[seat]

    def aim(self, seat: Seat) -> str:
        """What that side has to do, to follow ``You are red:``; without a full stop. Empty if unknown."""
        return ""

    def text_styles(self, language: Language) -> Sequence[tuple[str, str]]:
        """Regular expressions for parts of the text board, each with a style that Rich knows, such as ``bold red``."""
        return ()

    def text_offset(self, view: View, action: Action) -> int | None:
        """Where in the text board the place of an action is; None if it has none."""
        return None

    def end_reasons(self, view: View) -> Sequence[str]:
        """What decided a finished match, in sentences."""
        return ()

    def end_overlay(self, view: View, *, narrow: bool = False) -> str:
        """SVG elements to lay over the picture of a finished match, such as the winning chain.

        narrow: over the picture for narrow screens.
        """
        return ""

    def task(self, view: View) -> str:
        """What the view's seat, which is on turn, has to do now, to follow ``Your turn:``; without a full stop.

        Empty if unknown.
        """
        return ""

    def reason_marks(self, view: View, decision: Decision, *, narrow: bool = False, language: Language = "en") -> str:
        """SVG elements to lay over the picture of a view, where the places of a decision's reasons are.

        The decision is about this position, or has led to it. Every mark has its action in ``data-place``, and every
        place that the picture shows has a mark. narrow: over the picture for narrow screens.
        """
        return ""

    def move_sentence(self, name: str, who: str) -> str:
        """A move as a sentence, by its name; who: the mover, empty for the reader. Empty: "You played …" is right."""
        return ""

    def hand_text(self, view: View) -> str:
        """What the view's seat holds, for after the end; empty in a game without hands."""
        return ""

    def piece_svg(self, piece: int) -> str:
        """A kind of piece that hands hold, such as a tile, as a small SVG picture; empty in a game without hands."""
        return ""

    def public_svg(self, view: View, *, narrow: bool = False, language: Language = "en") -> str:
        """What both seats see, as SVG, for spectators of a game with hidden information; empty if there is none."""
        return ""

    def is_wasted(self, view: View, action: Action) -> bool:
        """Whether a legal action does not do what its name says, as playing a card that the seat does not hold."""
        return False

    def deals(self) -> Sequence[tuple[State, float]]:
        """Every deal with its probability; `ludoteca.games.deals.every_deal` checks what it gives.

        A deal includes all chance to come. Raises InvalidOption if the deals cannot be listed.
        """
        raise InvalidOption("{game} does not list its deals: it has no method deals()", game=cast(Game, self).spec)

    def symmetries(self) -> Sequence[Mapping[Action, Action]]:
        """Permutations of the actions that leave the game the same, the identity first."""
        return [_identity(cast(Game, self))]

    def actions_from(self, other: Game) -> Mapping[Action, Action] | None:
        """How openings of `other` are played in this game, action by action; None if they do not fit."""
        game = cast(Game, self)
        return _identity(game) if other.spec == game.spec else None


def details_of(game: Game) -> GameDetails:
    """The optional members of a game, with the default for each one that it does not have.

    >>> from ludoteca.games import game
    >>> details_of(game("hex")).hidden_information
    False
    """
    return game if isinstance(game, GameDetails) else _Completed(game)


def stake_of(game: Game) -> float:
    """What a return of 1 stands for: the game's stake, or 1 where only winning, drawing and losing count.

    >>> from ludoteca.games import game
    >>> stake_of(game("hex")), stake_of(game("dominoes:scoring=points"))
    (1.0, 68.0)
    """
    return details_of(game).stake or 1.0


def seat_variables(game: Game) -> str:
    """CSS that gives an element of a page the game's own seat colours; empty where they are the page's."""
    colours = details_of(game).seat_colours
    # A colour of the game is the same in both themes, so it needs an edge to stand out from either background.
    return "" if colours == SEATS else f"--seat0:{colours[0]};--seat1:{colours[1]};--seat-edge:var(--soft)"


def _identity(game: Game) -> dict[Action, Action]:
    return {action: action for action in range(game.num_actions)}


MEMBERS = [name for name in vars(GameDetails) if not name.startswith("_")]


class _Completed(GameDetails):
    """The members that a game has by itself, and the defaults for the others."""

    def __init__(self, game: Game) -> None:
        for name in ("spec", "num_actions", *MEMBERS):
            if hasattr(game, name):
                setattr(self, name, getattr(game, name))
