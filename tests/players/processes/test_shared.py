"""Our own agents in processes that many matches share."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

import ludoteca
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.players.inside import Inside
from ludoteca.players.pool import Pool
from ludoteca.players.processes.memory import resident
from ludoteca.players.processes.shared import Shared
from ludoteca.protocols import Decision, Limit
from tests.ending import has_ended

GAME = ludoteca.game("hex:size=5")
NODES = Limit(nodes=300)


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool(shared=True, slots=1) as pool:
        yield pool


def seated(pool: Pool, agent: str, seat: int = 0, game: ludoteca.Game = GAME) -> Shared:
    player = pool.player(game, agent)
    assert isinstance(player, Shared)
    player.prepare(seat, 11)
    return player


def inside(agent: str, seat: int = 0) -> Inside:
    player = Inside(GAME, ludoteca.agent(agent))
    player.prepare(seat, 11)
    return player


def workers(pool: Pool) -> list[int]:
    return [each.connection.process.pid for each in pool._shared_processes._idle]


def match_of(first: Shared | Inside, second: Shared | Inside) -> list[Decision | None]:
    match = Match(GAME, 3)
    players = {0: first, 1: second}
    while (seat := match.turn) is not None:
        match.answer(players[seat].decide(match.view(seat), NODES, 30), 0.0)
    return match.decisions


@pytest.mark.parametrize("agent", ["random", "astar:depth=2", "beam"])
def test_an_agent_plays_there_as_it_does_here(pool: Pool, agent: str) -> None:
    there, here = seated(pool, agent), inside(agent)
    assert match_of(there, seated(pool, "random", 1)) == match_of(here, inside("random", 1))
    there.close()


def test_an_agent_that_was_dropped_plays_as_if_nothing_had_happened() -> None:
    """Two agents take turns in a process that keeps only one of them, or is killed between their turns."""
    expected = match_of(inside("random"), inside("random", 1))
    with Pool(shared=True, slots=1) as pool:
        pool._shared_processes._max_agents = 1
        assert match_of(seated(pool, "random"), seated(pool, "random", 1)) == expected
        pool._shared_processes._max_agents = 0
        match = Match(GAME, 3)
        players = {0: seated(pool, "random"), 1: seated(pool, "random", 1)}
        while (seat := match.turn) is not None:
            match.answer(players[seat].decide(match.view(seat), NODES, 30), 0.0)
            if len(match.actions) % 5 == 0:
                (worker,) = workers(pool)
                os.kill(worker, signal.SIGKILL)
                assert has_ended(worker)
        assert match.decisions == expected


def test_a_worker_that_holds_too_much_is_replaced() -> None:
    with Pool(shared=True, slots=1) as pool:
        player = seated(pool, "astar:depth=1")
        view = GAME.deal(1).view(0)
        player.decide(view, NODES, 30)
        (before,) = workers(pool)
        player.decide(view, NODES, 30)
        assert workers(pool) == [before]
        pool._shared_processes._resident_limit = resident(before) // 2
        player.decide(view, NODES, 30)
        assert workers(pool) == []
        assert player.decide(view, NODES, 30).action in view.legal()


def test_no_more_decide_at_once_than_there_are_slots() -> None:
    with Pool(shared=True, slots=2) as pool:
        view = ludoteca.game("hex").deal(1).view(0)
        players = [seated(pool, "beam:width=28", game=ludoteca.game("hex")) for _ in range(4)]
        started = time.monotonic()
        threads = [
            threading.Thread(target=player.decide, args=(view, Limit(seconds=0.5), 20.0), daemon=True)
            for player in players
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert time.monotonic() - started >= 1.0
        assert len(workers(pool)) == 2


def test_an_agent_that_waits_or_thinks_is_stopped(pool: Pool) -> None:
    game = ludoteca.game("hex:size=19")
    view = game.deal(1).view(0)
    thinking, waiting = (seated(pool, "beam:width=28", game=game) for _ in range(2))  # for minutes
    results: dict[str, object] = {}
    first_thought = threading.Event()

    def decide(name: str, player: Shared) -> None:
        try:
            for thought in player.think(view, Limit(), 60):
                results[name] = thought
                first_thought.set()
        except Fault as fault:
            results[name] = fault

    threads = [threading.Thread(target=decide, args=given) for given in (("thinking", thinking), ("waiting", waiting))]
    threads[0].start()
    assert first_thought.wait(60.0)  # the first one has the only worker
    threads[1].start()
    while not pool._shared_processes._waiting:
        os.sched_yield()
    before = workers(pool)
    waiting.stop()
    threads[1].join(timeout=20)
    assert isinstance(results["waiting"], Fault)
    started = time.monotonic()
    thinking.stop()
    threads[0].join(timeout=20)
    assert time.monotonic() - started < 10
    assert isinstance(results["thinking"], Decision)
    assert before == []  # it was busy, and has not been killed:
    assert len(workers(pool)) == 1
    assert isinstance(waiting.decide(view, Limit(nodes=100), 20), Decision)


def test_a_closed_pool_ends_waiting_players() -> None:
    pool = Pool(shared=True, slots=1)
    player = seated(pool, "beam:width=28", game=ludoteca.game("hex"))
    view = ludoteca.game("hex").deal(1).view(0)
    threading.Timer(0.3, pool.close).start()
    with pytest.raises(Fault):
        player.decide(view, Limit(), 60)


def test_invalid_options_are_reported_at_once(pool: Pool) -> None:
    player = pool.player(GAME, "astar:depth=77")
    with pytest.raises(Fault, match="depth=77 must be a whole number"):
        player.prepare(0, 1)
    assert seated(pool, "random").decide(GAME.deal(1).view(0), NODES, 30).action >= 0
