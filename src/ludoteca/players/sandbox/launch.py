"""Forks sandboxes: confines each process first, reports why that failed, and limits what it prints."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import select
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludoteca.agents.tracebacks import explain
from ludoteca.messages import joined, printable, say
from ludoteca.players.sandbox import confinement
from ludoteca.players.sandbox.syscalls import start_session
from ludoteca.players.sandbox.visible_files import VisibleFiles, python_paths

__all__ = ["SETUP_FAILED", "Launcher", "OutputRelay", "explain_refusal"]

SETUP_FAILED = -1000
"""The exit status of a process that could not be confined; no process exits with it."""
MAX_OUTPUT = 1 << 16
"""Bytes that a sandbox may print in all; the rest is lost."""
_REFUSALS = (errno.EPERM, errno.EACCES, errno.EROFS)


@dataclass
class OutputRelay:
    """A pipe that takes what a sandbox prints to our own output."""

    fd: int
    write_fd: int
    """The sandbox's end."""
    target: int
    remaining: int = MAX_OUTPUT
    decoder: codecs.IncrementalDecoder = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))
    """A read may end inside of a character."""

    @classmethod
    def to(cls, target: int) -> OutputRelay:
        """For a new process, into the file descriptor `target`."""
        fd, write_fd = os.pipe()
        os.set_blocking(fd, False)
        return cls(fd, write_fd, target)

    def relay(self) -> bool:
        """Prints what has arrived, without control characters. Returns False at the end."""
        try:
            data = os.read(self.fd, 1 << 16)
        except BlockingIOError:
            return True
        if not data:
            return False
        allowed = data[: self.remaining]
        self.remaining -= len(allowed)
        if allowed:
            with contextlib.suppress(OSError):
                os.write(self.target, printable(self.decoder.decode(allowed)).encode())
                if self.remaining == 0:
                    os.write(self.target, b"\n[...]\n")
        return True

    def close(self) -> None:
        """Closes our end."""
        os.close(self.fd)


class Launcher:
    """Forks sandboxes. The calling process must have one thread."""

    def __init__(self) -> None:
        self._python = python_paths()

    def self_test(self) -> str:
        """Why no sandbox can be made here; empty where one was made and held."""
        if len(os.listdir("/proc/self/task")) > 1:
            return "the process that forks them has more than one thread"
        try:
            pid, setup_error = self._fork(VisibleFiles(), lambda devnull, error_fd: _check_confinement(), ())
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

        def run(devnull: int, error_fd: int) -> None:
            os.close(error_fd)  # from here on the agent's code could write to it
            os.dup2(stderr, 2)
            os.close(stderr)
            if output is not None:
                os.dup2(output.write_fd, 1)
                os.close(output.write_fd)
            sys.stdout, sys.stderr = open(1, "w", buffering=1), open(devnull, "w")  # noqa: SIM115
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
        self, files: VisibleFiles, run: Callable[[int, int], object], fds: Sequence[int], core: int | None = None
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
                devnull = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
                _close_all_but({0, 1, 2, error_fd, devnull, *fds})
                confinement.confine([*self._python, *files.paths], core)
                if files.link:
                    os.symlink(files.link, os.path.basename(files.link))
                for path in files.beside:
                    with contextlib.suppress(FileExistsError):
                        os.symlink(path, os.path.basename(path))
                run(devnull, error_fd)
                status = 0
            except BaseException as error:
                with contextlib.suppress(OSError):
                    os.write(error_fd, _reason(error).encode())
            finally:
                os._exit(status)
        os.close(error_fd)
        return pid, setup_error


def _close_all_but(fds: set[int]) -> None:
    last = -1
    for fd in sorted(fds):
        if last + 1 < fd:  # os.closerange(0, 0) would close all
            os.closerange(last + 1, fd)
        last = fd
    os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))


def _check_confinement() -> None:
    """Tries in a sandbox what must be impossible. Raises OSError if something is possible."""
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
