"""The options of ``ludoteca train``: typed, listed in full without PyTorch, and refused with a reason."""

from __future__ import annotations

import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ludoteca.learn.command import Place
from ludoteca.learn.dqn import arguments as dqn
from ludoteca.learn.mmd import arguments as mmd
from ludoteca.learn.run_folder import CHECKPOINT, RunWriter
from ludoteca.learn.zero import arguments as zero
from ludoteca.terminal.train import training
from ludoteca.terminal.training_options import arguments_of, limit_threads

SEED = ("observation", "seed", "original")


def said(*words: str) -> str:
    """What a person reads after such a command."""
    done = CliRunner().invoke(training, words)
    return f"{done.output} {done.exception or ''}"


def test_pytorch_gets_as_many_threads_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    limit_threads(4)
    assert os.environ["OMP_NUM_THREADS"] == "4"
    limit_threads(3)
    assert os.environ["OMP_NUM_THREADS"] == "4", "what is set already stays"


@pytest.mark.parametrize("module", [dqn, mmd, zero])
def test_help_lists_every_argument_with_its_type_default_and_bounds(module: Any) -> None:
    name = module.__name__.split(".")[-2]
    text = " ".join(said(name, "--help").split())
    for field in fields(module.Arguments):
        assert field.name == "game" or f"--{field.name.replace('_', '-')} <" in text, field.name
    assert "--rate <float range>" in text and "[0<=x<=1]" in text and "Evaluation and checkpoints:" in text
    assert "; quick: " in text and f"[default: runs/{name}]" in text
    for preset in module.PRESETS.values():
        preset.check()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("dqn hex", "ludoteca train zero hex"),
        ("dqn dominoes", "ludoteca train mmd dominoes"),
        ("zero kittens", "ludoteca train mmd kittens"),
        ("zero hexx", "no game is called 'hexx'"),
        ("zero hex:size=5 --curriculum 5x16:1", "both give a board size"),
        ("zero hex:size=99", "size=99 must be a whole number from 1 to 19"),
        ("dqn --against v3", "no agent is called 'v3'"),
        ("dqn --evaluate-against v1+v9", "no agent is called 'v9'"),
        ("dqn --rate fast", "Invalid value for '--rate'"),
        ("dqn --rate 7", "Invalid value for '--rate'"),
        ("zero --matches 0", "Invalid value for '--matches'"),
        ("dqn --seat 2", "Invalid value for '--seat'"),
        ("dqn --bach 64", "--batch"),
        ("dqn --batch", "--batch"),
        ("dqn kittens:place=any --observation seed", "observation=seed knows 9 actions"),
        ("dqn --preset orignal", "preset=orignal is none of default, quick, original; did you mean 'original'?"),
        ("mmd --width 30", "width=30 must be a multiple of 4"),
        ("mmd --device gpu", "device=gpu cannot be used here; choose cpu"),
        ("zero --resume --matches 3", "--resume keeps the arguments of the first run"),
        ("zero --resume --folder nowhere", "there is no checkpoint in nowhere"),
        ("zero --folder /dev/null", "/dev/null cannot hold a training"),
    ],
)
def test_what_cannot_be_trained_is_refused_with_a_reason(words: str, complaint: str) -> None:
    assert complaint in said(*words.split())


def test_a_folder_is_resumed_only_by_its_own_kind_of_training(tmp_path: Path) -> None:
    run = {"training": "dqn", "unit": "matches", "total": 1, "settings": {}}
    with RunWriter(tmp_path, run, [], resumed=False):
        (tmp_path / CHECKPOINT).write_text("damaged")
    assert "ludoteca train dqn --resume" in said("zero", "--resume", "--folder", str(tmp_path))
    assert "the checkpoint in" in said("dqn", "--resume", "--folder", str(tmp_path))
    assert "already holds a training" in said("dqn", "--folder", str(tmp_path))
    Place("dqn", tmp_path, resume=True).check()


@pytest.mark.parametrize(
    ("preset", "given", "expected"),
    [
        ("", {}, dqn.Arguments()),
        ("original", {}, dqn.Arguments.original()),
        ("", {"observation": "seed"}, dqn.Arguments.original()),
        ("original", {"batch": 7}, replace(dqn.Arguments.original(), batch=7)),
        ("default", {"observation": "seed"}, replace(dqn.Arguments(), observation="seed")),
    ],
)
def test_an_option_wins_over_the_preset(preset: str, given: dict[str, Any], expected: dqn.Arguments) -> None:
    assert arguments_of(dqn.PRESETS, preset, given, SEED) == expected


def test_the_size_of_the_game_is_the_curriculum() -> None:
    small = zero.Arguments(game="hex:size=5").resolved()
    assert (small.game, small.curriculum) == ("hex", "5x32:1") and small == small.resolved()
    assert zero.Arguments().resolved().curriculum == zero.USUAL_CURRICULUM
