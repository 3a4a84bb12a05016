"""A timeout is measured when the answer arrives, and the machine's part of it separately."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import pytest

import ludoteca
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.connection import Connection
from ludoteca.players.processes.wire import Frame, Request
from ludoteca.protocols import Decision, Limit, View


class Clock:
    now = 100.0


class Pipe:
    """Answers at once, but is read so many seconds later, as on a busy machine."""

    received = 0

    def __init__(self, clock: Clock, held_up: float) -> None:
        self.clock, self.held_up, self.request = clock, held_up, 0

    def send(self, kind: bytes, request: int, payload: bytes = b"", timeout: float = 0.0) -> bool:
        self.request = request
        return True

    def receive(self, timeout: float) -> Frame:
        self.clock.now += self.held_up
        return Frame(wires.DECISION, self.request, b"3")


class Process:
    def __init__(self, clock: Clock, held_up: float) -> None:
        self.wire, self.closed = Pipe(clock, held_up), False

    def kill(self) -> None:
        self.closed = True

    close = kill


@pytest.mark.parametrize(("held_up", "late"), [(1.9, False), (2.25, True)])
def test_an_answer_that_is_read_too_late_is_put_down_to_the_machine(
    monkeypatch: pytest.MonkeyPatch, held_up: float, late: bool
) -> None:
    clock = Clock()
    monkeypatch.setattr("ludoteca.players.processes.connection.time.monotonic", lambda: clock.now)
    process: Any = Process(clock, held_up)
    connection = Connection(process)
    request = Request(Limit(2.0), 2.0, False, 0)
    if not late:
        assert connection.decide(request, b"", 9, thinker=False).action == 3
        return
    with pytest.raises(Fault, match="needed more than 2 seconds") as caught:
        connection.decide(request, b"", 9, thinker=False)
    assert caught.value.ending is Ending.timeout and process.closed
    assert math.isclose(caught.value.waited, 0.25)


@pytest.mark.parametrize(("keeps_time", "ending"), [(True, Ending.unfinished), (False, Ending.timeout)])
def test_work_after_the_answer_does_not_count_against_the_clock(keeps_time: bool, ending: Ending) -> None:
    class Player:
        def decide(self, view: View, limit: Limit, timeout: float) -> Decision:
            end = perf_counter() + timeout
            while perf_counter() <= end:
                pass
            return Decision(4)

    player: Any = Player()
    player.keeps_time = keeps_time
    match = Match(ludoteca.game("hex:size=3"), 1, limit=MatchLimit(0.01), margin=0.01)
    assert match.step({0: player}) is keeps_time
    assert match.ending is ending
    assert Child.keeps_time
