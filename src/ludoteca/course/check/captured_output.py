"""What the processes of a submission print, read from a pipe."""

from __future__ import annotations

import os
import threading
from typing import Self

KEPT = 4096
"""Bytes of output that are kept; the rest is only counted."""


class CapturedOutput:
    """A pipe for the output of child processes. After the context has ended, all of it has been read."""

    def __init__(self) -> None:
        self._read_end, self.fd = os.pipe()
        """`fd` is where the children write."""
        self._kept = b""
        self.bytes = 0
        """How much was printed."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)
        self._reader.join(timeout=5)  # it ends when the last child has closed its end

    def _read(self) -> None:
        while data := os.read(self._read_end, 1 << 16):
            self.bytes += len(data)
            self._kept += data[: KEPT - len(self._kept)]
        os.close(self._read_end)

    @property
    def first_lines(self) -> list[str]:
        """The first three lines that are not empty, without control characters."""
        text = self._kept.decode(errors="replace")
        lines = ("".join(each for each in line if each.isprintable())[:100] for line in text.splitlines())
        return [line for line in lines if line.strip()][:3]
