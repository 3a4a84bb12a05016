"""In a narrow terminal, and piped, tables are laid out otherwise, and nothing of them is missing or cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import run

RULES = str.maketrans("", "", "─")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a tournament of long names, and a training."""
    made = tmp_path_factory.mktemp("narrow")
    agents = ("minimax:depth=1,mobility=0.25", "minimax:depth=2,mobility=0.75", "random")
    played = run("tournament", "horses:size=5", *agents, "--limit", "50n", "--workers", "1", "--seed", "1", "--store",
                 str(made / "s"))  # fmt: skip
    assert played.returncode == 0, played.stderr
    described = {"training": "zero", "command": "train zero hex", "started": "2026-01-01", "versions": {},
                 "settings": {"game": "hex"}, "unit": "positions", "total": 100}  # fmt: skip
    for name in ("a-training-with-a-long-name", "another-training-with-a-long-name"):
        (made / name).mkdir()
        (made / name / "run.json").write_text(json.dumps(described))
    return made


@pytest.mark.parametrize(
    "command",
    [
        "show --store {}/s",
        "show 1 --store {}/s",
        "review 1 0 --agent minimax:depth=2 --limit 99n --store {}/s",
        "train compare {}/a-training-with-a-long-name {}/another-training-with-a-long-name",
        "games kittens",
        "agents hex",
        "doctor",
    ],
)
def test_every_word_of_a_wide_table_is_in_a_narrow_one(command: str, folder: Path) -> None:
    words = command.replace("{}", str(folder)).split()
    wide = run(*words, columns=400).stdout.translate(RULES).split()
    assert len(wide) > 10
    for columns in (40, 80):
        shown = run(*words, columns=columns).stdout
        assert max(map(len, shown.splitlines())) <= columns
        joined = "".join(shown.translate(RULES).split())  # only what is longer than a line is broken
        assert [word for word in wide if word not in joined] == [], columns
