"""Suites of openings: files that hold openings, what each is worth, and how that was measured."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.protocols import Action, Game

VERSION = 1
FOLDER = Path(__file__).parent


class Opening(NamedTuple):
    """The first actions of a match, by name, and the share of the points that seat 0 gets from there."""

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
    """The command that makes it again."""
    date: str = ""

    def to_json(self) -> str:
        """Readable JSON, one opening per line; `from_json` reads it back."""
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
                raise ValueError(f"its version is {fields['version']!r}, not {VERSION}")
            openings = tuple(Opening(tuple(names.split()), float(share)) for names, share in fields["openings"])
            return cls(fields["game"], openings, fields["method"], fields["command"], fields["date"])
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{error} is missing or of the wrong kind") from error

    def write(self, path: Path) -> None:
        """Replace the file at once, so that no crash leaves half of it. Raises OSError."""
        new = path.with_name(f"{path.name}.new")
        new.write_text(self.to_json(), encoding="utf-8")
        os.replace(new, path)

    def lines(self, game: Game) -> list[tuple[Action, ...]]:
        """The openings as actions of this game, which `fits`. Raises InvalidAction and IllegalAction."""
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
    """The suite that ships with Ludoteca for this game; None where there is none."""
    name = details_of(game).opening_suite
    path = FOLDER / f"{name}.json"
    return Suite.from_json(path.read_text(encoding="utf-8")) if name and path.exists() else None
