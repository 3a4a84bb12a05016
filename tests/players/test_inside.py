from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import ludoteca
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.inside import Inside
from ludoteca.protocols import Decision, Limit, View

GAME = ludoteca.game("hex:size=4")
VIEW = GAME.deal(1).view(0)


class Endless:
    """A Thinker without `act` that improves now and then and never ends."""

    closed = False

    def __init__(self, *_: object) -> None:
        self.asked: list[Limit] = []

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        self.asked.append(limit)
        decision, count = Decision(0), 0
        try:
            while True:
                time.sleep(0.001)
                count += 1
                if count % 10 == 0:
                    decision = Decision(count // 10)
                yield decision
        finally:
            self.closed = True


class Plain:
    def __init__(self, *_: object) -> None:
        self.asked: list[Limit] = []

    def act(self, view: View, limit: Limit) -> int:
        self.asked.append(limit)
        if limit.nodes == 13:
            raise MemoryError
        return 10 // len(self.asked) if limit.nodes != 14 else view.legal()[99]


class Silent(Endless):
    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        yield from ()


def seated(agent: Any) -> Inside:
    player = Inside(GAME, lambda game, seat, seed: agent)
    player.prepare(0, 1)
    return player


def test_a_thinker_is_closed_when_its_time_is_over_and_its_last_word_counts() -> None:
    agent = Endless()
    player = seated(agent)
    started = time.monotonic()
    assert player.decide(VIEW, Limit(seconds=0.1), 5).action > 0
    assert time.monotonic() - started < 10
    assert agent.closed


def test_without_a_limit_in_seconds_it_is_patience_that_ends() -> None:
    player = seated(Endless())
    started = time.monotonic()
    player.decide(VIEW, Limit(nodes=5), 0.1)
    assert time.monotonic() - started < 10


def test_a_thinker_is_stopped_from_another_thread() -> None:
    player = seated(Endless())
    threading.Timer(0.1, player.stop).start()
    started = time.monotonic()
    assert player.decide(VIEW, Limit(), 60).action > 0
    assert time.monotonic() - started < 10


def test_a_stream_shows_each_thought_once_and_is_left_at_any_moment() -> None:
    agent = Endless()
    player = seated(agent)
    seen = []
    for decision in player.think(VIEW, Limit(), 60):
        seen.append(decision.action)
        if len(seen) == 5:
            break
    assert seen == [0, 1, 2, 3, 4]
    assert agent.closed


def test_what_an_agent_does_wrong_is_its_fault() -> None:
    player = seated(Plain())
    for nodes, ending in [(13, Ending.memory), (14, Ending.error)]:
        with pytest.raises(Fault) as caught:
            player.decide(VIEW, Limit(nodes=nodes), 5)
        assert caught.value.ending is ending
    with pytest.raises(Fault, match="think ended without a decision") as caught:
        seated(Silent()).decide(VIEW, Limit(), 5)
    assert caught.value.ending is Ending.illegal


def test_what_it_has_seen_before_it_is_shown_with_next_to_no_time() -> None:
    agent = Plain()
    player = Inside(GAME, lambda game, seat, seed: agent)
    player.prepare(0, 1, seen=[VIEW, VIEW])
    assert agent.asked == [Limit(nodes=1)] * 2
    assert player.decide(VIEW, Limit(), 5).action == 3


def test_an_agent_object_can_be_a_player() -> None:
    assert Inside.around(Plain()).decide(VIEW, Limit(), 5).action == 10
