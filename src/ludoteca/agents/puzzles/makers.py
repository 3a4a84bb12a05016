"""What makes and proves the puzzles of each game."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Protocol, cast

from ludoteca import games
from ludoteca.agents.puzzles.proofs import ActionVerdict
from ludoteca.errors import InvalidOption
from ludoteca.games.lesson import Position
from ludoteca.protocols import Action, Agent, CustomStart, Game, Limit, State

MAKERS: Final[dict[str, str]] = {
    game: f"ludoteca.agents.{game}.puzzles" for game in ("dominoes", "hex", "horses", "kittens")
}
"""By game the module that makes its puzzles, imported when needed."""


class PuzzleMaker(Protocol):
    """What the module of a game has."""

    def candidates(self, chance: Random) -> Iterator[Position]:
        """Positions of one match or deal that may become puzzles."""

    def verdicts(self, position: Position) -> Mapping[Action, ActionVerdict] | None:
        """What is proven of each legal action of the seat on turn; None if not all can be proven."""

    def same(self, position: Position) -> str:
        """A text that positions share if one is the other turned, mirrored or with the seats exchanged."""


class Race(Protocol):
    """What the module of a game in which both sides race for a goal, without draws, has too."""

    def is_behind(self, position: Position) -> bool:
        """Whether the other side is nearer to its goal than the seat on turn: then a winning action saves the match."""


class HiddenPieces(Protocol):
    """What the module of a game with hidden pieces has too."""

    def certain(self, position: Position) -> tuple[Sequence[int], Sequence[int]] | None:
        """The pieces that the other may hold, and those of them that it holds for certain, to the seat on turn.

        None where that cannot be worked out.
        """

    def unseen(self, position: Position) -> Sequence[int]:
        """The pieces that the seat on turn does not see, each as often as there are."""

    def piece_name(self, piece: int) -> str:
        """What a piece of `certain` or `unseen` is called."""


def maker_of(game: str) -> PuzzleMaker:
    """What makes puzzles of this game, by name. Raises InvalidOption for a game that has none."""
    if game not in MAKERS:
        raise InvalidOption(
            "there are no puzzles of {game}; these games have some: {names}", game=game, names=sorted(MAKERS)
        )
    return cast(PuzzleMaker, importlib.import_module(MAKERS[game]))


def race_of(game: str) -> Race | None:
    """What compares the two sides of this game, by name; None where that cannot be told."""
    maker = maker_of(game)
    return cast(Race, maker) if hasattr(maker, "is_behind") else None


def hidden_pieces_of(game: str) -> HiddenPieces | None:
    """What knows the hidden pieces of this game, by name; None where nothing is hidden."""
    maker = maker_of(game)
    return cast(HiddenPieces, maker) if hasattr(maker, "certain") else None


def reached(position: Position) -> State:
    """The state of a position. Raises LudotecaError where there is none."""
    game = games.game(position.game)
    state = begun(game, position.start, position.seed)
    for name in position.actions:
        state.apply(game.parse_action(name))
    return state


def begun(game: Game, start: str, seed: int) -> State:
    """The state in which a match begins. Raises InvalidPosition."""
    if not start:
        return game.deal(seed)
    if not isinstance(game, CustomStart):
        raise InvalidOption("{game} cannot start from a position set up by hand", game=game.spec)
    return game.deal_from(start, seed)


def self_played(
    game: Game, players: Sequence[Agent], *, seed: int, start: str = "", opening: Sequence[str] = ()
) -> Iterator[Position]:
    """The positions of a match between these two agents after an opening, the first one first."""
    names = [*opening]
    state = reached(Position(game.spec, tuple(names), seed, start))
    while state.turn is not None:
        yield Position(game.spec, tuple(names), seed, start)
        decision = players[state.turn].act(state.view(state.turn), Limit())
        action = decision if isinstance(decision, int) else decision.action
        names.append(game.action_name(action))
        state.apply(action)
