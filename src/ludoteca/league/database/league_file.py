"""The file of a league: a store of matches with the league's own tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.league.database.schema import TABLES
from ludoteca.play.store import Run, Store

FILE = "league.sqlite"
RUN = {"kind": "league"}
"""The key of the run that holds the league's matches."""


class LeagueFile:
    """An open file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, Store(folder / FILE)
        self.run: Run = self._run() or self._create()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    @contextmanager
    def sole_player(self) -> Iterator[None]:
        """Keep other processes from playing this league. Raises InvalidOption if one does already."""
        with ExitStack() as stack:
            try:
                stack.enter_context(self.store.sole_writer(self.run.id))
            except InvalidStore as error:
                raise InvalidOption(
                    "another process plays the league in {folder} already", folder=self.folder
                ) from error
            yield

    def changes(self) -> int:
        """A number that grows whenever a version, a challenge or a pause changes."""
        return int(self.state("changes"))

    def state(self, name: str) -> float:
        """A value of the whole league."""
        (value,) = self.store.base.execute("SELECT value FROM league_state WHERE name = ?", (name,)).fetchone()
        return float(value)

    def _run(self) -> Run | None:
        """The league's run, where the file has one: opening it then takes no lock."""
        return next((run for run in self.store.runs() if run.key == RUN), None)

    def _create(self) -> Run:
        """Make the tables, all of them or none, and then the run."""
        with self.store.transaction() as base:
            for statement in TABLES:
                base.execute(statement)
        return self.store.run(RUN, {})
