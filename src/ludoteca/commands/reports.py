"""What a tournament leaves to read: printed, and as files."""

from __future__ import annotations

import json
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ludoteca.arena.elo import show_elo
from ludoteca.arena.results import TournamentResult
from ludoteca.words import Language, Words

__all__ = ["print_tournament", "write_report"]

WORDS = Words(
    ratings=("Ratings (Elo, 95%)", "Fuerza (Elo, 95%)"),
    agent=("agent", "agente"),
    elo=("Elo", "Elo"),
    interval=("interval", "intervalo"),
    matches=("matches", "partidas"),
    score=("score", "puntos %"),
    first=("Sitting first is worth {elo} [{low}, {high}] Elo.", "Empezar vale {elo} [{low}, {high}] Elo."),
)


def print_tournament(console: Console, result: TournamentResult, language: Language) -> None:
    """Ratings, crosstable, faults and time use."""
    table = Table(title=WORDS("ratings", language), title_justify="left", box=None, padding=(0, 2, 0, 0))
    for head in ("agent", "elo", "interval", "matches", "score"):
        table.add_column(WORDS(head, language), justify="left" if head == "agent" else "right")
    for name, rating in result.ratings.agents.items():
        interval = f"[{show_elo(rating.low)}, {show_elo(rating.high)}]"
        table.add_row(name, show_elo(rating.elo), escape(interval), str(rating.games), f"{rating.score:.1%}")
    console.print()
    console.print(table)
    first = result.ratings.first_seat
    shown = {"elo": show_elo(first.elo), "low": show_elo(first.low), "high": show_elo(first.high)}
    console.print(WORDS("first", language, **shown), markup=False, highlight=False)
    console.print()
    console.print(result.standings.text(), markup=False, highlight=False)


def write_report(folder: Path, result: TournamentResult) -> None:
    """The tables as JSON, crosstable and ratings as SVG and PNG."""
    from ludoteca.arena import plots

    folder.mkdir(parents=True, exist_ok=True)
    tables = {"result": result.table(), "ratings": result.ratings.table(), "standings": result.standings.table()}
    (folder / "tables.json").write_text(json.dumps(tables, indent=2, ensure_ascii=False), encoding="utf-8")
    (folder / "crosstable.svg").write_text(plots.crosstable_svg(result.standings), encoding="utf-8")
    (folder / "ratings.svg").write_text(plots.ratings_svg(result.ratings), encoding="utf-8")
    (folder / "crosstable.png").write_bytes(plots.crosstable_png(result.standings))
    (folder / "ratings.png").write_bytes(plots.ratings_png(result.ratings))
