"""The protocol between us and an agent's process: frames with a length, over one stream socket.

::

    frame            kind (1 byte)  request number (4 bytes)  payload length (4 bytes)  payload

    to the agent
        build        game, agent, seat, seed, key as JSON, then the views seen before, each after its length (4 bytes)
        decide       seconds, nodes, timeout, flags, key (see DECIDE_HEADER), then the view
        stop         empty: answer the request of this number now
        drop         empty: the agent whose key is the request number is no longer needed

    from the agent
        ready        "t" for a Thinker, empty for another agent
        thought      JSON: a decision that a better one may replace
        decision     JSON: the final decision
        fault        JSON: ending, message

Every reply carries the number of its request, so a late reply to an old request is never taken for a reply to the new
one. Views are sent as their bytes; views of games written in Python are pickled. Pickles are sent only to the agent.
Replies are JSON of limited size, and every field is checked.
"""

from __future__ import annotations

import fcntl
import json
import os
import pickle
import select
import struct
import time
from collections.abc import Callable
from typing import NamedTuple

from ludoteca.protocols import Game, Limit, Seat, View

BUILD, DECIDE, STOP, DROP = b"B", b"Q", b"S", b"D"
READY, THOUGHT, DECISION, FAULT = b"R", b"T", b"A", b"F"
THINKER = b"t"

HEADER = struct.Struct("<cII")
SIZE = struct.Struct("<I")
DECIDE_HEADER = struct.Struct("<dqdBI")
"""Seconds (NaN for none), nodes (-1 for none), timeout, whether to stream thoughts, the agent's key."""
CHUNK = 1 << 16
"""Bytes per read."""
MAX_PAYLOAD = 1 << 18
"""Bytes of the longest payload that an agent may send."""


class Malformed(ValueError):
    """The received bytes are not a valid frame."""


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    request: int
    """The number of the request that it is, or that it answers."""
    payload: bytes


class Wire:
    """One end of the socket. One thread may send while another receives."""

    def __init__(self, fd: int, max_payload: int | None = None) -> None:
        self.fd = fd
        self._max_payload = max_payload
        self._unread, self._place = b"", 0  # received bytes, and how many of them have been read
        self._incoming = select.poll()
        self._incoming.register(fd, select.POLLIN)
        self.received = 0
        """Bytes received so far."""

    def send(self, kind: bytes, request: int, payload: bytes = b"", timeout: float | None = None) -> bool:
        """Sends a frame. Returns False when the socket did not take all of it within `timeout` seconds.

        Raises OSError when the other end is closed.
        """
        data = HEADER.pack(kind, request, len(payload)) + payload
        try:
            sent = os.write(self.fd, data)
        except BlockingIOError:
            sent = 0
        return sent == len(data) or self._send_rest(data[sent:], timeout)

    def _send_rest(self, data: bytes, timeout: float | None) -> bool:
        deadline = None if timeout is None else time.monotonic() + timeout
        poll = select.poll()
        poll.register(self.fd, select.POLLOUT)
        while data:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and (left <= 0 or not poll.poll(left * 1000)):
                return False
            try:
                data = data[os.write(self.fd, data) :]
            except BlockingIOError:
                poll.poll(None if left is None else left * 1000)
        return True

    def readable(self) -> bool:
        """Whether a read would not block: data has arrived, or the other end is closed."""
        return bool(self._place < len(self._unread) or self._incoming.poll(0))

    def receive(self, timeout: float | None = None) -> Frame | None:
        """The next frame; None when no whole frame arrived within `timeout` seconds of silence.

        Raises EOFError when the other end is closed, OSError, and Malformed.
        """
        while True:
            start = self._place + HEADER.size
            if len(self._unread) >= start:
                kind, request, length = HEADER.unpack_from(self._unread, self._place)
                if self._max_payload is not None and length > self._max_payload:
                    raise Malformed(f"a frame of {length} bytes")
                if len(self._unread) >= start + length:
                    self._place = start + length
                    return Frame(kind, request, self._unread[start : self._place])
            if timeout is not None and not self._incoming.poll(timeout * 1000):
                return None
            more = os.read(self.fd, CHUNK)
            if not more:
                raise EOFError
            self.received += len(more)
            self._unread, self._place = self._unread[self._place :] + more, 0


class Request(NamedTuple):
    """A request for a decision, without its view."""

    limit: Limit
    timeout: float
    stream: bool
    """Whether to send thoughts before the decision."""
    key: int
    """Which agent of a shared process decides."""

    def pack(self, view: bytes) -> bytes:
        """The payload, with the view."""
        seconds, nodes = self.limit.seconds, self.limit.nodes
        seconds, nodes = float("nan") if seconds is None else seconds, -1 if nodes is None else nodes
        return DECIDE_HEADER.pack(seconds, nodes, self.timeout, self.stream, self.key) + view

    @classmethod
    def unpack(cls, payload: bytes) -> tuple[Request, bytes]:
        """The request and the bytes of its view."""
        seconds, nodes, timeout, stream, key = DECIDE_HEADER.unpack_from(payload)
        limit = Limit(None if seconds != seconds else seconds, None if nodes < 0 else nodes)
        return cls(limit, timeout, bool(stream), key), payload[DECIDE_HEADER.size :]


class Build(NamedTuple):
    """A request to build an agent: all that is needed to build it again elsewhere, with what it has seen."""

    game: str
    agent: str
    seat: Seat
    seed: int
    key: int
    """Under which a shared process keeps it."""
    seen: list[bytes]
    """The views that it has decided on (see `pack_view`)."""

    def pack(self) -> bytes:
        """The payload."""
        parts = (json.dumps(self[:-1]).encode(), *self.seen)
        return b"".join(SIZE.pack(len(part)) + part for part in parts)

    @classmethod
    def unpack(cls, payload: bytes) -> Build:
        """What `pack` packed."""
        parts, place = [], 0
        while place < len(payload):
            (length,) = SIZE.unpack_from(payload, place)
            place += SIZE.size
            parts.append(payload[place : place + length])
            place += length
        game, agent, seat, seed, key = json.loads(parts[0])
        return cls(game, agent, seat, seed, key, parts[1:])


def pack_view(game: Game, view: View) -> bytes:
    """The bytes of a view, as they are sent to an agent."""
    return bytes(view) if hasattr(game, "view_from") else pickle.dumps(view)


def view_reader(game: Game) -> Callable[[bytes], View]:
    """The inverse of `pack_view`. Only for the agent's process, because it may unpickle."""
    reader: Callable[[bytes], View] = getattr(game, "view_from", pickle.loads)
    return reader


def die_with_pipe(fd: int) -> None:
    """Makes the kernel kill this process when the other end of the pipe `fd` closes.

    The signal also ends a tight loop in native code, so no worker outlives a killed arena.
    """
    fcntl.fcntl(fd, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([fd], [], [], 0)[0]:  # it was closed before
        os._exit(1)
