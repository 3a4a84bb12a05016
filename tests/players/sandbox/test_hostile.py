"""Hostile submissions: each is contained and named in the result, the next match runs, and nothing stays behind.

They stand in the folder `hostile`, written as students write theirs; what they look for is filled in by `submission`.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import ludoteca
from ludoteca.errors import SandboxError
from ludoteca.play.clock import MatchLimit
from ludoteca.play.match import Match
from ludoteca.play.record import Record
from ludoteca.players.admission import Admission
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.pool import Pool, Unprotected
from ludoteca.players.processes.child import Sandbox
from ludoteca.players.processes.fork_client import ForkServer
from ludoteca.players.processes.linux import cpu_seconds
from ludoteca.players.sandbox.streams import MAX_OUTPUT
from tests.ending import has_ended
from tests.players.test_crowd import family

HOSTILE = Path(__file__).parent / "hostile"
GAME = ludoteca.game("hex:size=3,orientation=left-right")
SEED = 20260731123456789
REFUSED = "An agent in the sandbox starts no processes"


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SECRET_TOKEN", "of the teacher")
        with Pool(Admission(untrusted=True), memory=512) as pool:
            try:
                pool.player(GAME, str(HOSTILE / "honest.py")).close()
            except SandboxError as error:
                pytest.skip(str(error))
            yield pool


def fill_in(folder: Path, name: str) -> str:
    """Fills the places that a hostile file attacks into its copy in `folder`; returns its path."""
    submissions, file = folder / "submissions", folder / "submissions" / f"{name}.py"
    (folder / "store.db").write_text("all results")
    filled = {
        "STORE": folder / "store.db", "OUTSIDE": folder / "outside", "UNIX": folder / "socket", "PID": os.getpid(),
        "OTHER": submissions / "memory_bomb.py", "ABSTRACT": f"ludoteca-{os.getpid()}",
        "DIGEST": hashlib.sha256(str(SEED).encode()).hexdigest(),
    }  # fmt: skip
    text = file.read_text(encoding="utf-8")
    for key, value in filled.items():
        text = text.replace(f"@{key}@", str(value))
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture
def submission(tmp_path: Path) -> Callable[[str], str]:
    """Submits a hostile file among others, with the places that it attacks filled in."""
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o777)
    outside.chmod(0o777)
    shutil.copytree(HOSTILE, tmp_path / "submissions", ignore=shutil.ignore_patterns("__pycache__"))
    return partial(fill_in, tmp_path)


def play(pool: Pool, agent: str, limit: str = "30s") -> Record:
    """A match of the agent against one of ours, which sits second."""
    match = Match(GAME, SEED, limit=MatchLimit.parse(limit), margin=0.0)
    players = {0: pool.player(GAME, agent), 1: pool.player(GAME, "random", "inside")}
    assert isinstance(players[0], Sandbox)
    try:
        for seat, player in players.items():
            try:
                player.prepare(seat, 7)
            except Fault as fault:
                match.end_by(seat, fault)
                return match.record()
        while match.step(players):
            pass
        return match.record()
    finally:
        for player in players.values():
            player.close()


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "limit", "ending", "message"),
    [
        ("fork_bomb", "30s", Ending.error, REFUSED),
        ("takes_cores", "30s", Ending.error, REFUSED),
        ("thread_bomb", "30s", Ending.error, "can't start new thread"),
        ("memory_bomb", "30s", Ending.memory, "ran out of memory"),
        ("native_loop", "0.3s", Ending.timeout, "needed more than"),
        ("ignores_signals", "0.3s", Ending.timeout, "needed more than"),
        ("writes_everywhere", "30s", Ending.error, "No space left on device"),
        ("reads_secrets", "30s", Ending.error, "No such file|Permission denied"),
        ("imports_other", "30s", Ending.error, "No such file"),
        ("sockets", "30s", Ending.error, REFUSED),
        ("traces", "30s", Ending.error, REFUSED),
        ("asks_the_kernel", "30s", Ending.error, REFUSED),
        ("prints", "0.3s", Ending.timeout, "needed more than"),
        ("paints", "30s", Ending.error, "ValueError: �]0;mine��\\[2J�\\[1;1H�all good �31m �yenom"),
        ("forges_huge", "30s", Ending.crash, "broke the protocol: a frame of 4294967295 bytes"),
        ("forges_malformed", "30s", Ending.crash, "broke the protocol"),
        ("forges_pickled", "30s", Ending.crash, "broke the protocol"),
        ("forges_finished", "30s", Ending.crash, "broke the protocol: a fault with an ending that is no fault"),
        ("answers_at_length", "30s", Ending.illegal, r"Talks.play .* returned \['x+…, which is no cell"),
        ("patches_us", "30s", Ending.illegal, "1000000"),
        ("exits", "30s", Ending.crash, "exited with status 0"),
        ("deletes_itself", "30s", Ending.error, REFUSED),
        ("daemon", "30s", Ending.error, REFUSED),
        ("finds_fds", "30s", Ending.finished, ""),
        ("outlives", "30s", Ending.error, REFUSED),
        ("guesses_the_deal", "30s", Ending.finished, ""),
        ("reads_environment", "30s", Ending.finished, ""),
        ("calls_home", "30s", Ending.error, REFUSED),
    ],
)
def test_it_is_contained_and_named(
    pool: Pool, submission: Callable[[str], str], tmp_path: Path, name: str, limit: str, ending: Ending, message: str
) -> None:
    agent = submission(name)
    before = files_in(tmp_path)
    record = play(pool, agent, limit)
    assert "ESCAPED" not in record.message
    assert (record.ending, bool(re.search(message, record.message))) == (ending, True), record.message
    assert len(record.message) < 1000
    assert files_in(tmp_path) == before
    assert play(pool, submission("honest")).ending is Ending.finished
    assert len(family(pool._servers[True]._process.pid)) == 1  # only the one that forks


def test_untrusted_confines_installed_agents_too(pool: Pool, adversaries: Path) -> None:
    with Pool(Admission(untrusted=True)) as own:  # started now that the agents are installed
        player = own.player(GAME, "remembers")
        assert isinstance(player, Sandbox)
        player.prepare(0, 7)
        assert player.decide(GAME.deal(1).view(0), ludoteca.Limit(20.0), 30).note == ""
        player.close()


@pytest.mark.parametrize("name", ["leaves_notes", "leaves_marks", "leaves_memory"])
def test_nothing_is_found_in_the_next_match(pool: Pool, submission: Callable[[str], str], name: str) -> None:
    agent = submission(name)
    assert [(play(pool, agent).ending, play(pool, agent).message) for _ in range(2)] == [(Ending.finished, "")] * 2


def test_no_agent_thinks_on_its_opponents_time(pool: Pool, submission: Callable[[str], str]) -> None:
    player = pool.player(GAME, submission("thinks_on"))
    other_game = ludoteca.game("hex")
    opponent = ludoteca.agent("mcts")(other_game, 0, 7)
    assert isinstance(player, Sandbox)
    try:
        player.prepare(0, 7)
        for _ in range(2):
            player.decide(GAME.deal(1).view(0), ludoteca.Limit(5.0), 30)
            before = cpu_seconds(player._process.pid)
            opponent.act(other_game.deal(1).view(0), ludoteca.Limit(0.3))
            # The stop arrives a few milliseconds late where the machine itself was held up; not stopped, it uses 0.3 s.
            assert cpu_seconds(player._process.pid) - before < 0.05
    finally:
        player.close()


def test_it_ends_with_the_fork_server(submission: Callable[[str], str]) -> None:
    with Pool() as pool:
        player = pool.player(GAME, submission("thinks_on"))
        if not isinstance(player, Sandbox):
            pytest.skip(pool.warning)
        player.prepare(0, 7)
        pid, server = player._process.pid, pool._servers[True]._process
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        assert has_ended(pid)
        player.close()


SHOWS = """
import sys
from tests.players.sandbox.test_hostile import play
from ludoteca.players.pool import Pool
with Pool(prints=1) as pool:
    play(pool, sys.argv[1], sys.argv[2])
"""


def test_what_it_prints_is_limited_and_moves_no_cursor(pool: Pool, submission: Callable[[str], str]) -> None:
    command = [sys.executable, "-c", SHOWS, submission("prints"), "0.3s"]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=120, cwd=HOSTILE.parents[3]).stdout
    assert 1000 < len(printed) <= MAX_OUTPUT + 100
    assert b"\x1b" not in printed and b"\xc2\x9b" not in printed


MARK = "open({mark!r}, 'a').write(__name__)\nclass P:\n    def play(self, board):\n        return (0, 0)\n"


def test_no_file_is_run_outside_for_being_called_as_a_module_of_ours(pool: Pool, tmp_path: Path) -> None:
    """The match is played in the folder of the submissions, as a teacher may do, who hides new files from others."""
    mark, folder = tmp_path / "escaped", tmp_path / "submissions"
    shutil.copytree(HOSTILE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in {*sys.stdlib_module_names, "numpy", "rich", "typer", "onnxruntime", "ludoteca", "sitecustomize"}:
        (folder / f"{name}.py").write_text(MARK.format(mark=str(mark)), encoding="utf-8")
    command = [sys.executable, "-P", "-c", "from ludoteca.cli import main; main()"]
    arguments = ["match", "hex:size=3", "honest.py", "random", "-n", "2", "--workers", "1", "--untrusted"]
    played = subprocess.run(
        [*command, *arguments, "--store", str(tmp_path / "store.db")], cwd=folder, capture_output=True, text=True,
        timeout=120, check=False, umask=0o077,
    )  # fmt: skip
    assert "2 matches" in played.stdout, played.stderr
    assert "×" not in played.stdout, "no faults"
    assert not mark.exists(), mark.read_text(encoding="utf-8")


class Refusing(ForkServer):
    """A server on a machine where no sandbox can be made."""

    def __init__(self, **wanted: Any) -> None:
        super().__init__(**wanted)
        self.refusal = "user: Operation not permitted" if wanted["sandbox"] else ""


def test_where_no_sandbox_can_be_made_a_warning_is_given_or_it_refuses() -> None:
    honest = str(HOSTILE / "honest.py")
    with Pool(fork_server=Refusing) as pool:
        with pytest.warns(Unprotected, match="user: Operation not permitted.*with your rights"):
            player = pool.player(GAME, honest)
        assert not isinstance(player, Sandbox)
        assert "ludoteca doctor" in pool.warning
        player.close()
    with (
        Pool(Admission(untrusted=True), fork_server=Refusing) as pool,
        pytest.raises(SandboxError, match="ludoteca doctor says what is missing"),
    ):
        pool.player(GAME, honest)


def test_an_agent_trusted_by_name_plays_inside() -> None:
    honest = str(HOSTILE / "honest.py")
    with Pool(Admission(untrusted=True, trusted=(honest,))) as pool:
        player = pool.player(GAME, honest)
        assert not isinstance(player, Sandbox)
        player.close()
