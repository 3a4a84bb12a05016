"""The arena's commands as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ludoteca
from ludoteca.adapters.formats import sgf
from tests.commands import run

MATCH = ["match", "hex:size=4", "random", "random", "-n", "6", "--workers", "1"]


def test_a_match_is_played_shown_replayed_and_exported(tmp_path: Path) -> None:
    output = run(*MATCH, "--limit", "10000ms, 600s/match").stdout
    assert "hex:size=4, 10s,600s/match each, an opening for every pair" in output
    assert re.search(r"^agent +wins +draws +losses +faults +score +Elo \(95%\) +LOS", output, re.MULTILINE)
    assert len(re.findall(r"^random +\d +0 +\d +0 +\d+\.\d% +.*\[", output, re.MULTILINE)) == 2
    assert "6 matches" in output and "Saved as run 1" in output
    assert re.search(r"^ +1 .* series +hex:size=4 +random, random +10s,600s/match +6", run("show").stdout, re.MULTILINE)
    assert output.split("Saved as run")[0] in run("show", "1").stdout

    exported = run("export", "last").stdout.splitlines()
    records = [ludoteca.Record.from_json(line) for line in exported]
    assert len(records) == 6
    run("export", "1", "--to", "sgf", "--out", str(tmp_path / "all.sgf"))
    read = sgf.read((tmp_path / "all.sgf").read_text(), "left-right")
    assert [record.actions for record in read] == [record.actions for record in records]

    replayed = run("replay", "1", "2", "--svg", str(tmp_path / "boards")).stdout
    assert "Red: random\nBlue: random\n" in replayed and "eat " not in replayed and "an opening" in replayed
    game = ludoteca.game("hex:size=4")
    for place, action in enumerate(records[2].actions, start=1):
        assert f"{place}. random plays {game.action_name(action)}\n" in replayed
    assert re.search(r"(Red|Blue) wins: random\.", replayed)
    assert len(list((tmp_path / "boards").glob("*.svg"))) == len(records[2].actions) + 1


def test_spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    output = run(*MATCH).stdout
    assert re.search("^agente +ganadas +tablas +perdidas", output, re.MULTILINE)
    assert "Guardado como serie 1" in output
    assert "juega" in run("replay", "1", "0").stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["match", "chess", "random", "random"], "no game is called 'chess'"),
        (["match", "hex", "random", "randon"], "no agent is called 'randon'"),
        (["match", "hex", "random", "random", "-n", "7"], "so take 6 or 8"),
        (["match", "hex", "random", "minimax"], "minimax does not play hex; the agents that do are"),
        (["match", "horses", "random", "minimax:depth=99"], "depth=99 must be a whole number from 0 to 64"),
        (["match", "hex", "random", "random", "--limit", "1"], "the limit '1' is not of the form"),
        (["match", "hex", "random", "random", "--sprt", "5"], "'5' is not of the form H0,H1"),
        (["match", "hex", "random", "random", "--store", "/proc/x/y"], "cannot be created"),
        (["tournament", "hex", "random"], "at least two agents, not 1"),
        (["tournament", "cup.toml"], "the tournament cup.toml cannot be read"),
        (["tournament", "cup.toml", "random"], "cup.toml names the agents already"),
        (["show", "7"], "has no run '7'"),
        (["show", "--store", "nowhere"], "there is no store of matches at nowhere"),
        (["replay", "last", "0"], "was started in this folder"),
        (["export", "next"], "'next' is not a run"),
    ],
)
def test_mistakes_are_one_line_and_status_2(arguments: list[str], complaint: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert complaint in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_what_sgf_cannot_say_is_refused() -> None:
    run("match", "horses:size=5", "random", "random", "-n", "2", "--workers", "1")
    done = run("export", "1", "--to", "sgf")
    assert done.returncode == 2
    assert "horses:size=5 cannot be written as SGF" in done.stderr
    (line, _) = run("export", "1").stdout.splitlines()
    assert json.loads(line)["game"] == "horses:size=5"


def test_faults_show_in_words_and_in_the_exit_status(faulty: Path) -> None:
    # large enough that no match ends before the third action, at which the agent raises
    done = run("match", "hex:size=7", "raises", "random", "-n", "2", "--workers", "1")
    assert done.returncode == 3, done.stderr
    assert "\nraises: 2 × error: " in done.stdout
    shown = run("show", "last")
    assert shown.returncode == 0 and "\nraises: 2 × error: " in shown.stdout


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_list_of_runs_breaks_no_names(width: int) -> None:
    agents = ("minimax:depth=1,mobility=0.25", "minimax:depth=2,mobility=0.75")
    run("match", "horses:size=5", *agents, "-n", "2", "--limit", "100n,60s/match", "--workers", "1")
    listed = run("show", columns=width).stdout
    assert all(agent in listed for agent in agents) and "horses:size=5" in listed
    assert max(map(len, listed.splitlines())) <= width


def test_nothing_played_yet() -> None:
    assert "No match was played yet" in run("show").stdout


def test_help_teaches() -> None:
    output = run("match", "--help").stdout
    for word in ("--sprt", "--limit", "2000n", "--ray", "--store", "--again", "the same command goes on"):
        assert word in " ".join(output.split())
    assert "knock-out" in run("tournament", "--help").stdout
