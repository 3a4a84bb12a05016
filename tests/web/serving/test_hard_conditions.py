"""The page where things are hard: an ordinary user, a disk that fills up, a clock that jumps, a second server.

One server meets with all of them: it runs as `nobody`, keeps its store on a disk of a megabyte, and has a wall clock
that the test sets. That needs root; without root the user is an ordinary one already.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from ludoteca.errors import InvalidStore
from ludoteca.play.store import Store
from ludoteca.web.server import _lock, secret_of
from tests.web.tabs import Table
from tools.tab import Tab

NOBODY = 65534
YEAR = 365 * 86_400
HOME = Path(sys.base_prefix)
START = f"""
mount -t tmpfs -o size=1m,uid={NOBODY},mode=700 tmpfs "$1"
if ! setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups test -x "{HOME}"; then
    mount --bind "{HOME}" "$2"
    mount -t tmpfs -o mode=755 tmpfs "/{HOME.parts[1]}"
    mkdir -p "{HOME}"
    mount --bind "$2" "{HOME}"
fi
shift 2
exec setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups "$@"
"""
"""Mounts the small disk for this process alone, makes Python readable if it is in root's home, starts the server."""


LUDOTECA = [sys.executable, "-m", "ludoteca.cli"]
FIRST = """
class First:
    def __init__(self, game, seat, seed):
        pass

    def act(self, view, limit):
        return view.legal()[0]
"""


def as_nobody(folder: Path) -> list[str]:
    """The beginning of a command that `nobody` runs, with a disk of a megabyte at `folder / "state"`."""
    return ["unshare", "-m", "sh", "-ec", START, "sh", str(folder / "state"), str(folder / "python")]


@dataclass(frozen=True)
class Hard:
    """A server in hard conditions."""

    address: str
    state: Path
    """The small disk, as the server sees it."""
    clock: Path
    folder: Path
    """Where anybody may read."""

    def shift_clock(self, seconds: int) -> None:
        """Sets the server's clock to so many seconds from now."""
        with self.clock.open("r+b") as clock:  # in place: a server that reads an emptied file dies of SIGBUS
            clock.write(struct.pack("q", seconds))


@pytest.fixture(scope="module")
def hard() -> Iterator[Hard]:
    if os.getuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv", "mount", "cc"))):
        pytest.skip("needs root, util-linux and a C compiler")
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        pytest.skip("needs mounts of its own")
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    for name in ("state", "python"):
        (folder / name).mkdir()
    clock, library = folder / "clock", folder / "shift.so"
    clock.write_bytes(struct.pack("q", 0))
    source = Path(__file__).with_name("clock_shift.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment |= {"XDG_STATE_HOME": str(folder / "state"), "CLOCK_SHIFT": str(clock), "HOME": str(folder)}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [*as_nobody(folder), "env", f"LD_PRELOAD={library}", *LUDOTECA, "serve", "--port", str(port)],
            stdout=subprocess.PIPE, stderr=log, env=environment, cwd="/",
        )  # fmt: skip
    assert server.stdout is not None
    try:
        assert str(port).encode() in server.stdout.readline(), (folder / "log").read_text()
        view = Path(f"/proc/{server.pid}/root{folder}/state")
        yield Hard(f"http://127.0.0.1:{port}", view, clock, folder)
    finally:
        server.terminate()
        server.wait(timeout=120)
        server.stdout.close()
        found = (folder / "log").read_text()
        shutil.rmtree(folder, ignore_errors=True)
    assert "Traceback" not in found, found


async def opened(session: aiohttp.ClientSession, address: str) -> tuple[str, Table]:
    """A new table for two persons at one screen: its address and its tab."""
    form = {"game": "hex:size=11", "seats": "person|person"}
    async with session.post(f"{address}/table", data=form) as answer:
        page = await answer.text()
        assert answer.status == 200, page[:2000]
        return str(answer.url), Table(await Tab.open(session, address, page))


def test_a_clock_that_jumps_ends_no_connection_and_takes_no_match_away(hard: Hard) -> None:
    async def visit() -> None:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as ana:
            async with ana.get(f"{hard.address}/learn"):
                pass
            url, table = await opened(ana, hard.address)
            for count, shift in enumerate((0, 40 * YEAR, -50 * YEAR, 2 * YEAR, 0), start=1):
                hard.shift_clock(shift)
                await table.tab.tell("play", '"play"', str(count))
                await table.until(lambda count=count: table.count == count)  # type: ignore[misc]
                assert not table.tab.cut_off
                async with ana.get(url) as answer:  # the cookie still says who she is
                    assert answer.status == 200
            await table.tab.close()

    asyncio.run(visit())


def test_a_full_disk_stops_no_match_and_what_was_played_is_kept_later(hard: Hard) -> None:
    async def visit() -> None:
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as ana:
            async with ana.get(f"{hard.address}/learn"):
                pass
            url, table = await opened(ana, hard.address)
            filler = hard.state / "filler"
            with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * 4096)
            for count in range(1, 6):
                await table.tab.tell("play", '"play"', str(count))
                await table.until(lambda count=count: table.count == count)  # type: ignore[misc]
            form = {"game": "hex:size=11", "seats": "person|person"}
            async with ana.post(f"{hard.address}/table", data=form) as answer:
                page = await answer.text()
                assert answer.status == 400 and "disk is full" in page and str(hard.state) not in page
            filler.unlink()
            await opened(ana, hard.address)  # whatever could not be saved before is saved before a new table is
            assert kept(hard, url) == 5
            await table.tab.close()

    asyncio.run(visit())


def kept(hard: Hard, url: str) -> int:
    """How many actions of a match are in the store, by a copy of it: SQLite cannot open a disk of another process."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("arena.sqlite", "arena.sqlite-wal"):
            shutil.copy(hard.state / "ludoteca" / name, folder)
        with Store(Path(folder, "arena.sqlite")) as store:
            run, name = store.people_run("page").id, url.rpartition("/")[2]
            found = store.people.find(run, name, store.people.owner_of(run, name))
    return -1 if found is None else len(found[1].actions)


def test_the_server_is_no_root(hard: Hard) -> None:
    assert (hard.state / "ludoteca" / "cookie-secret").stat().st_uid == NOBODY
    assert (hard.state / "ludoteca" / "cookie-secret").stat().st_mode & 0o077 == 0


def test_sandboxes_work_for_an_ordinary_user(hard: Hard) -> None:
    """Where the kernel lets ordinary users have them; `ludoteca doctor` says whether."""

    def ludoteca(*words: str) -> str:
        done = subprocess.run(
            [*as_nobody(hard.folder), *LUDOTECA, *words], cwd="/", capture_output=True, text=True,
            env=os.environ | {"XDG_STATE_HOME": str(hard.folder / "state"), "HOME": str(hard.folder)},
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    (hard.folder / "first.py").write_text(FIRST)
    if "Sandboxes work here" in ludoteca("doctor"):
        match = ("tournament", "hex:size=3", "random", str(hard.folder / "first.py"), "--matches", "2")
        assert "2 matches" in ludoteca(*match, "--workers", "1", "--untrusted")


def test_two_servers_do_not_serve_one_store(tmp_path: Path) -> None:
    """Each would hold the tables in memory, and overwrite the other's moves."""
    with _lock(tmp_path / "ludoteca" / "arena.sqlite"), pytest.raises(InvalidStore, match="another server uses"):
        _lock(tmp_path / "ludoteca" / "arena.sqlite")
    _lock(tmp_path / "ludoteca" / "arena.sqlite").close()


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidStore, match="cannot be written"):
        _lock(tmp_path / "file" / "arena.sqlite")
    with pytest.raises(InvalidStore, match="cannot be written"):
        secret_of(tmp_path / "file" / "cookie-secret")


def test_a_key_that_was_cut_short_signs_nothing(tmp_path: Path) -> None:
    """An empty key, left by a full disk, would let everybody forge everybody's cookie."""
    for damaged in ("", "abc"):
        (tmp_path / "cookie-secret").write_text(damaged)
        with pytest.raises(InvalidStore, match="is damaged"):
            secret_of(tmp_path / "cookie-secret")
    (tmp_path / "cookie-secret").unlink()
    assert secret_of(tmp_path / "cookie-secret") == secret_of(tmp_path / "cookie-secret")
