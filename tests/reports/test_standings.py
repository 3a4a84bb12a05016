from __future__ import annotations

import doctest
import io
import math
import re
import struct
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from ludoteca.agents.identity import Identity
from ludoteca.play.record import Record, Who
from ludoteca.players.faults import Ending
from ludoteca.ratings.pairs import Score
from ludoteca.reports import standings
from ludoteca.reports import text_table as tables
from ludoteca.reports.crosstable_drawing import crosstable_drawing
from ludoteca.reports.ratings_table import ratings_chart
from ludoteca.reports.standings import Standings, TimeUse
from ludoteca.reports.text_table import TextTable, duration, percent, tint

GAME = "hex:size=3"
ADA, BOB, CAT = map(Identity, ("ada", "bob", "cat"))


RETURNS = {1.0: (1.0, -1.0), 0.5: (0.0, 0.0), 0.0: (-1.0, 1.0)}


def match(first: str, second: str, score: float, seed: int = 0) -> Record:
    return Record(GAME, seed, (Who(Identity(first)), Who(Identity(second))), returns=RETURNS[score])


def fault(first: str, second: str, seat: int, ending: Ending) -> Record:
    return replace(match(first, second, float(seat)), ending=ending, fault=seat, message="oh\nno")


def results(first: str, second: str, *scores: float) -> list[Record]:
    return [match(first, second, score) for score in scores]


@pytest.fixture
def three() -> Standings:
    """Cat beats bob beats ada mostly, and ada has faults."""
    return Standings.of([
        *results("cat", "bob", 1, 1, 0.5, 1), *results("bob", "cat", 1, 0, 0, 0.5),
        *results("bob", "ada", 1, 1, 1, 0), *results("ada", "bob", 0, 1, 0, 0.5),
        *results("cat", "ada", 1, 1, 0.5, 1),
        fault("ada", "cat", 0, Ending.timeout), fault("ada", "cat", 0, Ending.timeout),
        fault("cat", "ada", 1, Ending.illegal), fault("ada", "cat", 1, Ending.crash),
    ])  # fmt: skip


@pytest.mark.parametrize("module", [standings, tables])
def test_the_examples_in_docstrings_are_true(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted and not result.failed


def test_the_crosstable_adds_up_both_seats(three: Standings) -> None:
    assert three.agents == [CAT, BOB, ADA]
    assert three.crosstable[CAT][BOB] == Score(wins=5, draws=2, losses=1)
    assert three.crosstable[BOB][CAT] == Score(wins=1, draws=2, losses=5)
    assert three.crosstable[ADA][CAT] == Score(wins=1, draws=1, losses=6)
    assert CAT not in three.crosstable[CAT]
    assert three.score(CAT) == Score(wins=11, draws=3, losses=2)
    assert three.score(CAT).points == 12.5
    assert three.score(CAT).share == three.ratings.agents[CAT].score == 12.5 / 16


def test_faults_are_counted_by_kind_for_those_who_made_them(three: Standings) -> None:
    assert {name: tally.counts for name, tally in three.faults.items()} == {
        CAT: {Ending.crash: 1}, BOB: {}, ADA: {Ending.timeout: 2, Ending.illegal: 1},
    }  # fmt: skip


def test_self_play_counts_both_seats() -> None:
    alone = Standings.of(results("ada", "ada", 1, 1, 0.5))
    assert alone.crosstable[ADA][ADA] == Score(wins=2, draws=2, losses=2)
    assert alone.ratings.agents[ADA].matches == 6


@pytest.mark.parametrize("movers", [(0, 1, 0, 1), (0, 0, 1, 0, 1, 1, 1)])
def test_times_count_for_the_agent_that_moved_and_openings_for_none(movers: tuple[int, ...]) -> None:
    seconds = tuple(number / 8 for number in range(1, len(movers) + 1))
    record = replace(match("ada", "bob", 1), movers=movers, actions=movers, seconds=seconds, opening=2)
    twice = Standings.of([record, record])
    for seat, name in enumerate(record.agents):
        spent = [each for each, mover in list(zip(seconds, movers, strict=True))[2:] if mover == seat]
        assert twice.times[name] == TimeUse(2 * len(spent), 2 * sum(spent), max(spent))
        assert twice.times[name].mean == pytest.approx(sum(spent) / len(spent))


def test_records_without_times_or_movers_have_none() -> None:
    unknown = replace(match("ada", "bob", 1), game="tennis:sets=3", actions=(1, 2), seconds=(1.0, 2.0))
    for record in (unknown, match("ada", "bob", 1)):
        found = Standings.of([record])
        assert found.times == {ADA: TimeUse(), BOB: TimeUse()}
        assert found.table()[0]["mean_seconds"] is None


def test_matches_that_are_not_over_do_not_count() -> None:
    assert Standings.of([replace(match("ada", "bob", 1), ending=Ending.unfinished)]).matches == 0


def test_equal_pairs_count_once_and_it_is_said() -> None:
    pair = [replace(match("ada", "bob", 1), digest="a"), replace(match("bob", "ada", 1), digest="b")]
    found = Standings.of([replace(record, seed=seed) for seed in range(10) for record in pair])
    assert (found.matches, found.distinct) == (20, 2)
    assert found.score(ADA) == Score(wins=1, draws=0, losses=1)
    assert "20 matches, 2 distinct: equal ones count once." in found.text()
    assert "2 matches, all distinct." in Standings.of(pair).text()


def test_records_may_come_one_by_one() -> None:
    assert Standings.of(iter(results("ada", "bob", 1, 0, 1))).score(ADA).matches == 3


def test_rows_are_plain_values_under_the_same_headings(three: Standings) -> None:
    rows = three.table()
    assert [row["agent"] for row in rows] == ["cat", "bob", "ada"]
    assert all(list(row) == list(rows[0]) for row in rows)
    assert all(type(value) in (int, float, str, type(None)) for row in rows for value in row.values())
    ada = rows[2]
    assert (ada["rank"], ada["matches"], ada["wins"], ada["draws"], ada["losses"]) == (3, 16, 3, 2, 11)
    assert (ada["faults"], ada["timeout"], ada["illegal"], ada["crash"]) == (3, 2, 1, 0)


def test_the_text_shows_everything_within_its_width(three: Standings) -> None:
    found = three.text(100)
    assert max(len(line) for line in found.splitlines()) <= 100
    cat, bob, ada = (re.search(rf"^\d +{name} .*$", found, re.MULTILINE) for name in ("cat", "bob", "ada"))
    assert cat and bob and ada
    assert "11–3–2" in cat[0] and "78%" in cat[0] and cat[0].endswith(" 1")
    assert ada[0].endswith(" 3")
    assert "cat: 1 × crashed: oh\nada: 2 × out of time: oh\nada: 1 × illegal action: oh" in found
    assert re.search(r"2 +bob +25% +69%", found)
    assert "Elo 0 is the mean." in found
    assert "The first seat is worth" in found and "Equally strong agents draw" in found
    assert "∞" not in found


def test_rich_prints_it_as_it_is(three: Standings) -> None:
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(three)
    assert [line.rstrip() for line in console.export_text().splitlines()] == three.text(100).splitlines()


def test_names_are_not_taken_for_markup() -> None:
    odd = Standings.of(results("a[red]", "b<i>", 1, 0))
    assert "a[red]" in odd.text()
    assert "b&lt;i&gt;" in odd._repr_html_()
    assert "b&lt;i&gt;" in crosstable_drawing(odd).svg()


def test_a_crosstable_that_does_not_fit_is_shown_agent_by_agent() -> None:
    many = [f"agent{number}" for number in range(20)]
    wide = Standings.of([match(a, b, 1) for a in many for b in many if a != b])
    cells = wide.text(80).partition("Points against")[2].partition("380 matches")[0]
    assert cells.count("50%") == 20 * 19 == wide.text(200).partition("Points against")[2].count("50%")


def test_what_numbers_do_not_show_is_said_in_words() -> None:
    apart = Standings.of([*results("ada", "bob", 1, 0, 1), *results("cat", "dan", 1, 1)])
    assert "agents of different groups" in apart.text()
    assert "∞: won or lost everything" in apart.text()
    assert re.search(r"Group", apart.text())
    anchored = Standings.of(results("ada", "bob", 1, 0, 1), anchor=BOB)
    assert "Elo 0 is the rating of bob." in anchored.text()
    assert anchored.ratings.agents[BOB].elo == 0


def test_nothing_played_is_no_error() -> None:
    nothing = Standings.of([])
    assert nothing.text() == "No matches yet."
    assert nothing._repr_html_() == "<p>No matches yet.</p>"
    assert nothing.table() == []
    for svg in (crosstable_drawing(nothing).svg(), ratings_chart(nothing.ratings).svg()):
        assert "No matches yet" in svg
    assert ratings_chart(nothing.ratings).png().startswith(b"\x89PNG")


def test_the_page_has_a_row_for_every_agent_and_closes_its_tags(three: Standings) -> None:
    html = three._repr_html_()
    assert html.count("<tr>") == 8
    assert "ada: 2 × out of time: oh" in html
    assert f"background:{tint(6 / 8)}" in html
    open_tags: list[str] = []

    class Check(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Check().feed(html)
    assert open_tags == []


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.994, "99%"), (0.9999, "99%"), (1, "100%")]
)
def test_only_all_and_nothing_are_shown_as_such(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 µs"), (0.0012, "1.2 ms"), (1, "1 s"), (90, "90 s"), (1e5, "28 h")]
)
def test_durations_have_a_fitting_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_tables_know_their_width() -> None:
    table = TextTable("", ["#", "Agent"], [["1", "a long name"], ["2", "b"]], words=frozenset({"Agent"}))
    assert table.width == len("1  a long name")


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_the_crosstable_is_drawn(three: Standings) -> None:
    svg = crosstable_drawing(three).svg()
    found = texts(svg)
    assert {"cat", "bob", "ada", "5–2–1", "1–2–5", "75%", "25%"} <= set(found)
    fills = [each.get("fill") for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")]
    assert fills.count(tint(6 / 8)) >= 1 and tint(2 / 8) in fills


def test_the_ratings_are_drawn_in_their_order_and_place(three: Standings) -> None:
    svg = ratings_chart(three.ratings).svg()
    dots = [
        float(each.get("cx", "")) for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle")
    ]
    cat, bob, ada, _first_seat = dots
    assert cat > bob > ada
    elos = [rating.elo for rating in three.ratings.agents.values()]
    assert (cat - bob) / (bob - ada) == pytest.approx((elos[0] - elos[1]) / (elos[1] - elos[2]), rel=0.01)
    assert {"cat", "first seat"} <= set(texts(svg))


def test_who_lost_everything_does_not_squeeze_the_others() -> None:
    scores = results("ada", "bob", *[1, 0] * 20) + results("bob", "ada", *[1, 0] * 20)
    even = Standings.of(scores).ratings
    broken = Standings.of(scores + results("ada", "broken", *[1] * 500) + results("broken", "bob", *[0] * 500)).ratings
    assert broken.agents[Identity("broken")].low == -math.inf

    def length(svg: str) -> float:
        """Of the first whisker, which is that of an agent that neither won nor lost everything."""
        lines = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}line")
        whisker = next(each for each in lines if each.get("stroke-width") == "3")
        return float(whisker.get("x2", "")) - float(whisker.get("x1", ""))

    assert length(ratings_chart(broken).svg()) > 0.5 * length(ratings_chart(even).svg()) > 40
    assert "−∞" in " ".join(texts(ratings_chart(broken).svg()))


def test_long_names_are_cut_and_odd_groups_are_drawn() -> None:
    long = "minimax:" + ",".join(f"option{number}=value" for number in range(9))
    apart = Standings.of([*results(long, "bob", 1, 0, 1), *results("cat", "dan", 1, 1)])
    for svg in (crosstable_drawing(apart).svg(), ratings_chart(apart.ratings).svg()):
        assert long not in texts(svg)
        assert any(text.endswith("…") and long.startswith(text[:-1]) for text in texts(svg))


def test_png_is_the_same_picture_at_scale(three: Standings) -> None:
    for svg, png in (
        (crosstable_drawing(three).svg(), crosstable_drawing(three).png(scale=1.5)),
        (ratings_chart(three.ratings).svg(), ratings_chart(three.ratings).png(scale=1.5)),
    ):
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", png[16:24])
        root = ElementTree.fromstring(svg)
        assert width == pytest.approx(1.5 * float(root.get("width", "")), abs=1)
        assert height == pytest.approx(1.5 * float(root.get("height", "")), abs=1)


def test_png_holds_the_colours_of_the_cells(three: Standings, tmp_path: Path) -> None:
    from matplotlib.image import imread

    path = tmp_path / "crosstable.png"
    path.write_bytes(crosstable_drawing(three).png(scale=1))
    pixels = {tuple(round(255 * part) for part in pixel[:3]) for line in imread(path) for pixel in line}
    for share in (6 / 8, 2 / 8):
        colour = tint(share)
        assert tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5)) in pixels


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    lines = ["import sys", "from ludoteca.ratings import bradley_terry, sprt",
             "from ludoteca.reports import crosstable_drawing, standings",
             "print([name for name in ('scipy', 'matplotlib') if name in sys.modules])"]  # fmt: skip
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
