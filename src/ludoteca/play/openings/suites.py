"""Suites of openings: files with what each one is worth and how that was measured."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.messages import say
from ludoteca.protocols import Action, Game

__all__ = ["FOLDER", "Opening", "Suite", "openings_for", "suite_of"]

VERSION = 1
FOLDER = Path(__file__).parent


class Opening(NamedTuple):
    """The first actions of a match, by their names, and what seat 0 made of the points from there."""

    actions: tuple[str, ...]
    share: float


@dataclass(frozen=True)
class Suite:
    """Openings of one game in the order in which they are used, and how they were measured."""

    game: str
    """The spec of the game."""
    openings: tuple[Opening, ...]
    method: str
    """How the shares were measured, in words."""
    command: str = ""
    """What makes it again."""
    date: str = ""

    def to_json(self) -> str:
        """A text that a person can read too, an opening a line, and from which `from_json` makes an equal suite."""
        card = {"version": VERSION, "game": self.game, "method": self.method, "command": self.command}
        head = json.dumps(card | {"date": self.date}, indent=1, ensure_ascii=False)[:-2]
        lines = [f"  [{json.dumps(' '.join(each.actions))}, {each.share}]" for each in self.openings]
        return head + ',\n "openings": [\n' + ",\n".join(lines) + "\n ]\n}\n"

    @classmethod
    def from_json(cls, text: str) -> Suite:
        """What `to_json` wrote. Raises ValueError for anything else."""
        try:
            fields: dict[str, Any] = json.loads(text)
            if fields["version"] != VERSION:
                raise ValueError(f"its version is {fields['version']!r}, and {VERSION} is the newest known here")
            openings = tuple(Opening(tuple(names.split()), float(share)) for names, share in fields["openings"])
            return cls(fields["game"], openings, fields["method"], fields["command"], fields["date"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{error} is missing or of the wrong kind") from error

    def lines(self, game: Game) -> list[tuple[Action, ...]]:
        """The openings as actions of a game that they fit: see `fits`. Raises InvalidAction and IllegalAction."""
        made_for = game_of(self.game)
        played = details_of(game).actions_from(made_for) or {}
        found = []
        for opening in self.openings:
            state, line = game.deal(0), list[Action]()
            for name in opening.actions:
                action = made_for.parse_action(name)
                line.append(played.get(action, action))
                state.apply(line[-1])
            found.append(tuple(line))
        return found

    def fits(self, game: Game) -> bool:
        """Whether its openings can be played in this game."""
        return details_of(game).actions_from(game_of(self.game)) is not None


def suite_of(game: Game) -> Suite | None:
    """The suite that comes with Ludoteca for this game, if there is one."""
    name = details_of(game).opening_suite
    path = FOLDER / f"{name}.json"
    return Suite.from_json(path.read_text(encoding="utf-8")) if name and path.exists() else None


def openings_for(game: Game, count: int, given: str | None = None) -> list[tuple[Action, ...]]:
    """So many openings, all distinct; fewer only where the game has no more. Raises InvalidOption.

    given: a file with a suite; by default the one that comes with Ludoteca. Where a suite has too few, or there is
    none, more are made. The first openings are the same however many are asked for.
    """
    return list(itertools.islice(_openings(game, given), count))


def _openings(game: Game, given: str | None) -> Iterator[tuple[Action, ...]]:
    from ludoteca.play.openings.making import line_key, more_openings  # which makes suites, and so cannot be above

    suite = suite_of(game) if given is None else _read(Path(given), game)
    known: set[bytes] = set()
    for line in suite.lines(game) if suite else ():
        key = line_key(game, line)
        if key is not None and key not in known:
            known.add(key)
            yield line
    yield from more_openings(game, known)


def _read(path: Path, game: Game) -> Suite:
    try:
        suite = Suite.from_json(path.read_text(encoding="utf-8"))
        fits = suite.fits(game)
        suite.lines(game) if fits else []
    except OSError as error:
        told = say("the openings {file} cannot be read: {why}", file=str(path), why=error.strerror or str(error))
        raise InvalidOption(told) from error
    except (LudotecaError, ValueError) as error:
        told = say("the openings {file} cannot be used: {why}", file=str(path), why=error)
        raise InvalidOption(told) from error
    if not fits:
        raise InvalidOption(
            say("the openings {file} are for {other}, not for {game}", file=str(path), other=suite.game, game=game.spec)
        )
    return suite
