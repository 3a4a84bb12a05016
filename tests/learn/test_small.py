"""The small training of the page: real curves and networks, and the limits of its process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ludoteca import agents, games
from ludoteca.agents.digests import identity_of
from ludoteca.errors import InvalidOption
from ludoteca.protocols import Decision, Limit

KEY = "0123456789abcdef"


@pytest.mark.parametrize(
    ("game", "spec", "fewer"),
    [
        ("kittens", "kittens", {"matches": 40, "rows": 16, "width": 8, "start": 100,
                                "evaluate_every": 20, "evaluate": 10}),
        ("hex", "hex:size=5", {"positions": 200, "start": 50, "width": 4, "blocks": 1, "matches": 16,
                               "evaluate_every": 100, "evaluate": 4, "evaluate_nodes": 10}),
    ],
)  # fmt: skip
def test_it_learns_and_its_networks_play(
    game: str, spec: str, fewer: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="needs the extra learn")
    from ludoteca.learn import small
    from ludoteca.learn.run_folder import RunReader

    for name in ("die_with_parent", "give_way"):  # this process goes on after the test
        monkeypatch.setattr(small, name, lambda number: None)
    monkeypatch.setattr(small, "_limit", lambda seconds, memory: lambda: False)
    settings = small.KITTENS if game == "kittens" else small.HEX
    monkeypatch.setattr(small, game.upper(), settings | fewer)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "ludoteca" / "trained" / KEY
    assert small.main([game, str(folder), "60", "0", "0"]) == 0
    status = RunReader(folder).read()
    assert status.ended and not status.training_now
    measured = [point.at for point in status.points if point.results]
    assert measured[0] == 0 and len(measured) > 2
    assert sorted(int(each.stem) for each in folder.glob("*.onnx")) == measured
    networks = [f"trained:network={KEY}.{at}" for at in (0, measured[-1])]
    assert len({identity_of(each, game).digest for each in networks}) == 2
    rules = games.game(spec)
    state = rules.deal(1)
    assert state.turn is not None
    decision = agents.agent(networks[1])(rules, state.turn, 1).act(state.view(state.turn), Limit())
    assert isinstance(decision, Decision) and decision.action in state.legal()


def test_a_name_is_never_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "secret.onnx").touch()
    for name in ("", "../../secret", f"{KEY}.7", f"{KEY}/../../7", str(tmp_path / "secret.onnx")):
        with pytest.raises(InvalidOption, match="no network called"):
            agents.agent(f'trained:network="{name}"')(games.game("kittens"), 0, 0)


def test_its_process_cannot_take_more_than_it_may() -> None:
    script = (
        "from ludoteca.learn.small import _limit\n"
        "stop = _limit(0, 64 * 2**20)\n"
        "try:\n    bytearray(2**30)\nexcept MemoryError:\n    print('no memory')\n"
        "while not stop():\n    pass\n"
        "print('no time')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=100, check=True)
    assert done.stdout.split("\n")[:2] == ["no memory", "no time"]
