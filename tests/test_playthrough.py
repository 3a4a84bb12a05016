from __future__ import annotations

import pytest

from tests.playthrough import GOLDEN, SCRIPTS, SPECS, golden_path, playthrough, scripted

WRITTEN = [(spec, script) for spec, scripts in SCRIPTS.items() for script in scripts]


@pytest.mark.parametrize("spec", SPECS)
def test_the_playthrough_is_as_it_was_written_down(spec: str) -> None:
    assert playthrough(spec) == golden_path(spec).read_text(encoding="utf-8")


@pytest.mark.parametrize(("spec", "script"), WRITTEN)
def test_the_script_is_as_it_was_written_down(spec: str, script: str) -> None:
    assert scripted(spec, script) == golden_path(spec, script).read_text(encoding="utf-8")


def test_every_golden_file_is_played() -> None:
    paths = {golden_path(spec) for spec in SPECS} | {golden_path(*written) for written in WRITTEN}
    assert paths == set(GOLDEN.iterdir())
