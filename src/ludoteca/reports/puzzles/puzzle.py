"""A puzzle, and the files of puzzles: JSON with one puzzle on each line.

``ludoteca puzzles make GAME --out FILE`` writes such files; those in ``data`` come with the package, one for each game.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from math import gcd
from pathlib import Path
from typing import Literal, get_args

from ludoteca.agents.puzzles.makers import MAKERS, reached
from ludoteca.errors import InvalidFile, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.lesson import Position
from ludoteca.protocols import Seat, State

FOLDER = Path(__file__).parent / "data"
LEVELS = 8
"""The levels of the engine that grade puzzles; one that none of them solves has grade LEVELS + 1."""
FIRST_DAY = datetime.date(2026, 1, 1)
"""The day of the first daily puzzle."""
LONGEST_LINE = 20_000
"""Characters of a puzzle in a file."""

Kind = Literal["win", "save", "hold"]


@dataclass(frozen=True)
class Puzzle:
    """A position with a question that has exactly one right answer.

    win: exactly one action wins for sure. save: none does, and every action but one loses for sure; in a race without
    draws, as in Hex, exactly one wins although the other side is nearer to its goal. hold: exactly one piece is in
    every hand that the other may have. See `ludoteca.agents.puzzles.proofs`.
    """

    kind: Kind
    game: str
    """The spec of the game."""
    answer: str
    """The name of the action; of kind ``hold`` the number of the piece."""
    actions: tuple[str, ...] = ()
    """The names of the actions that led to the position."""
    seed: int = 0
    start: str = ""
    """Where the match began, if it was not dealt."""
    grade: int = LEVELS + 1
    """The lowest level of the engine from which on all levels find the answer."""
    replies: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By wrong action: what the other answers, or nothing, and the start of a world in which that refutes it."""
    choices: tuple[int, ...] = ()
    """Of kind ``hold``: the pieces that the other may hold."""

    @property
    def position(self) -> Position:
        """Where the question is asked."""
        return Position(self.game, self.actions, self.seed, self.start)

    @property
    def name(self) -> str:
        """The name of its game."""
        return self.game.partition(":")[0]

    def state(self) -> State:
        """The state of the position; the seat on turn is asked."""
        return reached(self.position)

    @property
    def seat(self) -> Seat:
        """The seat that is asked."""
        turn = self.state().turn
        assert turn is not None
        return turn

    def to_json(self) -> str:
        """One line; `from_json` reads it back."""
        usual = Puzzle("win", "", "")
        fields = {key: value for key, value in asdict(self).items() if value != getattr(usual, key) or key == "kind"}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Puzzle:
        """The puzzle of a line. Raises InvalidFile for anything else, and for a position that cannot be reached."""
        try:
            if len(line) > LONGEST_LINE:
                raise ValueError("the line is too long")
            fields = json.loads(line)
            replies = {
                _text(action): (_text(reply), _text(start))
                for action, (reply, start) in dict(fields.get("replies", {})).items()
            }
            actions = tuple(_text(name) for name in fields.get("actions", ()))
            choices = tuple(fields.get("choices", ()))
            found = cls(**fields | {"actions": actions, "replies": replies, "choices": choices})
            texts = (found.kind, found.game, found.answer, found.start)
            if not all(isinstance(each, str) for each in texts) or found.kind not in get_args(Kind):
                raise TypeError("a field has the wrong type")
            _check_number(found.seed, 0, 2**63 - 1)
            _check_number(found.grade, 1, LEVELS + 1)
            found._check()
        except (ValueError, TypeError, KeyError, AttributeError, LudotecaError) as error:
            raise InvalidFile("this is no puzzle: {reason}", reason=str(error)[:200]) from None
        return found

    def _check(self) -> None:
        """Raises ValueError or LudotecaError if an action of it is not legal."""
        state, game = self.state(), game_of(self.game)
        if state.turn is None:
            raise ValueError("the match is over")
        if self.kind == "hold":
            if not all(isinstance(each, int) for each in self.choices) or self.answer not in map(str, self.choices):
                raise ValueError("the answer is not among the choices")
            return
        for name in (self.answer, *self.replies):
            if game.parse_action(name) not in state.legal():
                raise ValueError(f"{name} is not legal")
        for action, (reply, start) in self.replies.items():
            after = reached(Position(self.game, (*self.actions, action), self.seed, start or self.start))
            if reply and game.parse_action(reply) not in after.legal():
                raise ValueError(f"{reply} is no answer to {action}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _check_number(value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{value!r} is no whole number from {least} to {most}")


def read_puzzles(path: Path) -> list[Puzzle]:
    """The puzzles of a file. Raises InvalidFile, which names the line."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile("{path} cannot be read: {reason}", path=path, reason=str(error)) from None
    for number, line in enumerate(lines, 1):
        try:
            found.append(Puzzle.from_json(line))
        except InvalidFile as error:
            text = error.message
            raise InvalidFile("{path}, line {number}: {reason}", path=path, number=number, reason=text) from None
    return found


@cache
def puzzles_of(game: str) -> Sequence[str]:
    """The puzzles of a game that come with the package, one line each; `puzzle` reads one."""
    path = FOLDER / f"{game}.jsonl"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@cache
def puzzle(game: str, number: int) -> Puzzle:
    """A puzzle of the package, counted from 1. Raises IndexError for one that is not there."""
    if not 1 <= number <= len(puzzles_of(game)):
        raise IndexError(number)
    return Puzzle.from_json(puzzles_of(game)[number - 1])


@cache
def grades_of(game: str) -> Sequence[tuple[int, Kind]]:
    """Grade and kind of each puzzle of the package, without checking them again."""
    lines = [json.loads(line) for line in puzzles_of(game)]
    return [(line.get("grade", LEVELS + 1), line["kind"]) for line in lines]


def daily(day: datetime.date) -> tuple[str, int]:
    """The puzzle of a day: the game and the number. The games take turns."""
    games = [game for game in sorted(MAKERS) if puzzles_of(game)]
    past = (day - FIRST_DAY).days
    game = games[past % len(games)]
    count = len(puzzles_of(game))
    step = next(step for step in range(max(1, count * 5 // 8), 2 * count) if gcd(step, count) == 1)
    return game, past // len(games) * step % count + 1
