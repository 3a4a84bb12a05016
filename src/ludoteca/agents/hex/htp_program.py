"""The process of a program that speaks the Hex Text Protocol: start it, send it commands, log them, end it."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import shlex
import subprocess
import tempfile
import time
import weakref
from functools import partial
from pathlib import Path
from typing import IO, Final

MAX_ANSWER: Final = 1 << 20
"""Bytes of the longest answer that is accepted."""
ERROR_TAIL: Final = 500
"""Characters from the end of the standard error that go into the message when a program dies."""
EXIT_SECONDS: Final = 1.0
"""Seconds that a program has to exit after it has closed its output."""


class HtpFailed(Exception):
    """The program broke the protocol; the message says how."""


class HtpDied(HtpFailed):
    """The program has ended, or did not start."""


class HtpLate(HtpFailed):
    """The program did not answer in time and was killed."""


class HtpRefused(HtpFailed):
    """The program refused a command (its answer starts with "?"); the message is its reason."""


class HtpProgram:
    """One run of the program. After `HtpDied` or `HtpLate` it has ended: start another."""

    def __init__(self, command: str, log: Path | None = None, memory: int = 0) -> None:
        """memory: MiB of address space for the program; 0 for no limit. Raises HtpDied when it cannot be started."""
        self._log: IO[str] | None = None if log is None else open(log, "a", encoding="utf-8")  # noqa: SIM115
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        self._unread = b""
        self._note(f"starting {command}")
        try:
            self._process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0,
                preexec_fn=partial(_limit_memory, memory) if memory else None,
            )  # fmt: skip
        except OSError as error:
            self._errors.close()
            raise HtpDied(f"it does not start: {error}") from None
        self._finish = weakref.finalize(self, _end, self._process, self._errors, self._log)

    def ask(self, command: str, seconds: float) -> str:
        """The answer to a command. Raises HtpRefused, HtpDied, HtpLate, or HtpFailed for a malformed answer."""
        deadline = time.monotonic() + seconds
        self._note(f"> {command}")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n".encode())
        except OSError:
            raise self._died() from None
        try:
            answer = self._answer(deadline)
        except TimeoutError:
            late = self._note(f"no answer to {command!r} within {seconds:.3g} s")
            self.close()
            raise HtpLate(late) from None
        self._note(f"< {answer}")
        if answer[:1] not in ("=", "?"):
            self.close()
            raise HtpFailed(f"it answered {command!r} with {answer[:80]!r}, which begins with neither = nor ?")
        said = answer[1:].strip()
        if answer[0] == "?":
            raise HtpRefused(said or "no reason")
        return said

    def close(self) -> None:
        """Kill the program. Safe to call twice."""
        self._finish()
        self._log = None

    def _answer(self, deadline: float) -> str:
        """Read up to an empty line. Raises TimeoutError and HtpFailed."""
        assert self._process.stdout is not None
        handle = self._process.stdout.fileno()
        while True:
            text = self._unread.replace(b"\r", b"").lstrip(b"\n")
            said, empty, rest = text.partition(b"\n\n")
            if empty:
                self._unread = rest
                return said.decode(errors="replace")
            if len(text) > MAX_ANSWER:
                self.close()
                raise HtpFailed("its answer does not end")
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([handle], [], [], left)[0]:
                raise TimeoutError
            more = os.read(handle, 1 << 16)
            if not more:
                raise self._died()
            self._unread += more

    def _died(self) -> HtpDied:
        try:
            status: int | None = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
        self._errors.seek(0)
        written = " ".join(self._errors.read().decode(errors="replace").split())
        how = "closed its output" if status is None else f"ended with status {status}"
        reason = self._note(f"the program {how}" + (f": {written[-ERROR_TAIL:]}" if written else ""))
        self.close()
        return HtpDied(reason)

    def _note(self, text: str) -> str:
        """Write a line to the log, if there is one. Returns the text."""
        if self._log is not None:
            self._log.write(f"{time.strftime('%H:%M:%S')} {text}\n")
            self._log.flush()
        return text


def _limit_memory(mebibytes: int) -> None:
    """In the new process, before the program runs. A lower limit that this process has stays."""
    _, highest = resource.getrlimit(resource.RLIMIT_AS)
    limit = mebibytes * 2**20
    if highest != resource.RLIM_INFINITY:
        limit = min(limit, highest)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _end(process: subprocess.Popen[bytes], errors: IO[bytes], log: IO[str] | None) -> None:
    process.kill()
    for stream in (process.stdin, process.stdout, errors, log):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    process.wait()
