"""The file descriptors of an agent's process: standard streams of its own, its wire, and nothing of ours.

Two processes that share an open file description share its locks, flags, owner and signal, and could leave notes there
from one match to the next. So every stream is opened anew for each process.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from ludoteca.messages import printable

MAX_OUTPUT = 1 << 16
"""Bytes that a process may print in all; the rest is lost."""


@dataclass
class OutputRelay:
    """A pipe that takes what a process prints to our own output."""

    fd: int
    write_fd: int
    """The process's end."""
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


def close_all_but(fds: Iterable[int]) -> None:
    """Closes every file descriptor of this process except these."""
    last = -1
    for fd in sorted(fds):
        if last + 1 < fd:  # os.closerange(0, 0) would close all
            os.closerange(last + 1, fd)
        last = fd
    os.closerange(last + 1, os.sysconf("SC_OPEN_MAX"))


def open_streams(stderr: int, output: OutputRelay | None) -> None:
    """Opens standard input, which is empty, output and error of this process, whose own were closed.

    stderr: the pipe for what the C library and our core report; what Python code prints to `sys.stderr` is lost.
    output: where it prints; None: that is lost.
    """
    for target, source, flags in (
        (0, None, os.O_RDONLY),
        (1, None if output is None else output.write_fd, os.O_WRONLY),
        (2, stderr, 0),
    ):
        fd = os.open(os.devnull, flags) if source is None else source
        if fd != target:
            os.dup2(fd, target)
            os.close(fd)
        os.set_inheritable(target, True)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w", buffering=1), open(os.devnull, "w")  # noqa: SIM115
