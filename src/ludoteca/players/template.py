"""A prepared process that forks one for each match; started by `forks` alone.

It has imported Python's library, NumPy, our core, our games and our agents, and nothing else: it never holds a seed, a
view or a stranger's code, so neither do the processes that it forks, until they are told. It talks over sockets::

    control          in: length, JSON {"path", "prints", "nice"}; then for each process that is wanted the MiB that it
                     may take and the game that it will play, with two sockets: its wire and its life
                     out: a byte when it is prepared, 1 where it can limit memory
    life             out, at first its number, then an answer to each of these: length, answer
                     in: "?"   how it ended: its status and what it wrote last; nothing while it runs
                     in: "h"   halts what it has started outside of its group; the CPU seconds that those have used
                     in: "g"   the same once more, and lets those go on
                     closed: it is killed with all that it has started, and then this end is closed too

Whatever is closed by whom, nothing outlives it: this process ends with the control socket, and its children with it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import json
import os
import select
import signal
import socket
import struct
import sys
from dataclasses import dataclass
from importlib.util import find_spec

from ludoteca import agents, games
from ludoteca.agents import entries
from ludoteca.players import processes, serving
from ludoteca.players.memory import address_space, can_limit_memory, limit_memory
from ludoteca.players.wire import ASK, BUILD, SIZE, Question, Wire, pack_build, pack_view
from ludoteca.protocols import Limit

__all__ = ["COMPUTED", "GO_ON", "HALT", "HOW_ENDED", "NUMBER", "WANTED", "main"]

WANTED = struct.Struct("<iI")
"""The MiB that a process may take, -1 for as many as it likes; and the length of the game's spec, which follows."""
NUMBER = struct.Struct("<i")
"""A process's number; or its exit status, negative for a signal."""
COMPUTED = struct.Struct("<d")
"""CPU seconds; -1 where there is nobody who could have used any."""
HOW_ENDED, HALT, GO_ON = b"?", b"h", b"g"
LAST_OUTPUT = 4096
"""Bytes of what a process writes to its standard error that are kept."""


@dataclass(eq=False)
class _Forked:
    """A process, and what is needed to tell of it."""

    number: int
    life: socket.socket
    output: int
    """What it writes to its standard error comes out here, if anybody looks."""
    family: processes.Family
    """What it has started itself."""


class _Template:
    def __init__(self, control: socket.socket, prints: bool) -> None:
        self._control = control
        self._number = os.getpid()
        self._births = processes.Births()
        self._nowhere = open(os.devnull, "w")  # noqa: SIM115 - open as long as the process
        self._out = open(1, "w", buffering=1) if prints else self._nowhere  # noqa: SIM115
        self._forked: dict[int, _Forked] = {}  # by the handle of its life
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._limits_memory = can_limit_memory()
        self._taken = address_space() if self._limits_memory else 0  # and so by whatever it forks

    def serve(self) -> None:
        """Forks until the owner closes the control socket."""
        self._control.send(bytes([self._limits_memory]))
        while True:
            for handle, _ in self._poll.poll():
                if handle == self._control.fileno():
                    if not self._fork():
                        return
                elif handle in self._forked:
                    self._hear(self._forked[handle])

    def _fork(self) -> bool:
        """Forks what is asked for; False when nobody is there any more to ask."""
        message, handles, _, _ = socket.recv_fds(self._control, WANTED.size, 2)
        if not message:
            return False
        wire, life = handles
        memory, length = WANTED.unpack(message)
        spec = self._control.recv(length, socket.MSG_WAITALL).decode() if length else ""
        if games.is_ours(spec.partition(":")[0]):
            serving.game_for(spec)  # once for all that are forked from now on
        output, written = os.pipe()
        os.set_blocking(output, False)
        os.set_blocking(written, False)  # whoever writes a lot loses it, and is not held up
        number = os.fork()
        if number == 0:
            self._become_child(written, [life, output])
            sys.stdout, sys.stderr = self._out, self._nowhere
            if memory >= 0 and self._limits_memory:
                limit_memory(memory, self._taken)
            _play(wire)
        os.close(wire)
        os.close(written)
        family = processes.Family(number, self._births)
        self._forked[life] = _Forked(number, socket.socket(fileno=life), output, family)
        self._poll.register(life, select.POLLIN)
        self._answer(self._forked[life], NUMBER.pack(number))
        return True

    def _become_child(self, written: int, others: list[int]) -> None:
        """What a process must do before anything of an agent runs in it: it keeps its own wire and nothing of ours."""
        os.setsid()
        processes.die_with_parent(self._number)
        for forked in self._forked.values():
            others += [forked.life.fileno(), forked.output]
        self._births.close()
        self._control.close()
        os.dup2(written, 2)
        for handle in (*others, written):
            os.close(handle)

    def _hear(self, forked: _Forked) -> None:
        try:
            request = forked.life.recv(1)
        except OSError:
            request = b""
        if request == HOW_ENDED:
            self._answer(forked, _how_ended(forked))
        elif request == HALT:
            forked.family.send(signal.SIGSTOP, self._numbers())
            self._answer(forked, COMPUTED.pack(_computed(forked)))
        elif request == GO_ON:
            self._answer(forked, COMPUTED.pack(_computed(forked)))
            forked.family.send(signal.SIGCONT, self._numbers())
        else:
            self._end(forked)

    def _numbers(self) -> set[int]:
        return {each.number for each in self._forked.values()}

    def _answer(self, forked: _Forked, answer: bytes) -> None:
        with contextlib.suppress(OSError):  # who is gone is noticed where its end of the socket is read
            forked.life.send(SIZE.pack(len(answer)) + answer)

    def _end(self, forked: _Forked) -> None:
        """Kills a process and all that it started."""
        for kill in (os.kill, os.killpg):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(forked.number, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(forked.number, 0)
        handle = forked.life.fileno()
        self._poll.unregister(handle)
        del self._forked[handle]
        forked.family.end(self._numbers())
        os.close(forked.output)
        forked.life.close()

    def close(self) -> None:
        """Ends all that it forked."""
        for forked in list(self._forked.values()):
            self._end(forked)


def _status(number: int) -> int | None:
    """How a process ended, negative for a signal; None while it runs.

    Where the system can tell without reaping it, its number stays its own until all is over.
    """
    if hasattr(os, "waitid"):
        ended = os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return None if ended is None else ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    process, status = os.waitpid(number, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if process else None


def _how_ended(forked: _Forked) -> bytes:
    status = _status(forked.number)
    if status is None:
        return b""
    written = b""
    with contextlib.suppress(OSError):
        while more := os.read(forked.output, 1 << 16):
            written = (written + more)[-LAST_OUTPUT:]
    return NUMBER.pack(status) + written


def _computed(forked: _Forked) -> float:
    members = forked.family.members
    return sum(map(processes.computed, members)) if members else -1.0


def _play(wire: int) -> None:
    """Serves the owner in a forked process; never returns."""
    status = 1
    try:
        serving.Server(Wire(wire)).serve()
        status = 0
    finally:
        os._exit(status)  # what an agent registered for its exit does not run


def _prepare(path: list[str]) -> None:
    """Imports what players need, so that no forked process does it again; of agents only our own."""
    sys.path[:] = path
    for name in games.names():
        if games.is_ours(name):
            games.game_class(name)
    for name in agents.names():
        if agents.is_ours(name):
            agents.agent_class(name)
    entries.look_here()
    find_spec("no_module_has_such_a_name")  # has every folder looked through once
    _rehearse()
    faulthandler.enable(file=2)  # in a forked process that is where we read why it died
    processes.adopt_orphans()
    processes.hide_memory()
    gc.collect()
    gc.freeze()  # the collector would touch, and so copy, every page that is shared with the forked processes


def _rehearse() -> None:
    """Plays a few moves of each of our games with an agent of ours, as a forked process will with its own.

    What Python learns, fills in or looks up by doing so, no forked process has to do again; more than that, it writes
    to far fewer pages, each of which would have to be copied.
    """
    for name in games.names():
        if not games.is_ours(name):
            continue
        game = games.game(name)
        state = game.deal(0)
        assert state.turn is not None
        view = pack_view(game, state.view(state.turn))
        about = json.dumps({"game": name, "agent": "random", "seat": 0, "seed": 0, "key": 0}).encode()
        question = Question(Limit(1.0), 1.0, False, 0).pack(view)
        here, there = socket.socketpair()
        with here, there:
            asking = Wire(here.fileno())
            asking.send(BUILD, 0, pack_build(about, []))
            for number in range(16):
                asking.send(ASK, number, question)
            here.shutdown(socket.SHUT_WR)
            serving.Server(Wire(there.fileno())).serve()


def main(handle: int) -> None:
    """Forks for the owner that started this process, at the other end of this socket."""
    control = socket.socket(fileno=handle)
    with control.makefile("rb") as setup:
        head = setup.read(SIZE.size)
        if len(head) < SIZE.size:
            return  # the owner is gone already
        about = json.loads(setup.read(SIZE.unpack(head)[0]))
    _prepare(about["path"])
    os.nice(about["nice"])
    template = _Template(control, about["prints"])
    try:
        with contextlib.suppress(ConnectionError):  # the owner was killed
            template.serve()
    finally:
        template.close()
