"""Whatever is handed in, answered or written into a course's file ends in a sentence, never in a traceback.

``make fuzz`` tries thousands of each (``make fuzz CASES=20000 SEED=7``); the usual tests try a few, always the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import Identity
from ludoteca.arena.api import WorkerSettings
from ludoteca.course.check.packages import missing_packages
from ludoteca.course.formula import NAMES
from ludoteca.course.settings import read
from ludoteca.course.site.build import write
from ludoteca.course.tournament import Course, Entrant, Standing, run
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.messages import from_json, to_json, translate
from ludoteca.play.record import Record, Who
from ludoteca.play.store import Store
from ludoteca.players.admission import Admission
from ludoteca.players.decisions import decode, encode
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes.wire import MAX_PAYLOAD, Malformed, Wire
from tests.course.made import FIRST, TOML, course
from tests.fuzz.course_files import course_file
from tests.fuzz.folders import SECRET, fill
from tests.fuzz.replies import frames, reply

CASES = int(os.environ.get("LUDOTECA_FUZZ", "0"))
"""How many of each; 0 in the usual tests."""
SEED = int(os.environ.get("LUDOTECA_FUZZ_SEED", "0"))


def cases(few: int, share: float = 1.0) -> Iterator[Random]:
    """A generator for each case; `few` cases in the usual tests. The seed of one that fails is in the test's output."""
    for number in range(int(CASES * share) if CASES else few):
        print("seed", SEED + number)
        yield Random(SEED + number)


def shown(text: str) -> None:
    """A person can read it: in any language, in a file and in a terminal."""
    for language in ("en", "es"):
        words = translate(text, language)
        assert words.encode() is not None
        assert json.loads(json.dumps(to_json(text), ensure_ascii=False).encode()) == to_json(text)


def test_folders_of_submissions() -> None:
    for chance in cases(25):
        with tempfile.TemporaryDirectory() as place:
            folder = course(Path(place, "c"), honest=FIRST)
            fill(folder, chance)
            handed_in = Course.of(folder).submissions()
            names = [each.name for each in handed_in]
            assert len(set(names)) == len(names) and "honest" in names
            entrants = []
            for each in handed_in:
                assert 0 < len(each.name) < 70 and each.name.encode().decode().splitlines() == [each.name]
                shown(each.problem or "")
                assert each.problem or each.submission
                identity = None
                if each.submission is not None and not each.problem:
                    try:
                        identity = identity_of(each.submission.spec, "hex")
                    except (InvalidAgent, InvalidOption) as error:
                        shown(error.message)
                entrants.append(Entrant(each.name, identity, each.digest, each.problem or ""))
                assert not (each.name == "honest" and each.problem)
            Standing(entrants).save(folder)
            assert Standing.load(folder).entrants == entrants
            for path in (folder / ".ludoteca" / "handed-in").rglob("*"):
                assert not path.is_symlink() and (path.is_dir() or path.is_file())
                assert path.is_dir() or path.stat().st_size > 1 << 20 or SECRET.encode() not in path.read_bytes()
            for path in folder.rglob("*"):
                if not path.is_symlink():
                    path.chmod(0o700)


def test_whole_courses() -> None:
    """Every submission that can play does, and the site is written, whatever the others are. Only in ``make fuzz``."""
    for chance in cases(0, 0.01):
        with tempfile.TemporaryDirectory() as place:
            folder = course(Path(place, "c"), TOML, honest=FIRST, other=FIRST.replace("[0]", "[-1]"))
            fill(folder, chance)
            result = run(Course.of(folder), Path(place, "s"), WorkerSettings(1, False, Admission(untrusted=True)))
            assert result.complete
            for language in ("en", "es"):
                write(Course.of(folder), Path(place, language), language)
            grades = Path(place, "en", "grades.csv").read_text("utf-8-sig")
            assert "honest" in grades and SECRET not in grades
            shutil.rmtree(folder, ignore_errors=True)


def test_replies() -> None:
    who = Who(Identity("mine.Player", "1" * 32), 1)
    with Store(":memory:") as store:
        number = store.run({"kind": "series"}, {}).id
        for place, chance in enumerate(cases(500)):
            data = reply(chance)
            try:
                decision = decode(data, 49)
                assert decode(encode(decision), 49) == decision
                record = Record("hex:size=7", 1, (who, who), (0,), (0,), decisions=(replace(decision, action=0),))
            except Fault as fault:
                shown(fault.message)
                record = Record("hex:size=7", 1, (who, who), ending=fault.ending, fault=0, message=fault.message)
            except ValueError:
                record = Record("hex:size=7", 1, (who, who))
            try:
                message = from_json(json.loads(data)["message"])
                shown(message)
                record = replace(record, ending=Ending.error, fault=0, message=Fault(Ending.error, message).message)
            except (ValueError, KeyError, TypeError, RecursionError):
                pass
            store.add(number, [(place, record, record.to_json())])
            assert store.record(number, place) == Record.from_json(record.to_json())


def test_frames() -> None:
    for chance in cases(100):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.setblocking(False)
            try:
                theirs.sendall(frames(chance))
            except BlockingIOError:
                continue  # more than a pipe holds at once
            theirs.shutdown(socket.SHUT_WR)
            wire = Wire(ours.fileno(), max_payload=MAX_PAYLOAD)
            with contextlib.suppress(EOFError, Malformed):
                while frame := wire.receive(0):
                    assert len(frame.payload) <= MAX_PAYLOAD
                pytest.fail("a closed wire goes on")


def test_course_files(tmp_path: Path) -> None:
    path = tmp_path / "course.toml"
    (tmp_path / "a").mkdir()
    for chance in cases(200):
        path.write_bytes(course_file(chance))
        try:
            settings = read(path)
        except InvalidOption as error:
            shown(error.message)
            continue
        missing_packages(settings.packages)
        assert settings.check and settings.folder.is_dir() and settings.title.encode() is not None
        for _ in range(3):
            known = {name: chance.choice([0.0, 1.0, 0.5, float("nan"), 40.0]) for name in NAMES}
            grade = settings.formula.value(known)
            assert grade != grade or abs(grade) < float("inf")
