"""``ludoteca rescue``: a new store with what can still be read of a damaged one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludoteca.catalogues import preferred_language
from ludoteca.messages import say, translate
from ludoteca.play.store.rescue import rescue as rescued


def rescue(
    damaged: Annotated[Path, typer.Argument(help="The damaged store of matches; it is only read.")],
    target: Annotated[Path, typer.Argument(metavar="NEW", help="The file to write; it must not exist.")],
) -> None:
    """Copy what can still be read of a damaged store into a new one.

    Move the damaged file away and the new one to its place. The commands that played the runs play what is missing.
    """
    runs, matches = rescued(damaged, target)
    text = say("Rescued into {path}: {runs} runs, {matches} matches.", path=target, runs=runs, matches=matches)
    print(translate(text, preferred_language()))
