"""The standings of a tournament: in the terminal, and as files for a report."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console

from ludoteca.arena.results import TournamentResult
from ludoteca.catalogues import Language, preferred_language
from ludoteca.errors import MissingExtra
from ludoteca.messages import translate
from ludoteca.reports.json_output import plain
from ludoteca.reports.standings import Standings


def print_standings(console: Console, standings: Standings, language: Language) -> None:
    """Print the standings."""
    console.print("")
    for part in standings.renderables(console.width, language):
        console.print(part)


def write_report(folder: Path, result: TournamentResult, standings: Standings) -> None:
    """Write the tables as JSON, and crosstable and ratings as SVG and PNG; says so if PNG is not available."""
    from ludoteca.reports.crosstable_drawing import crosstable_drawing
    from ludoteca.reports.ratings_table import ratings_chart

    folder.mkdir(parents=True, exist_ok=True)
    tables = {"result": result.table(), "ratings": result.ratings.table(), "standings": standings.table()}
    (folder / "tables.json").write_text(
        json.dumps(plain(tables), indent=2, ensure_ascii=False, allow_nan=False), encoding="utf-8"
    )
    drawings = {"crosstable": crosstable_drawing(standings), "ratings": ratings_chart(result.ratings)}
    for name, drawing in drawings.items():
        (folder / f"{name}.svg").write_text(drawing.svg(), encoding="utf-8")
    try:
        for name, drawing in drawings.items():
            (folder / f"{name}.png").write_bytes(drawing.png())
    except MissingExtra as missing:
        errors = Console(stderr=True, emoji=False, markup=False, highlight=False)
        errors.print(translate(missing.message, preferred_language()), soft_wrap=True)
