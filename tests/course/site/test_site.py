"""The site of the demo course: every page there, nothing from elsewhere, nothing that a name or a fault could break."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from typer.testing import CliRunner

from ludoteca.arena.api import WorkerSettings
from ludoteca.cli import app
from ludoteca.course.grades import as_csv, grades_of
from ludoteca.course.site.build import write
from ludoteca.course.site.frames import Pieces, frames_of
from ludoteca.course.tournament import Course, Entrant, run
from ludoteca.errors import InvalidOption
from ludoteca.messages import Speaker
from ludoteca.play.match import Match
from tests.course.made import FIRST, LAST, TOML, course, hand_in

SAYS = """
from ludoteca import Decision

class Says:
    def __init__(self, game, seat, seed):
        pass

    def act(self, view, limit):
        return Decision(view.legal()[0], note="I say \\udc80 here")
"""
DEMO = Path(__file__).parents[3] / "docs" / "examples" / "course"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course") / "demo"
    shutil.copytree(DEMO, folder, ignore=shutil.ignore_patterns(".ludoteca", "site"))
    (folder / "course.toml").write_text((folder / "course.toml").read_text().replace("time = 2.0", "time = 20.0"))
    run(Course.of(folder), folder.parent / "s", WorkerSettings(1, False))
    return folder


@pytest.fixture(scope="module")
def site(demo: Path) -> Path:
    write(Course.of(demo), demo / "site", "en")
    return demo / "site"


class Links(HTMLParser):
    """What a page loads or leads to, and the names that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src"):
                self.targets.append(value or "")
            if name == "id":
                self.names.add(value or "")


def test_every_link_leads_somewhere_within_the_site(site: Path) -> None:
    pages = {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    assert len(pages) == 1 + 6 + 10 + 20  # ranking, submissions, qualification, tournament
    for path, links in pages.items():
        for target in links.targets:
            assert not re.match(r"[a-z]+:|//", target), f"{path} loads {target}"
            file, _, name = target.partition("#")
            goal = (path.parent / file).resolve()
            assert goal.is_file() and goal.is_relative_to(site), f"{path} leads to {target}"
            assert not name or unquote(name) in pages[goal].names, f"{path} leads to {target}"
    assert "url(" not in (site / "style.css").read_text() and "@import" not in (site / "style.css").read_text()


def test_grades_are_by_the_formula_and_faults_are_listed(site: Path) -> None:
    rows = {row["name"]: row for row in csv.DictReader((site / "grades.csv").read_text("utf-8-sig").splitlines())}
    assert list(rows) == ["bruno", "ana", "diego", "carla", "elena", "felix"] or set(rows) == {
        "ana", "bruno", "carla", "diego", "elena", "felix",
    }  # fmt: skip
    for name, row in rows.items():
        expected = 0.0 if name == "felix" else 4 + 6 * float(row["points"]) / int(row["matches"])
        assert float(row["grade"]) == pytest.approx(expected, abs=0.006)
    assert int(rows["elena"]["faults"]) > 0 and "tensorflow" in rows["felix"]["remark"]
    page = (site / "submissions" / "elena.html").read_text(encoding="utf-8")
    if sys.platform == "linux":
        assert "waited" in page and "jitter" in (site / "index.html").read_text(encoding="utf-8")
    assert "What went wrong" in page and "that cell is taken" in page and "class='plot'" in page


def test_boards_are_drawn_from_the_data_as_the_game_draws_them(site: Path) -> None:
    script = (site / "pieces.js").read_text(encoding="utf-8")
    pieces = json.loads(script.removeprefix("var PIECES = ").rstrip().removesuffix(";"))
    page = (site / "matches" / "t0.html").read_text(encoding="utf-8")
    found = re.search(r"var MATCH=\{frames:(.*?)\};", page)
    assert found is not None
    ids: list[int] = []
    pictures = []
    for start, end, between in json.loads(found[1]):
        ids = ids[:start] + between + ids[len(ids) - end :]
        pictures.append("".join(pieces[each] for each in ids))
    assert len(pictures) == page.count("<li id='move-") + 1
    assert all(picture.startswith("<svg") and picture.endswith("</svg>") for picture in pictures)
    assert len(set(pictures)) == len(pictures)


@pytest.mark.parametrize("spec", ["hex:size=3", "horses", "dominoes", "kittens"])
def test_frames_of_every_game_come_back_as_they_were_drawn(spec: str) -> None:
    match = Match.of_spec(spec, 1)
    while match.turn is not None and len(match.actions) < 8:
        match.play(match.view(match.turn).legal()[0])
    pieces = Pieces()
    frames = frames_of(match, pieces, "en")
    known = json.loads(pieces.script().removeprefix("var PIECES = ").rstrip().removesuffix(";"))
    ids: list[int] = []
    for place, (start, end, between) in enumerate(frames):
        ids = ids[:start] + between + ids[len(ids) - end :]
        then = match.before(place)
        assert "".join(known[each] for each in ids) == then.game.svg(then.view(then.turn or 0))  # type: ignore[attr-defined]


def test_spanish(demo: Path, tmp_path: Path) -> None:
    write(Course.of(demo), tmp_path / "site", "es")
    text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "lang='es'" in text and "Clasificación" in text and "Ranking" not in text


def test_a_folder_of_somebody_elses_is_not_written_into(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InvalidOption, match="holds other files"):
        write(Course.of(demo), tmp_path, "en")
    assert [path.name for path in tmp_path.iterdir() if path.name != "state"] == ["thesis.tex"]


def test_nothing_was_played_yet(tmp_path: Path) -> None:
    with pytest.raises(InvalidOption, match="ludoteca course run"):
        write(Course.of(course(tmp_path, ana=FIRST)), tmp_path / "site", "en")


def test_names_cannot_break_a_page_nor_a_spreadsheet(tmp_path: Path) -> None:
    folder = course(tmp_path / "c", **{"<script>alert(1)": FIRST, "=1+1": LAST})
    hand_in(folder, "'\"& <b>", "raise ValueError('<script>alert(2)</script>')")
    # Lone surrogates, which no file can hold: in a name, in what is raised and in what is said.
    hand_in(folder, "caf\udce9", FIRST.replace("return", "raise ValueError('lone \\ud800 surrogate')\n        return"))
    hand_in(folder, "built", "raise ValueError('lone \\udfff at import')")
    hand_in(folder, "says", SAYS)
    run(Course.of(folder), tmp_path / "s", WorkerSettings(1, False))
    write(Course.of(folder), tmp_path / "site", "en")
    for path in (tmp_path / "site").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "<script>alert" not in text and "<b>'" not in text, path
    shown = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "site").rglob("*.html"))
    for text in ("caf�", "lone � surrogate", "lone � at import", "I say � here"):
        assert text in shown
    rows = list(csv.reader((tmp_path / "site" / "grades.csv").read_text("utf-8-sig").splitlines()))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "@"))]


def test_a_bye_is_named_on_the_site_and_in_the_terminal(tmp_path: Path) -> None:
    """Three in a Swiss tournament of one round: one has no opponent, and its two points are out of two."""
    toml = TOML.replace('game = "hex"', 'game = "hex"\nformat = "swiss"\nrounds = 1')
    folder = course(tmp_path / "c", toml, ana=FIRST, bruno=LAST, carla=FIRST + "# mine")
    result = run(Course.of(folder), tmp_path / "s", WorkerSettings(1, False))
    assert list(result.byes.values()) == [1] and max(result.points.values()) == 2
    assert set(result.out_of.values()) == {2}
    for language, words in (("en", ["Byes", "It had a bye in 1 round"]), ("es", ["Descansos", "Descansó en 1 ronda"])):
        write(Course.of(folder), tmp_path / language, language)
        shown = [path.read_text(encoding="utf-8") for path in (tmp_path / language).rglob("*.html")]
        assert [sum(word in page for page in shown) for word in words] == [1, 1]
    rows = csv.DictReader((tmp_path / "en" / "grades.csv").read_text("utf-8-sig").splitlines())
    assert sorted((float(row["grade"]) == 10 * float(row["points"]) / 2, row["byes"]) for row in rows) == [
        (True, "0"), (True, "0"), (True, "1"),
    ]  # fmt: skip
    text = CliRunner().invoke(app, ["show", str(result.run), "--store", str(tmp_path / "s")]).stdout
    assert "which counts as 2 won matches: carla/solution.py." in " ".join(text.split())


def test_equal_points_share_a_place_and_absent_students_come_last() -> None:
    from ludoteca.course.formula import Formula

    entrants = [Entrant("ana", None, "", "no solution", qualified=False)]
    (only,) = grades_of(entrants, None, None, Formula.parse("10 * score + qualified"))
    assert (only.place, only.grade) == (None, 0.0)
    assert as_csv([only], Speaker("en")).splitlines()[1] == "ana,0.00,,0,0,0,0,0,0,0,,,,no solution"
