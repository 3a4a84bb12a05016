"""``convert``, ``export`` and ``review --out`` as a user meets them; in one process, which is enough and cheaper."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ludoteca
from ludoteca.adapters.formats import hexworld, sgf, text
from ludoteca.cli import main
from ludoteca.play.store import Store
from ludoteca.reports.review import Review, ReviewedAction

SGF = "(;FF[4]GM[11]SZ[3]PB[Ann]PW[Bob]C[a friendly game]\n;B[b2];W[a1]C[hm](;B[c1];W[a3])(;B[a3]C[or so]))\n"

Ludo = Callable[..., tuple[str, str, int]]


@pytest.fixture
def ludo(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Ludo:
    """Runs a command; what it printed, what it complained of and its exit status."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")

    def run(*arguments: str, given: str = "") -> tuple[str, str, int]:
        monkeypatch.setattr(sys, "argv", ["ludoteca", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode(errors="surrogateescape"))))
        with pytest.raises(SystemExit) as left:
            main()
        output = capsys.readouterr()
        return output.out, output.err, int(left.value.code or 0)

    return run


def test_a_file_goes_through_all_formats(ludo: Ludo) -> None:
    Path("in.sgf").write_text(SGF)
    for source, target in (("in.sgf", "a.txt"), ("a.txt", "b.jsonl"), ("b.jsonl", "c.sgf"), ("c.sgf", "d.hexworld")):
        assert ludo("convert", source, target)[2] == 0
    (record,) = hexworld.read(Path("d.hexworld").read_text())
    (first,) = sgf.read(SGF)
    assert (record.game, record.actions) == (first.game, first.actions)
    assert "{a friendly game}" in Path("a.txt").read_text() and "2... a1 {hm}" in Path("a.txt").read_text()


def test_what_is_left_out_is_said(ludo: Ludo) -> None:
    out, err, code = ludo("convert", "-", "-", "--to", "text", given=SGF)
    assert code == 0 and text.read(out) == sgf.read(SGF)
    assert err == "ludoteca: 1 variation left out\nludoteca: 1 comment left out\n"
    assert "3 comments left out" in ludo("convert", "-", given=SGF)[1]
    out, err, code = ludo("convert", "-", "-", "--to", "sgf", "--dialect", "littlegolem", given=SGF)
    assert ";W[bb]" in out and not err
    assert sgf.read_trees(out) == sgf.read_trees(SGF)


def test_an_address_is_read_where_it_is_typed(ludo: Ludo) -> None:
    out, _, code = ludo(
        "convert", "https://hexworld.org/board/#3c1,b2a1", "-", "--to", "sgf", "--orientation", "left-right"
    )
    assert code == 0 and ";B[b2];W[a1]" in out


@pytest.mark.parametrize(
    ("arguments", "given", "complaint"),
    [
        (["nowhere.sgf"], "", "ludoteca: nowhere.sgf: No such file or directory"),
        (["-"], "", "standard input: line 1, column 1: this begins like none of the formats"),
        (["-"], "hello", "standard input: line 1, column 1: this begins like none of the formats"),
        (["-"], "(;GM[11]\n;B[zz])", "standard input: line 2, column 2: move 1, zz: 'z26' is no cell"),
        (["-"], "(;GM[11])\n\udcff", "standard input: line 2: byte 11 is not UTF-8"),
        (["-", "x.doc"], SGF, "the name 'x.doc' does not say which format to write"),
        (["-", "no/such/folder.sgf"], SGF, "no/such/folder.sgf: No such file or directory"),
        (["-", "-", "--from", "jsonl"], SGF, "line 1 is no record: it is no JSON"),
        (["-", "x.sgf"], '[Game "kittens"]\n[Seed "1"]\n*', "kittens cannot be written as SGF"),
    ],
)
def test_mistakes_are_one_line_and_status_2(ludo: Ludo, arguments: list[str], given: str, complaint: str) -> None:
    out, err, code = ludo("convert", *arguments, given=given)
    assert (out, code) == ("", 2)
    assert complaint in " ".join(err.split()) and not Path("x.sgf").exists()


def kept(spec: str) -> ludoteca.Record:
    """A finished match in the store of this folder."""
    match = ludoteca.Match.of_spec(spec, 1)
    while match.turn is not None:
        match.play(match.view(match.turn).legal()[0])
    with Store("here.sqlite") as store:
        store.people.open(store.people_run("terminal").id, match.record(), "it")
    return match.record()


def test_a_review_is_written_as_comments(ludo: Ludo, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was better is a variation of it; the engine is a stand-in that always prefers the last cell."""
    record = kept("hex:size=3")

    def reviewed(match: ludoteca.Record, agent: str, *rest: object, **more: object) -> Review:
        better = ludoteca.Decision(8, value=0.5, line=(8, 7), note="because")
        actions = [
            ReviewedAction(ply, ply % 2, action, better, value=-0.1 if ply else 0.5, player=ply % 2)
            for ply, action in enumerate(match.actions)
        ]
        return Review(match, agent, tuple(actions))

    monkeypatch.setattr("ludoteca.terminal.stored.review.reviewed", reviewed)
    command = ("review", "terminal", "0", "--agent", "mcts", "--store", "here.sqlite")
    assert ludo(*command, "--out", "it.sgf")[2] == 0
    (tree,) = sgf.read_trees(Path("it.sgf").read_text(), "left-right")
    assert tree.record.actions == record.actions and tree.variations == len(record.actions)
    assert tree.steps[0].comment == "red is ahead.\nbetter: c3\nbecause"
    assert "lost 30 points in 100\nturning point" in Path("it.sgf").read_text()
    assert tree.comment.startswith("Reviewed by mcts.\nRed: lost ")
    assert ludo(*command, "--out", "it.txt")[2] == 0
    (again,) = text.read_trees(Path("it.txt").read_text())
    assert [step.comment for step in again.main()] == [step.comment for step in tree.main()]
    _, err, code = ludo(*command, "--out", "it.jsonl")
    assert code == 2 and "it.jsonl cannot hold comments" in " ".join(err.split())


def test_every_game_is_exported_as_text(ludo: Ludo) -> None:
    record = kept("kittens")
    out, _, code = ludo("export", "terminal", "--to", "text", "--store", "here.sqlite")
    assert code == 0 and text.read(out) == [record]
    assert "cannot be written as a HexWorld address" in " ".join(
        ludo("export", "terminal", "--to", "hexworld", "--store", "here.sqlite")[1].split()
    )
