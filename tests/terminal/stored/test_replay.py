"""A match that was played twice says so wherever it is shown, and the first time can be seen too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ludoteca import games
from ludoteca.agents.identity import Identity
from ludoteca.catalogues import preferred_language
from ludoteca.cli import app
from ludoteca.course.tournament import Standing
from ludoteca.errors import InvalidOption, InvalidStore
from ludoteca.messages import translate
from ludoteca.play.match import Match
from ludoteca.play.record import Record, Who
from ludoteca.play.store import Store
from ludoteca.players.faults import Ending, Fault
from ludoteca.reports.fault_summary import replay_note
from ludoteca.web.pages.replay.page import ReplayedMatch
from ludoteca.web.server import serve
from tests.course.made import FIRST, course

TWICE = "This match was replayed. The first time, an agent ran out of time after 1 move"


@pytest.fixture
def twice() -> Record:
    first = Match(games.game("hex:size=3"), 1, [4], seats=(Who(Identity("ana")), Who(Identity("ben"))))
    first.end_by(1, Fault(Ending.timeout, "the agent needed more than 5.05 seconds"))
    second = Match(games.game("hex:size=3"), 1, [4, 0, 3, 1, 5], seats=(Who(Identity("ana")), Who(Identity("ben"))))
    return replace(second.record(), before=first.record())


def test_the_terminal_shows_both_tries(tmp_path: Path, twice: Record) -> None:
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


@pytest.mark.parametrize("language", ["en_GB.UTF-8", "es_ES.UTF-8"])
def test_every_command_says_of_a_damaged_store_what_to_do(
    tmp_path: Path, twice: Record, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", language)
    path = tmp_path / "my store"
    with Store(path) as store:
        run = store.run({"kind": "series", "agents": ["ana", "ben"]}, {}).id
        store.add(run, [(place, twice, twice.to_json()) for place in range(100)])
    whole = path.read_bytes()
    middle = len(whole) // 8192 * 4096
    path.write_bytes(whole[:middle] + bytes(4096) + whole[middle + 4096 :])
    folder = course(tmp_path / "c", ana=FIRST)
    Standing(tournament=run, store=str(path)).save(folder)
    number = str(run)
    for command in (["show"], ["show", number], ["replay", number, "0"], ["review", number, "0"], ["export", number]):
        refused = CliRunner().invoke(app, [*command, "--store", str(path)])
        assert isinstance(refused.exception, InvalidStore), command
        words = translate(refused.exception.message, preferred_language())
        assert words.startswith(f"{path} ") and words.endswith(f"ludoteca rescue '{path}' rescued.sqlite")
        assert ("está dañado" in words) == language.startswith("es") and "\n" not in words
    refused = CliRunner().invoke(app, ["course", "report", str(folder)])
    assert isinstance(refused.exception, InvalidStore) and not (folder / "site").exists()
    with pytest.raises(InvalidStore, match="is damaged"):
        serve(store=path)
    saved = CliRunner().invoke(app, ["rescue", str(path), str(tmp_path / "rescued")])
    assert saved.exit_code == 0 and str(tmp_path / "rescued") in saved.stdout


def test_two_versions_of_one_file_have_different_names(tmp_path: Path) -> None:
    old, new = Identity("/v1/ana/solution.py", "1" * 32), Identity("/v2/ana/solution.py", "2" * 32)
    record = Match(games.game("hex:size=3"), 1, [4, 0, 3, 1, 5], seats=(Who(old), Who(new))).record()
    with Store(tmp_path / "s") as store:
        store.add(store.run({"kind": "series"}, {}).id, [(0, record, record.to_json())])
    for command in (["replay"], ["review", "--agent", "random", "--limit", "1n"]):
        run = CliRunner().invoke(app, [*command, "last", "0", "--store", str(tmp_path / "s")])
        assert "ana/solution.py@11111111" in run.stdout and "ana/solution.py@22222222" in run.stdout, run.output


def test_the_page_shows_both_tries(twice: Record) -> None:
    found = ReplayedMatch.of_record(twice).twice
    assert found is not None and str(found).startswith(TWICE)
    assert "se repitió" in translate(found, "es")
    assert ReplayedMatch.of_record(replace(twice, before=None)).twice is None
    assert replay_note(replace(twice, before=None)) is None
