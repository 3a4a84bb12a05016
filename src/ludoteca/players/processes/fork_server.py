"""A prepared process that forks one for each match; started by `forks` alone.

It has imported Python's library, NumPy, our core, our games and our agents, and nothing else: it never holds a seed, a
view or a stranger's code, so neither do the processes that it forks, until they are told. It talks over sockets::

    control          in: length, JSON {"path", "prints", "nice", "sandbox"}; then for each process that is wanted the
                     MiB that it may take and JSON {"game", "core", "shown", "link"}, with two sockets: its wire,
                     its life
                     out: length, JSON {"limits_memory", "refusal"} when it is prepared
    life             out, at first its number, then an answer to each of these: length, answer
                     in: "?"   how it ended: its status and what it wrote last; nothing while it runs; the status
                               NOT_LOCKED_UP for one that could not be made a sandbox, and why
                     in: "h"   halts what it has started outside of its group; the CPU seconds that those have used
                     in: "g"   the same once more, and lets those go on
                     closed: it is killed with all that it has started, and then this end is closed too

Whatever is closed by whom, nothing outlives it: this process ends with the control socket, and its children with it.
With "sandbox" all that it forks are sandboxes (see `sandbox.enter`), each of which sees what "shown" and "link" say of
strangers' files (see `sandbox.sight`) and runs on "core"; "refusal" says why that is not possible here, and is empty
where it is.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import struct
import sys
from dataclasses import dataclass

from ludoteca import games
from ludoteca.players.processes import agent_loop as serving
from ludoteca.players.processes import linux as processes
from ludoteca.players.processes.memory import address_space, can_limit_memory, limit_memory
from ludoteca.players.processes.preload import prepare
from ludoteca.players.processes.wire import SIZE
from ludoteca.players.sandbox.launch import NOT_LOCKED_UP, Cells, Printed
from ludoteca.players.sandbox.visible_files import Sight

__all__ = ["COMPUTED", "GO_ON", "HALT", "HOW_ENDED", "NOT_LOCKED_UP", "NUMBER", "WANTED", "main"]

WANTED = struct.Struct("<iI")
"""The MiB that a process may take, -1 for as many as it likes; and the length of the JSON that follows."""
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
    family: processes.Family | None
    """What it has started itself; None for a sandbox, which starts nothing."""
    complaint: int = -1
    """Where a sandbox says why it could not be made one: nobody else can write there. -1 for other processes."""
    printed: Printed | None = None
    """What a sandbox prints, where that is of interest."""


class _Template:
    def __init__(self, control: socket.socket, prints: bool, sandbox: bool) -> None:
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
        self._cells = Cells() if sandbox else None
        self._prints = prints
        self._printing: dict[int, _Forked] = {}  # by the handle where it comes out

    def serve(self) -> None:
        """Forks until the owner closes the control socket."""
        refusal = self._cells.try_one() if self._cells else ""
        told = json.dumps({"limits_memory": self._limits_memory, "refusal": refusal}).encode()
        self._control.sendall(SIZE.pack(len(told)) + told)
        while True:
            for handle, _ in self._poll.poll():
                if handle == self._control.fileno():
                    if not self._fork():
                        return
                elif handle in self._forked:
                    self._hear(self._forked[handle])
                elif handle in self._printing:
                    self._pass_on(self._printing[handle])

    def _fork(self) -> bool:
        """Forks what is asked for; False when nobody is there any more to ask."""
        message, handles, _, _ = socket.recv_fds(self._control, WANTED.size, 2)
        if not message:
            return False
        wire, life = handles
        memory, length = WANTED.unpack(message)
        wanted = json.loads(self._control.recv(length, socket.MSG_WAITALL))
        if games.is_ours(wanted["game"].partition(":")[0]):
            serving.game_for(wanted["game"])  # once for all that are forked from now on
        output, written = os.pipe()
        os.set_blocking(output, False)
        os.set_blocking(written, False)  # whoever writes a lot loses it, and is not held up
        forked = _Forked(0, socket.socket(fileno=life), output, None)
        if self._cells is None:
            forked.number = os.fork()
            if forked.number == 0:
                self._become_child(written, [life, output])
                sys.stdout, sys.stderr = self._out, self._nowhere
                self._limit_memory(memory)
                serving.play(wire)
            forked.family = processes.Family(forked.number, self._births)
        else:
            forked.printed = Printed.to(1) if self._prints else None
            forked.number, forked.complaint = self._cells.fork(
                wire,
                written,
                Sight(wanted["shown"], wanted["link"]),
                forked.printed,
                lambda: self._limit_memory(memory),
                wanted["core"],
            )
            if forked.printed is not None:
                self._printing[forked.printed.out] = forked
                self._poll.register(forked.printed.out, select.POLLIN)
        os.close(wire)
        os.close(written)
        self._forked[life] = forked
        self._poll.register(life, select.POLLIN)
        self._answer(forked, NUMBER.pack(forked.number))
        return True

    def _limit_memory(self, memory: int) -> None:
        if memory >= 0 and self._limits_memory:
            limit_memory(memory, self._taken)

    def _pass_on(self, forked: _Forked) -> None:
        """Prints what a sandbox has printed, as far as that is allowed."""
        assert forked.printed is not None
        if not forked.printed.pass_on():
            self._poll.unregister(forked.printed.out)
            del self._printing[forked.printed.out]
            forked.printed.close()
            forked.printed = None

    def _become_child(self, written: int, others: list[int]) -> None:
        """What a process must do before anything of an agent runs in it: it keeps its own wire and nothing of ours."""
        processes.lead_session()
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
        elif request == HALT and forked.family is not None:
            forked.family.send(signal.SIGSTOP, self._numbers())
            self._answer(forked, COMPUTED.pack(_computed(forked)))
        elif request == GO_ON and forked.family is not None:
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
        if forked.family is not None:  # a sandbox's ends with it, by the kernel
            forked.family.end(self._numbers())
        if forked.complaint >= 0:
            os.close(forked.complaint)
        while forked.printed is not None:  # nobody is left who could write more
            self._pass_on(forked)
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
    if forked.complaint >= 0 and (complaint := _read_all(forked.complaint)):
        return NUMBER.pack(NOT_LOCKED_UP) + complaint
    return NUMBER.pack(status) + _read_all(forked.output)


def _read_all(handle: int) -> bytes:
    """The last of what has been written there."""
    written = b""
    with contextlib.suppress(OSError):
        while more := os.read(handle, 1 << 16):
            written = (written + more)[-LAST_OUTPUT:]
    return written


def _computed(forked: _Forked) -> float:
    members = forked.family.members if forked.family is not None else set()
    return sum(map(processes.computed, members)) if members else -1.0


def main(handle: int) -> None:
    """Forks for the owner that started this process, at the other end of this socket."""
    control = socket.socket(fileno=handle)
    with control.makefile("rb") as setup:
        head = setup.read(SIZE.size)
        if len(head) < SIZE.size:
            return  # the owner is gone already
        about = json.loads(setup.read(SIZE.unpack(head)[0]))
    prepare(about["path"])
    os.nice(about["nice"])
    template = _Template(control, about["prints"], about["sandbox"])
    try:
        with contextlib.suppress(ConnectionError):  # the owner was killed
            template.serve()
    finally:
        template.close()
