"""Sandboxes as the template forks them: each locked up first, told of if that fails, its prints limited."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import select
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from ludoteca.agents.tracebacks import explain
from ludoteca.messages import joined, printable, say
from ludoteca.players.processes import agent_loop as serving
from ludoteca.players.processes.linux import lead_session
from ludoteca.players.sandbox import confinement as enter
from ludoteca.players.sandbox.visible_files import Sight, of_python

__all__ = ["NOT_LOCKED_UP", "Cells", "Printed"]

NOT_LOCKED_UP = -1000
"""The status of a process that could not be made a sandbox; no process ends so by itself."""
PRINTED = 1 << 16
"""Bytes that a sandbox may print in all; the rest is lost."""
_REFUSALS = (errno.EPERM, errno.EACCES, errno.EROFS)


@dataclass
class Printed:
    """What a sandbox prints, on its way to our own output."""

    out: int
    into: int
    """Its own end, for the process itself."""
    where: int
    left: int = PRINTED
    decoder: codecs.IncrementalDecoder = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))
    """A letter may come in two parts."""

    @classmethod
    def to(cls, where: int) -> Printed:
        """For a new process, to be printed there."""
        out, into = os.pipe()
        os.set_blocking(out, False)
        return cls(out, into, where)

    def pass_on(self) -> bool:
        """Prints what there is of it, what could move the cursor left out; False when there will be no more."""
        try:
            data = os.read(self.out, 1 << 16)
        except BlockingIOError:
            return True
        if not data:
            return False
        allowed = data[: self.left]
        self.left -= len(allowed)
        if allowed:
            with contextlib.suppress(OSError):
                os.write(self.where, printable(self.decoder.decode(allowed)).encode())
                if self.left == 0:
                    os.write(self.where, b"\n[...]\n")
        return True

    def close(self) -> None:
        """Gives its handle back."""
        os.close(self.out)


class Cells:
    """Forks sandboxes. For a process with one thread."""

    def __init__(self) -> None:
        self._python = of_python()

    def try_one(self) -> str:
        """Why there can be no sandbox here; empty where one was made, and held."""
        if len(os.listdir("/proc/self/task")) > 1:
            return "the process that forks them has more than one thread"
        try:
            number, complaint = self._start(Sight(), lambda nowhere, complain: _attest(), ())
        except OSError as error:
            return _reason(error)
        with open(complaint, "rb") as said:
            reason = said.read().decode(errors="replace")
        _, status = os.waitpid(number, 0)
        return reason or ("" if status == 0 else f"it ended with {status}")

    def fork(
        self, wire: int, written: int, seen: Sight, printed: Printed | None, limit_memory: Callable[[], None],
        core: int | None,
    ) -> tuple[int, int]:  # fmt: skip
        """Forks one that plays over this wire: its number, and where it says why it could not be locked up.

        written: its standard error. core: the one that it has; None for any.
        """

        def live(nowhere: int, complain: int) -> NoReturn:
            os.close(complain)  # what comes now is the stranger's
            os.dup2(written, 2)
            os.close(written)
            if printed is not None:
                os.dup2(printed.into, 1)
                os.close(printed.into)
            limit_memory()
            sys.stdout, sys.stderr = open(1, "w", buffering=1), open(nowhere, "w")  # noqa: SIM115
            watched = select.poll()
            watched.register(2, 0)
            if watched.poll(0):  # our parent, which would read it, was gone before we asked to die with it
                os._exit(1)
            serving.play(wire, explain_refusal)

        mine = [wire, written, *([] if printed is None else [printed.into])]
        try:
            return self._start(seen, live, mine, core)
        except OSError as error:  # there are too many namespaces just now, say: its owner is to know, as of any other
            number = os.fork()
            if number == 0:
                os._exit(1)
            complaint, complain = os.pipe()
            os.write(complain, _reason(error).encode())
            os.close(complain)
            return number, complaint
        finally:
            if printed is not None:
                os.close(printed.into)

    def _start(
        self, seen: Sight, live: Callable[[int, int], object], mine: Sequence[int], core: int | None = None
    ) -> tuple[int, int]:
        complaint, complain = os.pipe()
        os.set_blocking(complain, False)
        try:
            number = enter.fork()
        except OSError:
            os.close(complaint)
            os.close(complain)
            raise
        if number == 0:
            status = 1
            try:
                lead_session()
                nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
                _keep_only({0, 1, 2, complain, nowhere, *mine})
                enter.lock_up([*self._python, *seen.shown], core)
                if seen.link:
                    os.symlink(seen.link, os.path.basename(seen.link))
                live(nowhere, complain)
                status = 0
            except BaseException as error:
                with contextlib.suppress(OSError):
                    os.write(complain, _reason(error).encode())
            finally:
                os._exit(status)
        os.close(complain)
        return number, complaint


def _keep_only(handles: set[int]) -> None:
    """Closes all other handles: whatever this process has inherited, it must not keep."""
    last = -1
    for handle in sorted(handles):
        if last + 1 < handle:  # Python takes an empty range that begins with 0 for all there are
            os.closerange(last + 1, handle)
        last = handle
    os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))


def _attest() -> None:
    """Tries in a sandbox what must not be possible. Raises OSError if something is."""
    for what, attempt in (
        ("to open a socket", socket.socket),
        ("to fork", lambda: os.fork() or os._exit(0)),
        ("to write to the root", lambda: open("/mine", "w")),  # noqa: SIM115
        ("to become root", lambda: os.setuid(0)),
        ("to choose its core", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))),
        ("to see accounts", lambda: os.stat("/etc/passwd")),
    ):
        try:
            attempt()
        except OSError:
            continue
        raise OSError(f"a sandboxed process is able {what}")
    if os.getpid() != 1 or [each for each in os.listdir("/proc") if each.isdigit() and each != "1"]:
        raise OSError("a sandboxed process sees others")


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return f"{type(error).__name__}: {error}"


def explain_refusal(error: BaseException) -> str:
    """What to say of an exception in a sandbox: where it looks like one of its walls, that it is one."""
    text, cause = explain(error), error
    seen: set[int] = set()
    while id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, OSError) and cause.errno in _REFUSALS:
            hint = say(
                "An agent in the sandbox starts no processes, reaches no network and writes only to its scratch folder."
            )
            return joined([text, hint], "\n")
        cause = cause.__cause__ or cause.__context__ or error
    return text
