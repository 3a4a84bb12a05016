from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca import agents
from ludoteca.players.admission import Admission
from ludoteca.players.inside import Inside
from ludoteca.players.pool import Pool
from ludoteca.players.processes import fork_client as forks
from ludoteca.players.processes import memory
from ludoteca.players.processes.child import Child
from ludoteca.players.processes.shared import Shared
from ludoteca.players.processes.wire import MAX_PAYLOAD, Frame, Malformed, Wire
from ludoteca.protocols import Limit

GAME = ludoteca.game("hex:size=4")
VIEW = GAME.deal(1).view(0)


@pytest.mark.parametrize(
    ("options", "kind"), [({}, Inside), ({"shared": True}, Shared), ({"admission": Admission(isolated=True)}, Child)]
)
def test_our_own_agents_run_where_the_pool_says(options: dict[str, Any], kind: type, adversaries: Path) -> None:
    with Pool(**options, slots=1) as pool:
        player = pool.player(GAME, "random")
        assert isinstance(player, kind)
        player.prepare(0, 5)
        assert player.decide(VIEW, Limit(), 5) == _here(5)
        player.prepare(0, 6)
        assert player.decide(VIEW, Limit(), 5) == _here(6)
        stranger = pool.player(GAME, "remembers")
        assert isinstance(stranger, Child)
        stranger.close()


COUNTING = """
import sys
loaded = 0

class Counting:
    def __init__(self, game, seat, seed):
        global loaded
        loaded, sys.built = loaded + 1, getattr(sys, "built", 0) + 1
        self.answer = 4 * loaded + 2 * (sys.built > 1) + (seed == 6)

    def act(self, view, limit):
        return self.answer
"""


def test_a_file_is_built_again_in_its_process_with_another_seed(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text(COUNTING)
    with Pool() as pool, pool.seated(GAME, f"{file}:Counting", 0, 5) as player:
        assert isinstance(player, Child)
        first = player.decide(VIEW, Limit(), 5).action
        process = player._process.pid
        player.prepare(0, 6)
        second = player.decide(VIEW, Limit(), 5).action
        assert player._process.pid == process
    assert (first, second) == (4, 4 + 2 + 1), "the file is loaded afresh, the process is the same, the seed another"


def _here(seed: int) -> ludoteca.Decision:
    player = Inside(GAME, ludoteca.agent("random"))
    player.prepare(0, seed)
    return player.decide(VIEW, Limit(), 5)


def test_trust_is_by_exact_name_or_by_what_is_written(adversaries: Path) -> None:
    with Pool(Admission(trusted=("remembers",))) as pool:
        assert isinstance(pool.player(GAME, "remembers"), Inside)
        for other in ("sleeps", "tests.players.adversaries.Remembers"):
            player = pool.player(GAME, other)
            assert isinstance(player, Child)
            player.close()


def test_another_package_cannot_take_the_name_of_our_agent(tmp_path: Path) -> None:
    """Another package that calls an agent `random`, or itself ludoteca, is neither preferred nor ours."""
    site = tmp_path / "site"
    for name, points in [("other", "random = evil:Evil\nastar = evil:Evil"), ("ludoteca", "sneaky = evil:Evil")]:
        information = site / f"{name}-9.dist-info"
        information.mkdir(parents=True)
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9\n")
        (information / "entry_points.txt").write_text(f"[ludoteca.agents]\n{points}\n")
    (site / "evil.py").write_text("raise SystemExit('loaded')")
    program = f"""
import sys
sys.path.append({str(site)!r})
from ludoteca import agents
print(agents.is_ours("random"), agents.is_ours("astar"), agents.agent_class("random").__module__)
print("sneaky" in agents.names() and agents.is_ours("sneaky"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["True True ludoteca.agents.random_agent", "False"], done.stderr


def test_nothing_dotted_is_ours() -> None:
    assert agents.is_ours("random") and agents.is_ours("astar:depth=2")
    assert not agents.is_ours("ludoteca.agents.random_agent.Random")
    assert not agents.is_ours("docs/examples/Ana_Perez_Gomez")


def test_players_are_made_and_closed_by_many_threads_at_once(adversaries: Path) -> None:
    failures: list[BaseException] = []
    with Pool() as pool:

        def play() -> None:
            try:
                for seed in range(3):
                    player = pool.player(GAME, "remembers")
                    player.prepare(0, seed)
                    assert player.decide(VIEW, Limit(), 20).note == ""
                    player.close()
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=play) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures


def test_what_agents_print_is_lost_or_let_through(adversaries: Path, tmp_path: Path) -> None:
    (tmp_path / "talker.py").write_text(
        "class T:\n    def __init__(self, *a): pass\n    def act(self, view, limit):\n"
        "        print('I think')\n        return 0\n"
    )
    program = """
import sys, ludoteca
from ludoteca.players.pool import Pool
game = ludoteca.game("hex:size=4")
with Pool(prints=1 if sys.argv[1] == "yes" else None) as pool:
    player = pool.player(game, "talker.T")
    player.prepare(0, 1)
    player.decide(game.deal(1).view(0), ludoteca.Limit(), 9)
"""
    for prints, found in (("yes", "I think\n"), ("no", "")):
        done = subprocess.run(
            [sys.executable, "-c", program, prints], capture_output=True, text=True, check=True, cwd=tmp_path
        )
        assert done.stdout == found


def test_processes_have_the_niceness_of_the_pool(adversaries: Path) -> None:
    with Pool(nice=7) as pool:
        player = pool.player(GAME, "remembers")
        assert isinstance(player, Child)
        player.prepare(0, 1)
        mine = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, player._process.pid) == min(19, mine + 7)


@pytest.mark.skipif(not os.path.exists("/proc/self/autogroup"), reason="this system does not weigh sessions")
def test_players_that_let_others_go_first_do_so_against_other_sessions_too(adversaries: Path) -> None:
    with Pool(nice=7) as pool:
        player = pool.player(GAME, "remembers")
        assert isinstance(player, Child)
        player.prepare(0, 1)
        session = Path(f"/proc/{player._process.pid}/autogroup").read_text(encoding="ascii")
        assert session.endswith(f"nice {min(19, os.getpriority(os.PRIO_PROCESS, 0) + 7)}\n")


def test_where_memory_cannot_be_limited_the_pool_says_so(adversaries: Path) -> None:
    class Elsewhere(forks.ForkServer):
        limits_memory = False

        def __setattr__(self, name: str, value: object) -> None:
            if name != "limits_memory":
                super().__setattr__(name, value)

    with Pool(fork_server=Elsewhere) as pool:
        with pytest.warns(RuntimeWarning, match="does not report the memory"):
            pool.player(GAME, "remembers").close()
        assert "memory" in pool.warning
        pool.player(GAME, "remembers").close()  # it is said once


def test_a_system_that_reports_no_memory_is_known() -> None:
    assert memory.can_limit_memory() == os.path.exists("/proc/self/statm")
    assert not memory.can_limit_memory("no process")


@pytest.fixture
def ends() -> Iterator[tuple[Wire, socket.socket]]:
    here, there = socket.socketpair()
    here.setblocking(False)
    with here, there:
        yield Wire(here.fileno(), MAX_PAYLOAD), there


def test_frames_are_put_together_from_pieces(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    sender = Wire(other.fileno())
    assert wire.receive(0) is None
    large = os.urandom(150_000)
    thread = threading.Thread(target=lambda: [sender.send(b"A", n, d) for n, d in ((1, b""), (2, large), (3, b"xyz"))])
    thread.start()
    assert [wire.receive(5) for _ in range(3)] == [
        Frame(b"A", 1, b""), Frame(b"A", 2, large), Frame(b"A", 3, b"xyz")
    ]  # fmt: skip
    thread.join()
    other.send(b"A\1\0")
    assert wire.receive(0.01) is None
    other.close()
    with pytest.raises(EOFError):
        wire.receive(1)


def test_sending_does_not_block_when_the_other_end_does_not_read(ends: tuple[Wire, socket.socket]) -> None:
    wire, _ = ends
    assert any(not wire.send(b"Q", number, b"x" * 50_000, timeout=0.01) for number in range(100))


def test_an_absurd_length_is_refused_before_it_is_read(ends: tuple[Wire, socket.socket]) -> None:
    wire, other = ends
    other.send(b"A\0\0\0\0\xff\xff\xff\xff")
    with pytest.raises(Malformed):
        wire.receive(1)


def test_peak_memory_is_that_of_the_process_that_held_most(adversaries: Path, tmp_path: Path) -> None:
    text = "class P:\n    def __init__(self, me):\n        self.held = bytes(range(256)) * (4096 * {mib})\n"
    peaks = []
    for mib in (1, 200):
        file = tmp_path / f"holds{mib}.py"
        file.write_text(text.format(mib=mib) + "    def play(self, board):\n        return (0, 0)\n", encoding="utf-8")
        with Pool() as pool:
            with pool.seated(GAME, str(file), 0, 1) as player:
                player.decide(VIEW, Limit(), 30)
            peaks.append(pool.peak_memory)
        assert pool.own_peak_memory > 0
    assert 150 < peaks[1] - peaks[0] < 300
