"""Forks sandboxes: confines each process first, and reports why that failed."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import select
import socket
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ludoteca.agents.tracebacks import explain
from ludoteca.messages import joined, say
from ludoteca.players.sandbox import confinement
from ludoteca.players.sandbox.streams import OutputRelay, close_all_but, open_streams
from ludoteca.players.sandbox.syscalls import die_first, start_session
from ludoteca.players.sandbox.visible_files import VisibleFiles

SETUP_FAILED = -1000
"""The exit status of a process that could not be confined; no process exits with it."""
PAIRS = 4
"""Pairs of sockets for event loops; more loops than this at once share pairs."""
_REFUSALS = (errno.EPERM, errno.EACCES, errno.EROFS)


class Launcher:
    """Forks sandboxes. The calling process must have one thread.

    python: what all of them see (see `python_paths`).
    """

    def __init__(self, python: Sequence[str]) -> None:
        self._python = python

    def self_test(self) -> str:
        """Why no sandbox can be made here; empty where one was made and held."""
        if len(os.listdir("/proc/self/task")) > 1:
            return "the process that forks them has more than one thread"
        try:
            pid, setup_error = self._fork(VisibleFiles(), lambda error_fd: _check_confinement(), ())
        except OSError as error:
            return _reason(error)
        with open(setup_error, "rb") as file:
            reason = file.read().decode(errors="replace")
        _, status = os.waitpid(pid, 0)
        return reason or ("" if status == 0 else f"it ended with {status}")

    def launch(
        self, main: Callable[[], object], fds: Sequence[int], stderr: int, output: OutputRelay | None,
        files: VisibleFiles, core: int | None,
    ) -> tuple[int, int]:  # fmt: skip
        """Forks a sandbox that runs `main`. Returns its pid, and a fd from which to read why its setup failed.

        fds: the file descriptors that it keeps. stderr: its standard error. core: the core on which it runs, None for
        any.
        """

        def run(error_fd: int) -> None:
            open_streams(stderr, output)
            os.close(error_fd)  # from here on the agent's code could write to it
            poll = select.poll()
            poll.register(2, 0)
            if poll.poll(0):  # our parent, which reads it, ended before we asked the kernel to die with it
                os._exit(1)
            main()

        kept = [*fds, stderr, *([] if output is None else [output.write_fd])]
        try:
            return self._fork(files, run, kept, core)
        except OSError as error:  # such as too many namespaces: report it as the failure of an ordinary process
            pid = os.fork()
            if pid == 0:
                os._exit(1)
            setup_error, error_fd = os.pipe()
            os.write(error_fd, _reason(error).encode())
            os.close(error_fd)
            return pid, setup_error
        finally:
            if output is not None:
                os.close(output.write_fd)

    def _fork(
        self, files: VisibleFiles, run: Callable[[int], object], fds: Sequence[int], core: int | None = None
    ) -> tuple[int, int]:
        setup_error, error_fd = os.pipe()
        os.set_blocking(error_fd, False)
        try:
            pid = confinement.fork()
        except OSError:
            os.close(setup_error)
            os.close(error_fd)
            raise
        if pid == 0:
            status = 1
            try:
                start_session()
                die_first()
                wakeups = _Wakeups()
                close_all_but({error_fd, *fds, *wakeups.fds})
                confinement.confine([*self._python, *files.paths], core)
                if files.link:
                    os.symlink(files.link, os.path.basename(files.link))
                for path in files.beside:
                    with contextlib.suppress(FileExistsError):
                        os.symlink(path, os.path.basename(path))
                wakeups.install()
                run(error_fd)
                status = 0
            except BaseException as error:
                with contextlib.suppress(OSError):
                    os.write(error_fd, _reason(error).encode())
            finally:
                os._exit(status)
        os.close(error_fd)
        return pid, setup_error


class _Wakeups:
    """The sockets with which asyncio wakes an event loop, made before the filter refuses new ones.

    The kernel numbers pipes and sockets for the whole machine, and `fstat` shows the number: who may make thousands of
    them in one match can leave a number for the next. So a sandbox has a few pairs from its start, and each event loop
    gets duplicates of one.
    """

    def __init__(self) -> None:
        self._pairs = [socket.socketpair() for _ in range(PAIRS)]
        self._turns = itertools.cycle(self._pairs)
        self.fds = [end.fileno() for pair in self._pairs for end in pair]

    def install(self) -> None:
        """Makes `socket.socketpair` return them; with arguments it does what it did."""
        unchanged = socket.socketpair

        def socketpair(*arguments: Any, **named: Any) -> tuple[socket.socket, socket.socket]:
            if arguments or named:
                return unchanged(*arguments, **named)
            one, other = next(self._turns)
            return one.dup(), other.dup()

        socket.socketpair = socketpair


def _check_confinement() -> None:
    """Tries in a sandbox what must be impossible. Raises OSError if something is possible."""
    for what, attempt in (
        ("to open a socket", socket.socket),
        ("to fork", lambda: os.fork() or os._exit(0)),
        ("to write to the root", lambda: open("/mine", "w")),  # noqa: SIM115
        ("to become root", lambda: os.setuid(0)),
        ("to choose its core", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0))),
        ("to see accounts", lambda: os.stat("/etc/passwd")),
        ("to see how much memory is free", lambda: os.stat("/proc/meminfo")),
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


def _starts_process(error: BaseException) -> bool:
    """Whether an exception comes from an attempt to start a process, whatever the system says about it."""
    files = [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)]
    return any(
        each.name == "subprocess.py" or "multiprocessing" in each.parts or each.parts[-2:] == ("futures", "process.py")
        for each in files
    )


def explain_refusal(error: BaseException) -> str:
    """The traceback of an exception in a sandbox, with a hint when the sandbox may have caused it."""
    text, cause = explain(error), error
    seen: set[int] = set()
    while id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, OSError) and _starts_process(cause):
            hint = say("Submissions may not start processes: compute in this one, without multiprocessing.")
            return joined([text, hint], "\n")
        if isinstance(cause, OSError) and cause.errno in _REFUSALS:
            hint = say(
                "An agent in the sandbox starts no processes, reaches no network and writes only to its scratch folder."
            )
            return joined([text, hint], "\n")
        cause = cause.__cause__ or cause.__context__ or error
    return text
