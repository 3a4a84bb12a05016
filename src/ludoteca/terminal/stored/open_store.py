"""The store, opened by commands that only read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ludoteca.errors import InvalidStore
from ludoteca.play.store import Store, default_path

StorePath = Annotated[Path | None, typer.Option("--store", help="The file that holds all matches.")]
RunName = Annotated[
    str,
    typer.Argument(
        help="The number of a run (see: ludoteca show); last: the last one that was started in this folder; page and "
        "terminal hold the matches of people."
    ),
]


@contextmanager
def opened_store(path: Path | None) -> Iterator[Store]:
    """Open the store for reading. Raises InvalidStore if there is none, or if it is damaged."""
    if path is not None and not path.exists():
        raise InvalidStore("there is no store of matches at {path}", path=path)
    with Store(default_path() if path is None else path) as store:
        store.check()
        yield store
