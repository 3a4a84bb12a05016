"""A match that was played twice says so wherever it is shown, and the first time can be seen too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.cli import app
from ludoteca.errors import InvalidOption
from ludoteca.messages import translate
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending, Fault
from ludoteca.reports.fault_summary import replay_note
from ludoteca.web.pages.replay.page import ReplayedMatch

TWICE = "This match was replayed. The first time, an agent ran out of time after 1 move"


@pytest.fixture
def twice() -> Record:
    first = Match(games.game("hex:size=3"), 1, [4], seats=(Who(Identity("ana")), Who(Identity("ben"))))
    first.end_by(1, Fault(Ending.timeout, "the agent needed more than 5.05 seconds"))
    second = Match(games.game("hex:size=3"), 1, [4, 0, 3, 1, 5], seats=(Who(Identity("ana")), Who(Identity("ben"))))
    return replace(second.record(), before=first.record())


def test_the_terminal_tells_of_both_tries(tmp_path: Path, twice: Record) -> None:
    path = tmp_path / "store.db"
    once = replace(twice, before=None)
    with Store(path) as store:
        run = store.run({"kind": "series", "agents": ["ana", "ben"]}, {}).id
        store.add(run, [(0, twice, twice.to_json()), (1, once, once.to_json())])
    command = ["replay", str(run), "0", "--store", str(path)]
    shown = " ".join(CliRunner().invoke(app, command).stdout.split())
    assert TWICE in shown and "--first-try shows the first try." in shown and "5. ana plays" in shown
    assert TWICE not in CliRunner().invoke(app, ["replay", str(run), "1", "--store", str(path)]).stdout
    first = " ".join(CliRunner().invoke(app, [*command, "--first-try"]).stdout.split())
    assert TWICE not in first and "2. ben plays" not in first
    assert "ben loses (out of time): the agent needed more than 5.05 seconds" in first
    refused = CliRunner().invoke(app, ["replay", str(run), "1", "--first-try", "--store", str(path)])
    assert isinstance(refused.exception, InvalidOption)
    assert str(refused.exception) == f"match 1 of run {run} was not replayed"


def test_the_page_tells_of_both_tries(twice: Record) -> None:
    found = ReplayedMatch.of_record(twice).twice
    assert found is not None and str(found).startswith(TWICE)
    assert "se repitió" in translate(found, "es")
    assert ReplayedMatch.of_record(replace(twice, before=None)).twice is None
    assert replay_note(replace(twice, before=None)) is None
