"""Agents in a file of the caller, under a dotted name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ludoteca
from ludoteca import agents

pytestmark = pytest.mark.no_sanitize

PLAYER = '''
class Last:
    """Plays the last legal action."""

    games = frozenset({"hex"})

    def __init__(self, game, seat, seed, skip: int = 0):
        self.skip = skip

    def act(self, view, limit):
        return view.legal()[-1 - self.skip]
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "My_Player.py").write_text(PLAYER)
    (tmp_path / "broken_player.py").write_text("import nothing_of_this_name")
    return tmp_path


def test_a_class_in_the_current_folder_is_an_agent(folder: Path) -> None:
    game = ludoteca.game("hex:size=3")
    view = game.deal(1).view(0)
    assert ludoteca.agent("My_Player.Last")(game, 0, 1).act(view, ludoteca.Limit()) == 8
    assert ludoteca.agent("My_Player.Last: skip=2")(game, 0, 1).act(view, ludoteca.Limit()) == 6
    assert agents.canonical("My_Player.Last:skip=0") == "My_Player.Last"
    result = ludoteca.series("hex:size=3", "My_Player.Last", "random", 4, store=":memory:", workers=1)
    assert result.count == 4
    assert sum(tally.total for tally in result.faults) == 0


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("My_Player.First", "importing First from My_Player gave AttributeError"),
        ("my_missing.First", "ModuleNotFoundError: No module named 'my_missing'"),
        ("broken_player.First", "No module named 'nothing_of_this_name'"),
        ("My_Player.Last:depth=1", "has no option 'depth'; its options are skip"),
    ],
)
def test_what_is_wrong_is_explained(folder: Path, spec: str, complaint: str) -> None:
    with pytest.raises(ludoteca.LudotecaError) as caught:
        ludoteca.agent(spec)
    assert complaint in str(caught.value)
