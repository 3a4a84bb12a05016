"""The report of similar sources finds a renamed copy, forgives what was handed out, and no source breaks it."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoteca.cli import app
from ludoteca.league.database import Database
from ludoteca.league.similarity.comparison import Comparison, Likeness, Source
from ludoteca.league.similarity.report import Named, SimilarityReport
from ludoteca.messages import Speaker
from tests.league.made import TOML, league

GIVEN = "".join(
    f"def given_{n}(board, cell):\n    return board.look(cell, {n}) or [cell, ({n}, 4)]\n\n" for n in range(9)
)
OWN = """
def search(board, depth, alpha, beta, player):
    if depth == 0 or board.over():
        return evaluate(board, player)
    for move in sorted(board.moves(), key=lambda each: -abs(each[0] - each[1])):
        after = board.copy()
        after.play(move, player)
        value = -search(after, depth - 1, -beta, -alpha, 3 - player)
        if value >= beta:
            return beta
        alpha = max(alpha, value)
    return alpha
"""
RENAMED = OWN.replace("search", "think").replace("alpha", "low").replace("board", "b").replace("move", "zug")
OTHER = """
import random
class Dice:
    sides = {1: "one", 2: "two"}
    def roll(self):
        while True:
            yield random.choice(list(self.sides.values()))
"""
HOSTILE = {
    "huge": "# " + "x" * 120_000 + "\n",
    "deep": "(" * 3_000,
    "quotes": "'" * 5_000 + '"' * 5_000,
    "strange": "é\x00\x1b[2J\ufffd" * 500,
    "page": "</pre><script>alert(1)</script>\n" * 200,
}


def handed_in(database: Database, folder: Path, ident: str, text: str | bytes) -> int:
    """A version that stands, without its check: the report reads nothing but its text."""
    place = folder / ".ludoteca" / "handed-in" / f"{len(ident):032x}" / ident
    place.mkdir(parents=True)
    (place / "solution.py").write_bytes(text if isinstance(text, bytes) else text.encode())
    person = next(each for each in database.people() if each.ident == ident)
    version = database.add_version(person.id, "", str(place / "solution.py"))
    with database.store.transaction() as base:
        base.execute("UPDATE league_people SET standing = ? WHERE id = ?", (version.id, person.id))
    return version.id


def test_a_renamed_copy_is_found_and_what_was_handed_out_is_not(tmp_path: Path) -> None:
    """Among sources that are huge, deep, in no encoding, or made to look like a page."""
    idents = ["ana", "luis", "eva", "carla", "latin", *HOSTILE]
    league(tmp_path, TOML, "name,id\n" + "".join(f"{each.title()},{each}\n" for each in idents))
    (tmp_path / "handouts").mkdir()
    (tmp_path / "handouts" / "given.py").write_text(GIVEN)
    with Database(tmp_path) as database:
        database.add_people([(each.title(), each) for each in idents])
        handed_in(database, tmp_path, "ana", GIVEN + OWN)
        handed_in(database, tmp_path, "luis", RENAMED + GIVEN)
        handed_in(database, tmp_path, "eva", GIVEN + OTHER)
        handed_in(database, tmp_path, "carla", OTHER + "\n# ñ\n")
        handed_in(database, tmp_path, "latin", b"# \xff\xfe\xe9\r\nx = 1\r\n" * 200)
        for ident, text in HOSTILE.items():
            handed_in(database, tmp_path, ident, text)
    result = CliRunner().invoke(app, ["league", "similarity", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "never a verdict" in result.output and "Huge, version 1" in result.output
    found = list(csv.DictReader((tmp_path / "similarity.csv").read_text("utf-8-sig").splitlines()))
    alike = {frozenset((row["id"], row["other_id"])): float(row["share"]) for row in found}
    assert alike[frozenset(("ana", "luis"))] > 0.8
    assert alike[frozenset(("eva", "carla"))] > 0.7
    assert not any(pair & {"ana", "luis"} for pair in alike if pair != {"ana", "luis"}), alike
    page = (tmp_path / "similarity.html").read_text("utf-8")
    assert "<mark>" in page and "<script" not in page and "never a verdict" in page
    assert (tmp_path / "similarity.html").stat().st_mode & 0o077 == 0


def test_whatever_a_source_says_is_text_on_the_page() -> None:
    evil = "</pre><script>alert(1)</script>"
    sources = {1: Source(1, 1, evil, False), 2: Source(2, 2, evil, True)}
    likeness = Likeness(1, 2, 1.0, 0.5, 30, ((0, 6),), ((3, 99), (-4, 2)))
    names = {1: Named("<b>Ana</b>", "=1+1", 1), 2: Named("Luis", "luis", 2)}
    report = SimilarityReport(Comparison(sources, [likeness], []), names, "<i>Spring</i>")
    for language in ("en", "es"):
        page = report.page(Speaker(language))
        assert "<script" not in page and "<b>Ana" not in page and "<i>" not in page
    assert "'=1+1" in report.csv()


def test_without_the_library_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    league(tmp_path)
    monkeypatch.setitem(sys.modules, "copydetect", None)
    result = CliRunner().invoke(app, ["league", "similarity", str(tmp_path)])
    assert "ludoteca[similarity]" in str(result.exception)


@pytest.mark.parametrize("words", [["ban", "ana", "7"], ["readmit", "nobody", "1"], ["extend", "nobody"]])
def test_what_is_not_there_cannot_be_changed(tmp_path: Path, words: list[str]) -> None:
    league(tmp_path)
    reason = ["--reason", "x"] if words[0] == "ban" else []
    result = CliRunner().invoke(app, ["league", *words, "--league", str(tmp_path), *reason])
    assert result.exit_code != 0 and result.exception is not None
