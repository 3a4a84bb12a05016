from __future__ import annotations

import pytest

from tests.playthrough import GOLDEN, SPECS, golden_path, playthrough


@pytest.mark.parametrize("spec", SPECS)
def test_the_playthrough_is_as_it_was_written_down(spec: str) -> None:
    assert playthrough(spec) == golden_path(spec).read_text(encoding="utf-8")


def test_every_golden_file_is_played() -> None:
    assert {golden_path(spec) for spec in SPECS} == set(GOLDEN.iterdir())
