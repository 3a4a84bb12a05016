"""What a tournament leaves to read, as files; its `standings` print themselves."""

from __future__ import annotations

import json
from pathlib import Path

from ludoteca.arena.results import TournamentResult

__all__ = ["write_report"]


def write_report(folder: Path, result: TournamentResult) -> None:
    """The tables as JSON, crosstable and ratings as SVG and PNG."""
    from ludoteca.reports import plots  # draws with a large library that no other command needs

    folder.mkdir(parents=True, exist_ok=True)
    tables = {"result": result.table(), "ratings": result.ratings.table(), "standings": result.standings.table()}
    (folder / "tables.json").write_text(json.dumps(tables, indent=2, ensure_ascii=False), encoding="utf-8")
    (folder / "crosstable.svg").write_text(plots.crosstable_svg(result.standings), encoding="utf-8")
    (folder / "ratings.svg").write_text(plots.ratings_svg(result.ratings), encoding="utf-8")
    (folder / "crosstable.png").write_bytes(plots.crosstable_png(result.standings))
    (folder / "ratings.png").write_bytes(plots.ratings_png(result.ratings))
