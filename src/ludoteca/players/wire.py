"""How the arena and the process of an agent talk: over two pipes of their own, in frames that know their length.

::

    to the host      kind (1 byte)  length (4 bytes)  payload
        S            JSON: the import path, the game, the memory limit       once
        N            JSON: agent, seat, seed                                 before every match
        V            seconds (double), nodes (8 bytes), the view's bytes     a game of the core
        P            the same, then the view pickled                         a game in Python
    from the host                   length (4 bytes)  JSON

Pickles travel only towards the agent. What comes back is JSON and is believed in nothing but its form.
"""

from __future__ import annotations

import fcntl
import os
import select
import struct
import time

__all__ = ["HEAD", "LIMIT", "SIZE", "Silence", "die_with", "read_exactly", "read_within", "write_all"]

HEAD = struct.Struct("<cI")
SIZE = struct.Struct("<I")
LIMIT = struct.Struct("<dq")
"""Seconds (NaN for none) and nodes (-1 for none)."""
LONGEST_ANSWER = 1 << 16


class Silence(Exception):
    """No whole answer came in time."""


def write_all(handle: int, data: bytes) -> None:
    """Writes all of it. Raises BrokenPipeError when nobody reads any more."""
    while data:
        data = data[os.write(handle, data) :]


def read_exactly(handle: int, count: int) -> bytes:
    """So many bytes, waiting for them as long as it takes. Raises EOFError when the other side is gone."""
    data = b""
    while len(data) < count:
        more = os.read(handle, count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def read_within(handle: int, deadline: float) -> bytes:
    """One answer, if it is whole by `deadline` on the monotonic clock.

    Raises Silence when it is not, EOFError when the other side is gone, and ValueError for an absurd length.
    """
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    data, wanted = b"", SIZE.size
    while len(data) < wanted:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise Silence
        more = os.read(handle, LONGEST_ANSWER)
        if not more:
            raise EOFError
        data += more
        if wanted == SIZE.size and len(data) >= SIZE.size:
            wanted += SIZE.unpack_from(data)[0]
            if wanted > LONGEST_ANSWER:
                raise ValueError(f"an answer of {wanted} bytes")
    return data[SIZE.size :]


def die_with(life: int) -> None:
    """From now on this process is killed when the other end of the pipe `life` closes, whatever it is doing.

    The kernel sends the signal, so that even a tight loop in native code does not outlive a killed arena.
    """
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([life], [], [], 0)[0]:  # it closed before we asked to be told
        os._exit(1)
