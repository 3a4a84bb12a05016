"""Each attack names the layers that stop it: with them switched off it succeeds.

By default a few are tried. ``make hostile`` (LUDOTECA_HOSTILE=1) switches off every layer in turn and tries them all.
Only root can do that safely: then each sandbox has a user of its own, who may touch nothing.
"""

from __future__ import annotations

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from ludoteca.players.admission import Admission
from ludoteca.players.pool import Pool
from ludoteca.players.processes import fork_client
from ludoteca.players.sandbox.layers import _LAYERS
from tests.players.sandbox.test_hostile import HOSTILE, fill_in, play
from tests.players.sandbox.without import OFF, command

ALL = bool(os.environ.get("LUDOTECA_HOSTILE"))
ATTACKS = sorted(path.stem for path in HOSTILE.glob("*.py") if path.stem not in ("attempts", "honest", "cache_memory"))
BRIEFLY = ("native_loop", "ignores_signals", "prints")
"""They would go on as long as they may: the clock stops them."""
STOPPED_BY: dict[str, set[str]] = {
    "asks_the_kernel": {"seccomp", "limits"},
    "daemon": {"seccomp"},
    "finds_fds": {"handles"},
    "imports_other": {"mount"},
    "leaves_marks": {"seccomp", "handles", "mount"},
    "leaves_notes": {"mount"},
    "memory_bomb": {"limits"},
    "outlives": {"seccomp"},
    "reads_secrets": {"mount", "pid"},
    "sockets": {"seccomp"},
    "takes_cores": {"seccomp"},
    "thread_bomb": {"limits"},
    "traces": {"seccomp", "pid"},
    "writes_everywhere": {"mount"},
}
"""The layers of which each is needed, because each stops something that the attack tries."""
STOPPED_TWICE: dict[str, tuple[str, ...]] = {
    "calls_home": ("seccomp", "net", "landlock"),
    "deletes_itself": ("mount", "user"),
    "fork_bomb": ("seccomp", "limits"),
    "leaves_memory": ("seccomp", "ipc"),
}
"""The layers of which each one is enough: the attack succeeds only without all of them."""
ELSEWHERE = {
    "answers_at_length", "exits", "forges_finished", "forges_huge", "forges_malformed", "forges_pickled",
    "guesses_the_deal", "ignores_signals", "native_loop", "paints", "patches_us", "prints", "reads_environment",
    "thinks_on",
}  # fmt: skip
"""What no layer of the sandbox stops, but the referee: its clock, its checks of replies, and what it never tells."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that every user can read, and its part in which every user can write."""
    if os.geteuid() != 0:
        pytest.skip("only root gives each sandbox a user of its own")
    made = Path(tempfile.mkdtemp(prefix="ludoteca-hostile-", dir="/tmp"))
    made.chmod(0o755)
    for name in ("scratch", "outside"):
        (made / name).mkdir()
        (made / name).chmod(0o777)
    yield made
    shutil.rmtree(made)
    for place in ("/tmp", "/var/tmp", "/dev", "/dev/shm"):
        for path in glob.glob(f"{place}/*-{os.getpid()}"):
            Path(path).unlink()


def succeeded(folder: Path, monkeypatch: pytest.MonkeyPatch, off: Sequence[str], attacks: Sequence[str]) -> set[str]:
    """The attacks that succeed with these layers switched off."""
    monkeypatch.setattr(fork_client, "COMMAND", command(off, str(folder / "scratch")))
    found = set()
    with Pool(Admission(untrusted=True), memory=512) as pool, socket.socket(socket.AF_UNIX) as accomplice:
        accomplice.bind(f"\0ludoteca-{os.getpid()}")
        accomplice.listen()
        for attack in attacks:
            submissions = folder / "submissions"
            shutil.copytree(HOSTILE, submissions, ignore=shutil.ignore_patterns("__pycache__"))
            agent = fill_in(folder, attack)
            limit = "0.3s" if attack in BRIEFLY else "30s"
            for path in (submissions, *submissions.iterdir()):
                path.chmod(0o755)
            if any("ESCAPED" in play(pool, agent, limit).message for _ in range(2 if "leaves" in attack else 1)):
                found.add(attack)
            shutil.rmtree(submissions)
            for path in (folder / "scratch").iterdir():
                path.unlink()
    return found


def test_every_attack_names_what_stops_it() -> None:
    assert {*ATTACKS} == {*STOPPED_BY} | {*STOPPED_TWICE} | ELSEWHERE
    assert {layer for layers in (*STOPPED_BY.values(), *STOPPED_TWICE.values()) for layer in layers} == {*OFF}


@pytest.mark.parametrize("layer", [*OFF] if ALL else ["seccomp"])
def test_without_a_layer_its_attacks_succeed_and_no_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, layer: str
) -> None:
    expected = {attack for attack, layers in STOPPED_BY.items() if layer in layers}
    attacks = ATTACKS if ALL else ["daemon", "leaves_marks", "outlives", "fork_bomb", "reads_environment"]
    if layer == "limits":  # then it has every core, and more of them is what it may find
        attacks = [each for each in attacks if each != "takes_cores"]
    assert succeeded(folder, monkeypatch, [layer], attacks) == expected & {*attacks}


@pytest.mark.skipif(not ALL, reason="make hostile")
@pytest.mark.parametrize("attack", [*STOPPED_TWICE])
def test_what_several_layers_stop_needs_all_of_them_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    layers = STOPPED_TWICE[attack]
    assert succeeded(folder, monkeypatch, layers, [attack]) == {attack}
    for kept in layers:
        assert succeeded(folder, monkeypatch, [each for each in layers if each != kept], [attack]) == set()


@pytest.mark.skipif(not ALL, reason="make hostile")
def test_what_is_known_to_be_open_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not a promise: it prints what docs/sandbox.md says in "What two matches still share"."""
    source = (HOSTILE / "cache_memory.py").read_text(encoding="utf-8")
    agent = tmp_path / "solution.py"
    agent.write_text(source.replace("@RUN@", os.urandom(8).hex()), encoding="utf-8")
    with Pool(Admission(untrusted=True)) as pool:
        first, second = (play(pool, str(agent)).message.splitlines()[-1] for _ in range(2))
    assert "it knows" in first and "it knows" in second
    with capsys.disabled():
        print(f"\ncache_memory: in its first match {first}; in its second {second}")


REFUSED_CALLS = {
    "user": (117, 147, 0),  # setresuid
    "pid": (56, 220, 0x20000000),  # clone
    "net": (56, 220, 0x40000000),
    "ipc": (56, 220, 0x08000000),
    "mount": (165, 40, 0),
    "seccomp": (157, 167, 22),  # prctl
    "limits": (302, 261, 0),  # prlimit64
    "landlock": (444, 444, 0),
}
"""What a machine without a layer refuses: a system call on x86-64 and aarch64, and bits of its first argument."""
DOCTOR = """
import sys
from ludoteca.players.sandbox import seccomp, syscalls
numbers, bits = [*map(int, sys.argv[1:3])], int(sys.argv[3])
number = numbers[syscalls.MACHINE == "aarch64"]
refuse = seccomp._return(seccomp._EPERM)
first = seccomp._load(seccomp._argument(0))
rules = first + (seccomp._any_of([22], seccomp._EPERM) if bits == 22 else seccomp._if_any(bits, seccomp._EPERM))
code = seccomp._load(0) + seccomp._when(number, rules if bits else refuse) + seccomp._return(seccomp._ALLOW)
seccomp.program = lambda: code
syscalls.no_new_privileges()
seccomp.install()
from ludoteca.cli import main
sys.argv[1:] = ["doctor"]
main()
"""


@pytest.mark.parametrize("layer", [*REFUSED_CALLS] if ALL else ["net"])
def test_doctor_says_what_no_longer_holds_on_a_machine_without_a_layer(layer: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user has all namespaces or none")
    *numbers, bits = REFUSED_CALLS[layer]
    done = subprocess.run(
        [sys.executable, "-c", DOCTOR, *map(str, (*numbers, bits))], capture_output=True, text=True, timeout=120,
        check=False, env={**os.environ, "COLUMNS": "300", "LANG": "C.UTF-8", "LANGUAGE": "en"},
    )  # fmt: skip
    about = _LAYERS[layer]
    assert f"no longer prevented: {about.prevents}" in done.stdout, done.stderr
    assert f"{about.name} does not work: " in done.stdout
    assert (done.returncode, "--untrusted refuses to play" in done.stdout) == (int(about.required), about.required)
    assert ("no longer prevented: everything above at once" in done.stdout) == about.required
