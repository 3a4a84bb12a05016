"""Faults are results: an agent for each, and after each the referee still plays correct matches."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.agents.identity import Identity
from ludoteca.agents.registry import agent_class
from ludoteca.arena.plan import Fixture
from ludoteca.arena.referee import Referee, _counted, _Played
from ludoteca.errors import ForkServerKilled
from ludoteca.play.conditions import Conditions
from ludoteca.play.match import Match, play_out
from ludoteca.play.record import Record, Who
from ludoteca.players.admission import Admission
from ludoteca.players.faults import Ending
from tests.arena.made import identities
from tests.ending import has_ended
from tests.players.faulty_agents import BEGUN

GAME = "hex:size=4"

FAULTS = [
    ("illegal", Ending.illegal, "'a1' (action 0) is not legal for seat 1 of hex:size=4; legal: "),
    ("outside", Ending.illegal, "action 1000000000000000000000000000000 does not exist in hex:size=4"),
    ("negative", Ending.illegal, "action -1 does not exist"),
    ("nothing", Ending.illegal, "act returned None of type NoneType, which is no action"),
    ("text", Ending.illegal, "act returned 'a1' of type str"),
    ("truth", Ending.illegal, "act returned True of type bool"),
    ("fraction", Ending.illegal, "act returned 1.0 of type float"),
    ("odd", Ending.illegal, "a Decision whose action is Decimal('1') of type Decimal"),
    ("raises", Ending.error, "faulty_agents.py, line"),
    ("raises", Ending.error, "ZeroDivisionError: division by chance"),
    ("exits", Ending.error, "SystemExit: 3"),
    ("not-built", Ending.error, "ValueError: cannot be built"),
    ("leaves", Ending.crash, "exited with status 3"),
    ("segfault", Ending.crash, "died by SIGSEGV"),
    ("aborts", Ending.crash, "died by SIGABRT"),
    ("killed", Ending.crash, "died by SIGKILL"),
    ("babbles", Ending.crash, "broke the protocol"),
    ("loops", Ending.timeout, "needed more than 0.55 seconds"),
    ("loops-inside", Ending.timeout, "needed more than 0.55 seconds"),
    ("stubborn", Ending.timeout, "needed more than 0.55 seconds"),
    ("never-built", Ending.timeout, "needed more than 1 seconds to be built"),
    ("eats", Ending.memory, "ran out of memory"),
    ("eats-inside", Ending.memory, "ran out of memory"),
]


@pytest.fixture(scope="module")
def referee(faulty: object) -> Iterator[Referee]:
    """One referee for the faults of this file, one after another; it waits long enough on a busy machine too."""
    with Referee(Conditions.of(GAME, "30s", memory=64)) as referee:
        yield referee


@pytest.fixture
def hasty(faulty: object) -> Iterator[Referee]:
    """One referee for the agents that would take all the time there is."""
    with Referee(Conditions.of(GAME, "0.5s", memory=64), build_timeout=1.0) as referee:
        yield referee


def fixture(agents: tuple[str, str], seed: int) -> Fixture:
    return Fixture(seed, identities(agents), seed, (seed + 1000, seed + 2000))


def sound(record: Record) -> bool:
    """Whether a match ended by the rules, with what a replay of its actions gives."""
    match = Match(ludoteca.game(record.game), record.seed, record.actions)
    return record.ending is Ending.finished and match.turn is None and record.returns == match.returns()


@pytest.mark.parametrize(("agent", "ending", "message"), FAULTS)
def test_a_fault_costs_the_match_and_nothing_else(
    request: pytest.FixtureRequest, agent: str, ending: Ending, message: str
) -> None:
    referee: Referee = request.getfixturevalue("hasty" if ending is Ending.timeout else "referee")
    record = referee.play(fixture(("good", agent), 5))
    assert (record.ending, record.fault) == (ending, 1)
    assert message in record.message
    assert record.returns == (1.0, -1.0)
    assert len(record.actions) == len(record.seconds) == (0 if "built" in agent else 5)
    assert sound(referee.play(fixture(("random", "good"), 6)))
    again = referee.play(fixture((agent, "random"), 5))
    assert (again.ending, again.fault) == (ending, 0)


def alike(one: Record, other: Record) -> bool:
    """Whether two records tell of the same play and thought."""
    return one.without_clock() == other.without_clock()


@pytest.mark.parametrize("waited", [0.0, 0.2])
def test_a_time_out_that_the_machine_may_have_caused_is_played_again_once(waited: float) -> None:
    seats = (Who(Identity("a")), Who(Identity("b")))
    late = Record(GAME, 1, seats, ending=Ending.timeout, fault=0, returns=(-1.0, 1.0))
    tries = [_Played(late, waited), _Played(replace(late, seed=2), 9.0), _Played(late, 0.0)]
    record = _counted(lambda: tries.pop(0), margin=0.1)
    assert record == (replace(late, seed=2, before=late) if waited else late)
    assert len(tries) == (1 if waited else 2), "never a third time"


HONEST = Path(__file__).parents[1] / "players" / "sandbox" / "hostile" / "honest.py"


def test_a_match_whose_fork_server_is_killed_from_outside_is_played_again(faulty: object) -> None:
    """By the opponent, which the operator trusts: it plays in the referee's process and does what the test says."""
    left = [0]

    def kill() -> None:
        if left[0] and len(playing.match.actions if playing.match else ()) > 2:
            left[0] -= 1
            for server in playing._pool._servers.values():
                server._process.kill()
                server._process.wait()

    visitor: Any = agent_class("visitor")
    visitor.on_turn = kill
    conditions = Conditions.of("hex:size=3,orientation=left-right", "30s")
    with Referee(conditions, Admission(trusted=("visitor",)), max_kills=4) as playing:
        undisturbed = playing.play(fixture((str(HONEST), "visitor"), 5))
        if playing._pool.warning:
            pytest.skip(playing._pool.warning)
        left[0] = 1
        again = playing.play(fixture((str(HONEST), "visitor"), 5))
        assert left == [0] and again.ending is Ending.finished
        assert alike(again, undisturbed) and again.before is None
        left[0] = 9  # an agent that is not in a sandbox could kill it itself, and must not gain a match by that
        charged = playing.play(fixture(("good", "visitor"), 5))
        assert (left, charged.ending, charged.fault) == ([6], Ending.crash, 0)
        with pytest.raises(ForkServerKilled):
            playing.play(fixture((str(HONEST), "visitor"), 5))
        assert left == [1]


def test_a_second_try_is_recorded_with_the_first_and_so_is_what_a_process_used(faulty: object) -> None:
    """Without a margin, any moment in which the machine did something else is enough for a second try."""
    with Referee(Conditions.of(GAME, "0.5s", memory=64, margin=0.0)) as referee:
        record = referee.play(fixture(("good", "loops"), 5))
        fair = referee.play(fixture(("good", "random"), 6))
    assert record.before is not None and record.before.ending is record.ending is Ending.timeout
    assert record.before.before is None
    own, ours = fair.usage
    assert own is not None and own.cpu_seconds > 0 and own.wait_seconds >= 0
    assert ours is None, "ours plays inside and has no process"


def test_whatever_an_agent_prints_or_leaves_around_its_answers_are_understood(referee: Referee) -> None:
    record = referee.play(fixture(("good", "good"), 1))
    assert sound(record)
    said = [record.decision(ply) for ply in range(len(record.actions))]
    assert [each and each.value for each in said] == [None] * 4 + [0.25] * (len(said) - 4)
    assert [each and each.nodes for each in said] == [0] * 4 + [7] * (len(said) - 4)
    assert said[-1] is not None and said[-1].note == "all is well"


def test_agents_play_the_same_in_a_process_of_their_own_as_here(faulty: object) -> None:
    for game in ("hex:size=5,swap=true", "horses:size=5", "dominoes", "kittens"):
        with (
            Referee(Conditions.of(game, "200n")) as here,
            Referee(Conditions.of(game, "200n"), Admission(isolated=True)) as there,
        ):
            for seed in range(3):
                match = fixture(("random", "random"), seed)
                assert alike(here.play(match), there.play(match))


def test_a_match_is_what_play_out_plays(faulty: object) -> None:
    with Referee(Conditions.of("hex:size=6", "")) as referee:
        record = referee.play(fixture(("random", "random"), 9))
    game = ludoteca.game("hex:size=6")
    match = Match(game, 9)
    agents = {seat: ludoteca.agent("random")(game, seat, 9 + 1000 * (seat + 1)) for seat in (0, 1)}
    list(play_out(match, agents, ludoteca.Limit()))
    assert record.actions == tuple(match.actions)


def test_the_match_before_leaves_no_trace(referee: Referee) -> None:
    match = fixture(("searcher", "searcher"), 3)
    first = referee.play(match)
    referee.play(fixture(("searcher", "searcher"), 4))
    assert alike(referee.play(match), first)


def test_the_clock_of_a_whole_match_runs_out(faulty: object) -> None:
    with Referee(Conditions.of(GAME, "0.2s/match")) as referee:
        record = referee.play(fixture(("random", "slow"), 2))
    assert (record.ending, record.fault) == (Ending.timeout, 1)
    assert 1 <= sum(seconds > 0.04 for seconds in record.seconds) <= 5


def test_nodes_are_counted_over_the_match(faulty: object) -> None:
    """The stand-in uses all it may: 40, 40, then the 20 that are left, then the one that is always granted."""
    with Referee(Conditions.of(GAME, "40n,100n/match")) as referee:
        record = referee.play(fixture(("searcher", "random"), 2))
    assert [decision.nodes for decision in record.decisions[0::2][:4] if decision] == [40, 40, 20, 1]


def test_agents_die_with_the_arena(faulty: object, tmp_path: Path) -> None:
    """Even one that is inside native code when its arena is killed."""
    program = """
from ludoteca.arena.plan import Fixture
from ludoteca.arena.referee import Referee
from ludoteca.play.conditions import Conditions
Referee(Conditions.of("hex:size=4", "60s")).play(Fixture(0, ("loops-inside", "random"), 1, (2, 3)))
"""
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    with subprocess.Popen([sys.executable, "-c", program], env=os.environ | {BEGUN: str(begun)}) as arena:
        pid = int(begun.read_text())
        arena.kill()
    assert has_ended(pid)
