"""`ludoteca.analyze`: improving decisions for a position."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoteca
from ludoteca.errors import BrokenAgent, InvalidAgent, InvalidPosition
from ludoteca.protocols import Limit

VIEW = ludoteca.game("horses:size=5").deal(3).view(0)


def test_the_last_opinion_is_what_the_agent_plays() -> None:
    opinions = list(ludoteca.analyze(VIEW, "minimax:depth=5"))
    played = ludoteca.agent("minimax:depth=5")(VIEW.game, 0, 0).act(VIEW, Limit())
    assert isinstance(played, ludoteca.Decision)
    assert (opinions[-1].action, opinions[-1].value) == (played.action, played.value)


def test_it_can_be_left_at_any_moment() -> None:
    opinions = ludoteca.analyze(ludoteca.game("horses").deal(3).view(0), "minimax:depth=64")
    next(opinions)
    opinions.close()  # type: ignore[attr-defined]
    assert list(opinions) == []


def test_a_limit_ends_it() -> None:
    view = ludoteca.game("horses").deal(3).view(0)
    *_, last = ludoteca.analyze(view, "minimax:depth=64", Limit(nodes=5000))
    assert last.nodes == 5000


def test_a_seat_that_is_not_on_turn_is_refused() -> None:
    with pytest.raises(InvalidPosition, match="seat 1 is not on turn"):
        ludoteca.analyze(ludoteca.game("hex").deal(1).view(1), "astar")


def test_an_agent_that_does_not_exist_or_does_not_play_the_game_is_named() -> None:
    with pytest.raises(InvalidAgent, match="no agent is called 'astra'"):
        list(ludoteca.analyze(VIEW, "astra"))
    with pytest.raises(InvalidAgent, match="astar does not play horses"):
        list(ludoteca.analyze(VIEW, "astar"))


def test_the_failure_of_an_agent_is_reported_as_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rough.py").write_text(
        "class Rough:\n"
        "    def __init__(self, game, seat, seed): pass\n"
        "    def act(self, view, limit): raise ValueError('no idea')\n"
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BrokenAgent, match=r"rough.Rough gave no opinion: (.|\n)*no idea"):
        list(ludoteca.analyze(VIEW, "rough.Rough"))
