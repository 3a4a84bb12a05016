"""What a sandbox sees, which system calls it may make, and the messages where none can be made."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludoteca
from ludoteca.agents.files.visible_files import visible_paths
from ludoteca.cli import _warn, app
from ludoteca.errors import SandboxError
from ludoteca.players.pool import Pool, Unprotected
from ludoteca.players.processes import fork_client as forks
from ludoteca.players.processes.child import Sandbox
from ludoteca.players.sandbox import confinement, layers, seccomp
from ludoteca.players.sandbox import visible_files as sight
from ludoteca.players.sandbox.layers import Layer
from ludoteca.players.sandbox.visible_files import VisibleFiles
from ludoteca.protocols import Limit
from ludoteca.terminal.doctor import report

GAME = ludoteca.game("hex:size=3,orientation=left-right")
VIEW = GAME.deal(1).view(0)
FIRST = """
{imports}
class P:
    def __init__(self, me):
        pass

    def play(self, board):
        return {answer}
"""
ALLOW, EPERM, ENOSYS, KILL, NOTHING = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000, 0x00050000
MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def judge(machine: str, number: int, *arguments: int, spoken: int | None = None) -> int:
    """What the filter answers to a system call: interprets its instructions."""
    program = seccomp.program(machine)
    steps = [struct.unpack_from("<HBBI", program, place) for place in range(0, len(program), 8)]
    data = struct.pack("<iIQ6Q", number, MACHINES[machine] if spoken is None else spoken, 0,
                       *arguments, *[0] * (6 - len(arguments)))  # fmt: skip
    place = value = 0
    while True:
        operation, if_true, if_false, constant = steps[place]
        place += 1
        if operation == 0x06:
            return int(constant)
        if operation == 0x20:
            (value,) = struct.unpack_from("<I", data, constant)
        elif operation == 0x54:
            value &= constant
        else:
            truth = {0x15: value == constant, 0x25: value > constant, 0x45: bool(value & constant)}[operation]
            place += if_true if truth else if_false


@pytest.mark.parametrize(("machine", "numbers"), [
    ("x86_64", {"read": 0, "write": 1, "socket": 41, "clone": 56, "fork": 57, "execve": 59, "ptrace": 101, "ioctl": 16,
                "socketpair": 53, "prctl": 157, "mount": 165, "futex": 202, "fcntl": 72, "flock": 73, "utimensat": 280,
                "utimes": 235, "fadvise64": 221, "readahead": 187, "madvise": 28, "mincore": 27, "sysinfo": 99,
                "statfs": 137, "mmap": 9, "pipe2": 293, "preadv2": 327, "getsockopt": 55}),
    ("aarch64", {"read": 63, "write": 64, "socket": 198, "clone": 220, "execve": 221, "ptrace": 117, "ioctl": 29,
                 "socketpair": 199, "prctl": 167, "mount": 40, "futex": 98, "fcntl": 25, "flock": 32, "utimensat": 88,
                 "fadvise64": 223, "readahead": 213, "madvise": 233, "mincore": 232, "sysinfo": 179, "statfs": 43,
                 "mmap": 222, "pipe2": 59,
                 "preadv2": 286, "getsockopt": 209}),
])  # fmt: skip
def test_the_filter_refuses_what_an_agent_does_not_need(machine: str, numbers: dict[str, int]) -> None:
    for name in ("read", "write", "futex"):
        assert judge(machine, numbers[name]) == ALLOW
    for name in ("socket", "fork", "execve", "ptrace", "mount", "mincore", "sysinfo", "statfs", "socketpair", "pipe2"):
        if name in numbers:
            assert judge(machine, numbers[name]) == EPERM
    thread = 0x003D0F00
    assert judge(machine, numbers["clone"], thread) == ALLOW
    assert judge(machine, numbers["clone"], 17) == EPERM
    assert judge(machine, numbers["clone"], thread | 0x10000000) == EPERM
    assert judge(machine, numbers["mmap"], 0, 4096, 3, 0x22) == judge(machine, numbers["mmap"], 0, 4096, 1, 1) == ALLOW
    assert {judge(machine, numbers["mmap"], 0, 4096, 3, flags) for flags in (0x21, 0x23, 0x8021)} == {EPERM}
    assert judge(machine, numbers["ioctl"], 0, 0x5401) == ALLOW
    assert judge(machine, numbers["ioctl"], 0, 0x5412) == EPERM
    assert judge(machine, numbers["ioctl"], 0, 0x80086601) == EPERM
    assert judge(machine, numbers["prctl"], 1, 0) == judge(machine, numbers["prctl"], 4, 1) == EPERM
    assert judge(machine, numbers["prctl"], 15) == ALLOW
    assert judge(machine, 435) == judge(machine, 437) == ENOSYS
    assert judge(machine, 100_000) == ENOSYS
    assert judge(machine, numbers["read"], spoken=0x40000003) == KILL
    if machine == "x86_64":
        assert judge(machine, numbers["read"] | 0x40000000) == KILL

    for name in ("flock", "utimensat", "utimes", "fadvise64", "readahead"):
        if name in numbers:
            assert judge(machine, numbers[name]) == NOTHING
    outcomes = {
        ALLOW: (0, 1, 2, 3, 4, 1030, 1032),
        NOTHING: (6, 7, 37, 38),
        EPERM: (5, 8, 10, 15, 36, *range(1024, 1030)),
    }
    for outcome, commands in outcomes.items():
        assert {judge(machine, numbers["fcntl"], 0, command) for command in commands} == {outcome}
        assert {judge(machine, numbers["fcntl"], 0, 7 << 32 | command) for command in commands} == {outcome}
    for command in (1031, 1033, *range(1035, 1100)):
        assert judge(machine, numbers["fcntl"], 0, command) == EPERM
    assert {judge(machine, numbers["madvise"], 0, 0, advice) for advice in (3, 12, 20, 21, 25)} == {NOTHING}
    assert {judge(machine, numbers["madvise"], 0, 0, advice) for advice in (4, 8, 14)} == {ALLOW}
    assert judge(machine, numbers["preadv2"], 0, 0, 0, 0, 0, 8) == EPERM
    assert judge(machine, numbers["preadv2"]) == judge(machine, numbers["getsockopt"], 0, 1, 3) == ALLOW
    assert judge(machine, numbers["getsockopt"], 0, 1, 57) == EPERM


def write(file: Path, imports: str = "", answer: str = "board.get_possible_moves()[0]") -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(FIRST.format(imports=imports, answer=answer), encoding="utf-8")
    return str(file)


def helper(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("class Base:\n    def play(self, board):\n        raise NotImplementedError\n", encoding="utf-8")


def test_a_file_shows_what_it_imports_and_names_and_no_neighbour(tmp_path: Path) -> None:
    own = write(tmp_path / "ana.py", "import helper\nfrom . import more\nWEIGHTS = 'ana.npz'\nSTORE = 'store.db'")
    for name in ("helper.py", "more.py", "unused.py"):
        helper(tmp_path / name)
    for name in ("ana.npz", "ben.npz", "store.db"):
        (tmp_path / name).write_bytes(b"")
    shown = [Path(each).name for each in visible_paths(f"{own}:P")]
    assert shown == ["ana.npz", "ana.py", "helper.py", "more.py"]


def test_a_flat_file_shows_nothing_that_another_handed_in(tmp_path: Path) -> None:
    flat = tmp_path / "flat"
    names = (
        "import ben, tools, book, later\nfrom flat import ben, dora\nfrom . import ben\nimport dora.ideas, flat.dora.x"
    )
    own = write(flat / "ana.py", f"{names}\nDATA = 'ben_book.json', 'book.json', 'ana.npz', 'leads.npz'")
    write(flat / "ben.py")
    write(flat / "dora" / "solution.py")
    helper(flat / "dora" / "ideas.py")
    helper(flat / "tools.py")
    (flat / "book.py").write_text("class B:\n    play = print\n", encoding="utf-8")
    (flat / "later.py").write_text("from ben import P\nclass def", encoding="utf-8")
    for name in ("ben_book.json", "book.json", "secret"):
        (flat / name).write_bytes(b"")
    (flat / "ana.npz").symlink_to("ben_book.json")
    (flat / "leads.npz").symlink_to("../outside.npz")
    (tmp_path / "outside.npz").write_bytes(b"")
    assert visible_paths(own) == [own, str(flat / "tools.py")]
    (flat / "course.toml").write_bytes(b"")
    assert visible_paths(own) == [own]


def test_a_folder_shows_nothing_of_another_folder(tmp_path: Path) -> None:
    ana = tmp_path / "hex1" / "ana"
    theirs = "from hex1.ben.solution import P\nfrom hex1.ben.ideas import x\nfrom hex1.carla import P"
    write(ana / "solution.py", f"import mine, leads\n{theirs}")
    write(ana / "mine.py")  # a player, but in its own folder
    write(tmp_path / "hex1" / "ben" / "solution.py")
    helper(tmp_path / "hex1" / "ben" / "ideas.py")
    write(tmp_path / "hex1" / "carla.py")
    (ana / "leads.py").symlink_to("../ben/ideas.py")
    assert visible_paths(str(ana / "solution.py")) == [str(ana / "mine.py"), str(ana / "solution.py")]
    assert visible_paths(str(ana)) == [str(ana / "mine.py"), str(ana / "solution.py")]


def test_in_a_courses_copy_everything_is_its_own(tmp_path: Path) -> None:
    copy = tmp_path / ".ludoteca" / "handed-in" / ("0123abcd" * 4) / "ana"
    own = write(copy / "src" / "players" / "solution.py", "from src.search.deep import P as Base")
    write(copy / "src" / "search" / "deep.py")
    write(copy.parents[1] / ("89abcdef" * 4) / "ben" / "src" / "search" / "wide.py")
    assert visible_paths(own) == visible_paths(str(copy)) == [str(copy)]


def test_a_folder_shows_itself(tmp_path: Path) -> None:
    ana = tmp_path / "ana"
    write(ana / "solution.py")
    write(tmp_path / "ben" / "solution.py")
    for named in (str(ana), f"{ana}:P"):
        assert visible_paths(named) == [str(ana)]
    (ana / "data").mkdir()
    for name in ("data/table.csv", ".secret", "notes.txt"):
        (ana / name).write_bytes(b"")
    shown = [str(ana / name) for name in ("data", "notes.txt", "solution.py")]
    assert visible_paths(str(ana)) == shown, "hidden files decide nothing, so they are not visible either"


def test_a_project_shows_what_it_imports_from_its_root(pool: Pool, tmp_path: Path) -> None:
    file = write(tmp_path / "src" / "players" / "solution.py", "from src.helper import cell", "cell(board)")
    (tmp_path / "src" / "helper.py").write_text("def cell(board):\n    return (1, 1)\n", encoding="utf-8")
    write(tmp_path / "src" / "other.py")
    assert visible_paths(file) == [str(tmp_path / "src" / "helper.py"), file]
    assert moves(pool, file) == 4


def test_no_folder_is_shown_for_being_named(tmp_path: Path) -> None:
    own = write(
        tmp_path / "submissions" / "ana" / "solution.py", "import submissions\nimport submissions.ben\nimport ben"
    )
    write(tmp_path / "submissions" / "ben" / "solution.py")
    (tmp_path / "README.md").write_bytes(b"")
    assert visible_paths(own) == [own]


def test_a_broken_file_shows_itself_alone(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_bytes(b"\xff\x00 import helper (")
    write(tmp_path / "helper.py")
    assert visible_paths(str(file)) == [str(file)]


def test_python_is_shown_and_no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), str(tmp_path / "site-packages")])
    monkeypatch.setattr(sys, "prefix", str(tmp_path.parent))
    (tmp_path / "site-packages").mkdir()
    shown = sight.python_paths()
    assert str(tmp_path / "site-packages") in shown
    assert not {"/", str(tmp_path), str(tmp_path.parent)} & {*shown}


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as pool:
        if refusal := pool._server(sandbox=True).refusal:
            pytest.skip(refusal)
        yield pool


def moves(pool: Pool, agent: str) -> int:
    player = pool.player(GAME, agent)
    assert isinstance(player, Sandbox)
    try:
        player.prepare(0, 1)
        return player.decide(VIEW, Limit(20.0), 30).action
    finally:
        player.close()


def test_paths_may_be_relative_linked_and_their_owners_alone(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "real" / "solution.py", "import helper", "helper.cell(board)")
    (tmp_path / "real" / "helper.py").write_text("def cell(board):\n    return (0, 2)\n", encoding="utf-8")
    (tmp_path / "real").chmod(0o700)
    (tmp_path / "real" / "helper.py").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    for named in (
        "real",
        "real/solution.py",
        "real/../link/solution.py:P",
        "../" + tmp_path.name + "/real",
        "./real/solution.py:P",
        "link",
        str(tmp_path / "link" / "solution.py"),
    ):
        assert moves(pool, named) == 2


def test_a_uid_reveals_nothing_of_the_processes_before(pool: Pool, tmp_path: Path) -> None:
    """Threads take pids outside of the sandbox, too: with the pid in the uid, their number was a message."""
    file = write(tmp_path / "solution.py")
    uids = set()
    for _ in range(2):
        player = pool.player(GAME, file)
        assert isinstance(player, Sandbox)
        player.prepare(0, 1)
        pid = player._process.pid
        uids.add(int(Path(f"/proc/{pid}/status").read_text(encoding="ascii").partition("Uid:")[2].split()[0]))
        player.close()
    if confinement.unused_user()[0] != confinement.NOBODY and os.geteuid() == 0:
        assert len(uids) == 2 and max(uids) - min(uids) > 1000


def test_a_database_opens_in_the_sandbox(pool: Pool, tmp_path: Path) -> None:
    """Locks do nothing there, and so they are never refused."""
    with contextlib.closing(sqlite3.connect(tmp_path / "book.db")) as book, book:
        book.execute("create table cells (name)")
        book.execute("insert into cells values (7)")
    text = (
        "import os, shutil, sqlite3\nHERE = os.path.dirname(os.path.abspath(__file__))\n"
        "shutil.copyfile(HERE + '/book.db', 'mine.db')\nos.utime('mine.db')\nBOOK = sqlite3.connect('mine.db')\n"
        "with BOOK:\n    BOOK.execute('update cells set name = name + 1')\n"
    )
    write(tmp_path / "solution.py", text, "divmod(BOOK.execute('select name from cells').fetchone()[0], 3)")
    assert moves(pool, str(tmp_path)) == 8


def test_a_player_may_be_a_coroutine_and_run_event_loops(pool: Pool, tmp_path: Path) -> None:
    """They wake themselves by sockets, and a sandbox can make none."""
    body = """
import asyncio, threading

async def cell(number):
    await asyncio.sleep(0)
    return await asyncio.get_running_loop().run_in_executor(None, divmod, number, 3)

def in_threads():
    found = []
    threads = [threading.Thread(target=lambda: found.append(asyncio.run(cell(8)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found

class P:
    def __init__(self, me):
        assert [asyncio.run(cell(number)) for number in range(9)][4] == (1, 1)
        assert in_threads() == [(2, 2)] * 4

    async def play(self, board):
        return await cell(5)
"""
    file = tmp_path / "solution.py"
    file.write_text(body, encoding="utf-8")
    assert moves(pool, str(file)) == 5


def test_it_may_log_beside_nothing_but_in_its_scratch_folder(pool: Pool, tmp_path: Path) -> None:
    file = write(tmp_path / "solution.py", "import tempfile\nopen('log.txt', 'w').write('x')\ntempfile.mkdtemp()")
    assert moves(pool, file) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["solution.py"]


def test_a_sandbox_that_cannot_be_set_up_is_our_failure_and_no_fault(pool: Pool, tmp_path: Path) -> None:
    file = write(tmp_path / "solution.py")
    seen = VisibleFiles(("/no\0where",))
    player = Sandbox(GAME, file, lambda: pool._servers[True].fork(64, GAME.spec, seen), seen)
    with pytest.raises(SandboxError, match=r"sandbox could not be set up: .*null"):
        player.prepare(0, 1)
    assert moves(pool, file) == 0


def test_doctor_tries_every_layer() -> None:
    tried = layers.check_layers()
    assert len(tried) == 9
    assert [each.required for each in tried].count(False) == 1
    together = tried[-1]
    assert together.works == all(each.works for each in tried[:-1] if each.required)


@pytest.mark.parametrize("missing", ["", "seccomp", "landlock"])
def test_doctor_says_what_is_missing(capsys: pytest.CaptureFixture[str], missing: str) -> None:
    tried = [
        Layer(each.name, each.prevents, each.remedy, each.required, "no such call" if name == missing else "")
        for name, each in layers._LAYERS.items()
    ]
    assert report(tried) == (missing != "seccomp")
    output = capsys.readouterr().out
    assert ("no such call" in output) == bool(missing)
    assert ("--untrusted plays" in output) == (missing != "seccomp")


def test_doctor_exits_with_1_where_sandboxes_do_not_work() -> None:
    works = all(each.works or not each.required for each in layers.check_layers())
    assert CliRunner().invoke(app, ["doctor"]).exit_code == (0 if works else 1)


def test_match_refuses_to_play_the_untrusted_where_none_can_be_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = forks.ForkServer.__init__

    def without(self: forks.ForkServer, **wanted: bool) -> None:
        started(self, **wanted)
        self.refusal = "user: Operation not permitted"

    monkeypatch.setattr(forks.ForkServer, "__init__", without)
    file = write(tmp_path / "solution.py")
    command = ["match", "hex:size=3", file, "random", "-n", "2", "--untrusted", "--store", str(tmp_path / "store.db")]
    result = CliRunner().invoke(app, command)
    assert isinstance(result.exception, SandboxError)
    assert "user: Operation not permitted" in str(result.exception)


def test_a_warning_is_one_line_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    _warn(Unprotected("files run with your rights"), Unprotected, "pool.py", 1)
    assert capsys.readouterr().err == "ludoteca: files run with your rights\n"
