"""What every agent of ours that thinks aloud promises: see `Thinker`."""

from __future__ import annotations

import dataclasses
import gc
import itertools
import time
from collections.abc import Iterator

import pytest

import ludoteca
from ludoteca.protocols import Decision, Limit, Thinker, View
from ludoteca.testing import random_actions
from tests.agents.threads import native_threads

GAMES = {
    "astar": "hex:size=6",
    "astar:depth=5": "hex:size=6",
    "beam": "hex:size=5",
    "engine": "hex:size=4",
    "engine:network=none": "hex:size=4",
    "engine:network=none,level=3": "hex:size=5",
    "mcts": "hex:size=3",
    "mcts:threads=2": "hex:size=3",
    "minimax": "horses",
    "minimax:depth=9": "horses:size=5",
    "tumbafichas": "dominoes",
    "tumbafichas:opponent=mean": "dominoes",
    "tumbafichas:variant=program": "dominoes",
}
ENDLESS = {
    "astar:depth=9": "hex",
    "beam:width=28": "hex",
    "engine:network=none": "hex",
    "engine:network=none,threads=2": "hex:size=13",
    "mcts:simulations=1000000000": "hex",
    "mcts:simulations=1000000000,threads=2": "kittens",
    "minimax:depth=64": "horses",
    "tumbafichas:depth=64,opponent=mean": "dominoes:pips=9",
    "tumbafichas:depth=64,variant=program": "dominoes:pips=9",
}


def views(spec: str, count: int = 8) -> Iterator[View]:
    """Some positions of a random match, each seen by the seat on turn."""
    game = ludoteca.game(spec)
    state = game.deal(2)
    for action in random_actions(game, 2)[:count]:
        assert state.turn is not None
        yield state.view(state.turn)
        state.apply(action)


def view_to_think_about(spec: str) -> View:
    """A position in which there is much to decide."""
    return [view for view in views(spec) if len(view.legal()) > 2][-1]


def thinker(agent: str, view: View) -> Thinker:
    made = ludoteca.agent(agent)(view.game, view.seat, 1)
    assert isinstance(made, Thinker)
    return made


@pytest.mark.parametrize(("agent", "game"), GAMES.items())
@pytest.mark.parametrize("nodes", [1, 30, 500, 5000, 10**6])
def test_act_is_the_last_task(agent: str, game: str, nodes: int) -> None:
    for view in views(game):
        *_, last = thinker(agent, view).think(view, Limit(nodes=nodes))
        assert last == thinker(agent, view).act(view, Limit(nodes=nodes))


@pytest.mark.parametrize(("agent", "game"), GAMES.items())
def test_without_a_limit_act_may_only_take_a_shorter_way(agent: str, game: str) -> None:
    for view in views(game):
        *_, last = thinker(agent, view).think(view, Limit())
        at_once = thinker(agent, view).act(view, Limit())
        assert isinstance(at_once, Decision)
        assert dataclasses.replace(last, nodes=0, depth=0) == dataclasses.replace(at_once, nodes=0, depth=0)


@pytest.mark.parametrize(("agent", "game"), ENDLESS.items())
def test_thoughts_get_deeper_and_come_when_there_is_nothing_new(agent: str, game: str) -> None:
    view = view_to_think_about(game)
    thoughts = thinker(agent, view).think(view, Limit())
    found = list(itertools.islice(thoughts, 100))
    thoughts.close()  # type: ignore[attr-defined]
    assert all(decision.action in view.legal() for decision in found)
    assert all(earlier.depth <= later.depth for earlier, later in itertools.pairwise(found))
    assert all(earlier.nodes <= later.nodes for earlier, later in itertools.pairwise(found))
    assert found[-1].depth > 0
    assert any(earlier is later for earlier, later in itertools.pairwise(found))  # nothing new: the same again


@pytest.mark.parametrize(
    ("agent", "game", "how"),
    [
        *((agent, game, "close") for agent, game in ENDLESS.items()),
        ("astar:depth=9", "hex", "drop"),
        ("astar:depth=9", "hex", "raise"),
    ],
)
def test_who_closes_it_stops_it(agent: str, game: str, how: str) -> None:
    view = view_to_think_about(game)
    first = thinker(agent, view).think(view, Limit())
    next(first)
    first.close()  # type: ignore[attr-defined]
    before = native_threads()  # those that NumPy and the like start with their first work included
    thoughts = thinker(agent, view).think(view, Limit())
    next(thoughts)
    next(thoughts)
    assert native_threads() > before
    if how == "close":
        thoughts.close()  # type: ignore[attr-defined]
    elif how == "raise":
        with pytest.raises(KeyError):
            thoughts.throw(KeyError)  # type: ignore[attr-defined]
    del thoughts
    gc.collect()
    assert native_threads() <= before


@pytest.mark.parametrize(("agent", "game"), ENDLESS.items())
def test_a_thinker_keeps_its_time(agent: str, game: str) -> None:
    view = view_to_think_about(game)
    for seconds in (0.0, 0.02, 0.1):
        begun = time.monotonic()
        *_, last = thinker(agent, view).think(view, Limit(seconds=seconds))
        assert time.monotonic() - begun < seconds + 10  # or never; bench.speed.limits measures it on a quiet machine
        assert last.action in view.legal()


@pytest.mark.parametrize(
    ("agent", "game"), [*ENDLESS.items(), ("astar:depth=9", "hex:size=19"), ("beam:width=28", "hex:size=19")]
)
def test_a_few_thousand_nodes_are_always_enough_to_search(agent: str, game: str) -> None:
    """However deep or wide it would like to look. They are what it sees in a twentieth of a second."""
    view = view_to_think_about(game)
    decision = thinker(agent, view).act(view, Limit(nodes=20_000))
    assert isinstance(decision, Decision)
    assert decision.depth >= 3
    assert decision.scores[decision.action] == max(decision.scores.values())
    assert not decision.note.startswith("no time")


def test_what_needs_no_search_is_thought_once() -> None:
    game = ludoteca.game("dominoes")
    view = game.deal(25).view(0)
    assert len(view.legal()) == 1
    agent = thinker("tumbafichas", view)
    assert [agent.act(view, Limit())] == list(agent.think(view, Limit()))


def test_nothing_runs_before_it_is_asked() -> None:
    before = native_threads()
    view = view_to_think_about("hex")
    thoughts = thinker("astar:depth=9", view).think(view, Limit())
    assert native_threads() == before
    thoughts.close()  # type: ignore[attr-defined]
    assert list(thoughts) == []
