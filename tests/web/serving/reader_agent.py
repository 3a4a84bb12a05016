"""An agent, not one of ours, with an option that names a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ludoteca import Action, Game, Limit, View


class Reader:
    """Reads openings from a file."""

    def __init__(
        self, game: Game, seat: int, seed: int, book: Annotated[Path, "its openings"] = Path(), depth: int = 1
    ) -> None:
        self.book, self.depth = book, depth

    def act(self, view: View, limit: Limit) -> Action:
        return view.legal()[0]
