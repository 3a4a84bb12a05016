"""The folder of a training: what is read back, and what hostile or damaged files may not do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ludoteca.errors import InvalidOption
from ludoteca.learn.curve import Point, Result
from ludoteca.learn.run_folder import RunReader, RunWriter, find_run, glance, last_evaluation, run_names
from ludoteca.ratings.elo import score_interval

RUN = {"training": "dqn", "command": "ludoteca train dqn", "unit": "matches", "total": 100, "settings": {"seed": 1}}
CURVE = [
    Point(10, 1.0, {"loss": 0.5}, 0.9),
    Point(20, 2.0, {"loss": 0.25}, 0.8, {"v2": Result.of(30, 0, 20), "random": Result.of(40, 5, 5)}),
]


def written(folder: Path, run: object = RUN, curve: str = "") -> RunReader:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_bytes(run if isinstance(run, bytes) else json.dumps(run).encode())
    (folder / "curve.jsonl").write_text(curve)
    return RunReader(folder)


def line(**fields: object) -> str:
    return json.dumps({"at": 1, "seconds": 1, "loss": {}} | fields) + "\n"


def test_what_was_written_is_read_while_it_grows(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    reader = RunReader(folder)
    assert reader.read().fault == "There is no training mine here."
    with RunWriter(folder, RUN, [], resumed=False) as writer:
        assert reader.read().training_now and reader.read().points == ()
        assert writer.append(CURVE[:1]) == CURVE[:1] and writer.append(CURVE[:1]) == []
        assert [point.at for point in reader.read().points] == [10]
        writer.append(CURVE)
        status = reader.read()
        assert [(point.at, point.epsilon, dict(point.loss)) for point in status.points] == [
            (10, 0.9, {"loss": 0.5}), (20, 0.8, {"loss": 0.25}),
        ]  # fmt: skip
        assert [point.at for point in glance(folder, "mine").points] == [20]
        found = last_evaluation(status.points)
        assert found is not None and found.results["random"].score == 0.85
        assert found.results["v2"].low == pytest.approx(0.4618, abs=1e-4), "Wilson's interval of 30 in 50"
        assert found.results["v2"].high == pytest.approx(0.7239, abs=1e-4)
        with pytest.raises(InvalidOption, match="another process is training"):
            RunWriter(folder, RUN, [], resumed=False)
        writer.finish({"wins": 3})
    status = reader.read()
    assert status.ended and not status.training_now and status.run is not None
    assert status.run.settings == {"seed": "1"} and status.run.total == 100


def test_only_appended_bytes_are_read(tmp_path: Path) -> None:
    reader, known = written(tmp_path / "a", curve=line(at=1) + line(at=2)), line(at=1) + line(at=2)
    assert len(reader.read().points) == 2
    with (tmp_path / "a" / "curve.jsonl").open("r+") as curve:
        curve.write("?" * (len(known) - 1))  # what was read is not read again, so nobody notices
        curve.seek(0, os.SEEK_END)
        curve.write(line(at=3) + line(at=4)[:-9])  # the last was cut off
    assert [point.at for point in reader.read().points] == [1, 2, 3]
    with (tmp_path / "a" / "curve.jsonl").open("a") as curve:
        curve.write(line(at=4)[-9:] + line(at=4) + line(at=2))
    assert [point.at for point in reader.read().points] == [1, 2, 3, 4], "no point twice"
    written(tmp_path / "a", curve=line(at=7))  # another training in the same folder
    assert [point.at for point in reader.read().points] == [7]


DEEP = b"[" * 100_000
BAD_RUNS = [
    b"", b"{", b"\xff\xfe\x00", b"[]", b"null", b"NaN", DEEP, b'{"unit": "matches", "settings": ' + DEEP,
    b'{"unit": ["matches"]}', b'{"unit": "matches", "total": 1e999}', b'{"unit": "matches", "total": true}',
    b'{"unit": "matches", "settings": [1]}', b'{"unit": "matches", "settings": {"a": {"b": 1}}}',
    b'{"unit": "matches", "total": ' + b"9" * 5000 + b"}",
    b'{"unit": "matches", "command": "' + b"x" * 70_000 + b'"}',
    b'{"unit": "matches", "settings": {' + b",".join(b'"%d": 1' % n for n in range(500)) + b"}}",
]  # fmt: skip
BAD_LINES = [
    "{}\n", "[]\n", "nonsense\n", "\n", "NaN\n", "[" * 60_000 + "\n", "\0\0\0\n", '{"at": "1"}\n', line(at=-1),
    line(at=1.5), line(at=True), line(at=10**30), line(seconds="now"), line(seconds=float("nan")),
    line(loss={"loss": float("inf")}), line(loss={"loss": float("nan")}), line(loss=[1]), line(epsilon=7),
    line(loss={f"{n}": 1 for n in range(99)}), line(results=[]), line(results={"v2": 1}),
    line(results={"v2": {"wins": 0, "draws": 0, "losses": 0, "low": 0, "high": 1}}),
    line(results={"v2": {"wins": 1, "draws": 0, "losses": 0, "low": float("nan"), "high": 1}}),
    line(results={"v2": {"wins": 10**400, "draws": 0, "losses": 0, "low": 0, "high": 1}}),
    line(results={"\ud800": {"wins": 1, "draws": 0, "losses": 0, "low": 0, "high": 1}}),
    line(results={"x" * 500: {"wins": 1, "draws": 0, "losses": 0, "low": 0, "high": 1}}),
    line(results={f"{n}": {"wins": 1, "draws": 0, "losses": 0, "low": 0, "high": 1} for n in range(99)}),
    "x" * 200_000,
]  # fmt: skip


def test_damaged_and_hostile_files_give_a_sentence(tmp_path: Path) -> None:
    for place, run in enumerate(BAD_RUNS):
        status = written(tmp_path / f"run{place}", run).read()
        assert status.run is None and status.fault == f"run{place}: run.json is not what a training writes", run[:60]
    for place, bad in enumerate(BAD_LINES):
        status = written(tmp_path / f"curve{place}", curve=line(at=5) + bad + line(at=6)).read()
        assert [point.at for point in status.points] == [5], bad[:60]
        assert status.fault == f"curve{place}: line 2 of curve.jsonl cannot be read; the curve ends before it", bad[:60]
        seen = glance(tmp_path / f"curve{place}", "x")
        assert seen.run is not None and {point.at for point in seen.points} <= {6}, "a list shows what is at the end"
    reader = written(tmp_path / "large")
    os.truncate(tmp_path / "large" / "curve.jsonl", 2**24 + 1)
    assert reader.read().fault == "large: curve.jsonl is larger than 16 MiB"
    texts = {"unit": "matches", "command": "\x1b[2J\ud800" + "y" * 900, "settings": {"a\nb": None, "c": False}}
    read = written(tmp_path / "texts", texts).read().run
    assert read is not None and read.command.startswith("�[2J�yyy") and len(read.command) == 300
    assert read.settings == {"a b": "", "c": "false"}


def test_a_name_leads_nowhere_but_to_a_training_of_the_folder(tmp_path: Path) -> None:
    runs, secret = tmp_path / "runs", tmp_path / "secret"
    written(runs / "good")
    written(secret, {**RUN, "command": "secret"})
    (runs / "link").symlink_to(secret)
    (runs / "empty").mkdir()
    (runs / "linked settings").mkdir()
    (runs / "linked settings" / "run.json").symlink_to(secret / "run.json")
    (runs / os.fsdecode(b"\xff")).mkdir()
    written(runs / os.fsdecode(b"\xff"))
    written(runs / "control\x1b")
    written(runs / "linked curve")
    (runs / "linked curve" / "curve.jsonl").unlink()
    (runs / "linked curve" / "curve.jsonl").symlink_to(secret / "run.json")
    assert run_names(runs) == ["good", "linked curve"]
    for name in (
        "link",
        "../secret",
        "good/../../secret",
        "/",
        "",
        ".",
        "..",
        str(secret),
        "good/",
        "good\0",
        "\ud800",
    ):
        assert find_run(runs, name) is None, name
    assert find_run(runs, "good") == runs / "good"
    assert run_names(secret) == ["secret"] and find_run(secret, "secret") == secret
    assert run_names(tmp_path / "nowhere") == []
    status = RunReader(runs / "linked curve").read()
    assert not status.points and status.fault == "linked curve: curve.jsonl is not what a training writes"
    assert RunReader(runs / "link").read().fault == "There is no training link here."


def test_a_pipe_in_place_of_a_file_stops_nobody(tmp_path: Path) -> None:
    reader = written(tmp_path / "a")
    (tmp_path / "a" / "curve.jsonl").unlink()
    os.mkfifo(tmp_path / "a" / "curve.jsonl")
    assert reader.read().fault == "a: curve.jsonl is not what a training writes"
    (tmp_path / "a" / "run.json").unlink()
    os.mkfifo(tmp_path / "a" / "run.json")
    assert reader.read().fault == "a: run.json is not what a training writes"
    assert run_names(tmp_path) == []


def test_the_interval_of_a_result_counts_pairs() -> None:
    """Twenty pairs that the deal decided: as many points as twenty single matches that were won and twenty lost."""
    pairs, single = Result.of_pairs([(1.0, -1.0)] * 20), Result.of(20, 0, 20)
    assert (pairs.wins, pairs.draws, pairs.losses) == (20, 0, 20) and pairs.score == single.score == 0.5
    assert single.low < pairs.low < 0.5 < pairs.high < single.high
    mixed = Result.of_pairs([(1.0, 1.0), (0.0, -1.0), (1.0, 0.0)])
    assert (mixed.wins, mixed.draws, mixed.losses) == (3, 2, 1)
    assert (mixed.low, mixed.high) == pytest.approx(score_interval((0, 1, 0, 1, 1)))
