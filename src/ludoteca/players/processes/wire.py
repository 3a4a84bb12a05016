"""How we talk with the process of an agent: frames that know their length, over one stream socket.

::

    frame            kind (1 byte)  number (4 bytes)  length (4 bytes)  payload

    to the agent
        build        length of the JSON (4 bytes), JSON: game, agent, seat, seed; then the views seen before, each with
                     its length (4 bytes)
        ask          seconds, nodes, timeout, flags, key (see QUESTION), then the view
        stop         nothing: the question of this number is to be answered now
        drop         key: this agent is needed no more

    from the agent
        ready        JSON: whether it is a Thinker
        thought      JSON: a decision that may still be replaced by a better one
        answer       JSON: the decision
        fault        JSON: ending, message

Whatever comes back carries the number of the request that it answers, so that a late answer to an old question is never
taken for one to the new. Views travel as their bytes, those of games in Python pickled; pickles travel only towards
the agent. What comes back is JSON, limited in size, and believed in nothing but its form.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import select
import struct
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludoteca.protocols import Game, Limit, View

__all__ = [
    "ANSWER",
    "ASK",
    "BUILD",
    "DROP",
    "FAULT",
    "READY",
    "STOP",
    "THOUGHT",
    "Frame",
    "Malformed",
    "Question",
    "Wire",
    "die_with",
    "pack_build",
    "pack_view",
    "unpack_build",
    "view_reader",
]

BUILD, ASK, STOP, DROP = b"B", b"Q", b"S", b"D"
READY, THOUGHT, ANSWER, FAULT = b"R", b"T", b"A", b"F"

HEAD = struct.Struct("<cII")
SIZE = struct.Struct("<I")
QUESTION = struct.Struct("<dqdBI")
"""Seconds (NaN for none), nodes (-1 for none), timeout, whether thoughts are wanted, the agent's key."""
CHUNK = 1 << 16
"""Bytes that are read at once."""
LONGEST = 1 << 20
"""Bytes of the longest frame that an agent may send."""


class Malformed(ValueError):
    """What came is no frame."""


class Frame(NamedTuple):
    """One message."""

    kind: bytes
    number: int
    payload: bytes


class Wire:
    """One end of a conversation, for one thread that sends and one that receives."""

    def __init__(self, handle: int, longest: int | None = None) -> None:
        self.handle = handle
        self._longest = longest
        self._unread = b""
        self._incoming = select.poll()
        self._incoming.register(handle, select.POLLIN)
        self.received = 0
        """Bytes so far."""

    def send(self, kind: bytes, number: int, payload: bytes = b"", within: float | None = None) -> bool:
        """Sends a frame in one write, where there is room for it. False when there was none `within` so many seconds.

        Raises OSError when nobody reads any more.
        """
        data = HEAD.pack(kind, number, len(payload)) + payload
        try:
            sent = os.write(self.handle, data)
        except BlockingIOError:
            sent = 0
        return sent == len(data) or self._send_rest(data[sent:], within)

    def _send_rest(self, data: bytes, within: float | None) -> bool:
        deadline = None if within is None else time.monotonic() + within
        poll = select.poll()
        poll.register(self.handle, select.POLLOUT)
        while data:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and (left <= 0 or not poll.poll(left * 1000)):
                return False
            try:
                data = data[os.write(self.handle, data) :]
            except BlockingIOError:
                poll.poll(None if left is None else left * 1000)
        return True

    def has_news(self) -> bool:
        """Whether anything has come, the end of the other side included."""
        return bool(self._unread or self._incoming.poll(0))

    def receive(self, within: float | None = None) -> Frame | None:
        """The next frame; None when nothing came `within` so many seconds, though part of a frame may have.

        Raises EOFError when the other side is gone, OSError, and Malformed.
        """
        while True:
            data = self._unread
            if len(data) >= HEAD.size:
                kind, number, length = HEAD.unpack_from(data)
                if self._longest is not None and length > self._longest:
                    raise Malformed(f"a frame of {length} bytes")
                end = HEAD.size + length
                if len(data) >= end:
                    self._unread = data[end:]
                    return Frame(kind, number, data[HEAD.size : end])
            if within is not None and not self._incoming.poll(within * 1000):
                return None
            more = os.read(self.handle, CHUNK)
            if not more:
                raise EOFError
            self.received += len(more)
            self._unread = data + more


class Question(NamedTuple):
    """What an agent is asked, but for the view."""

    limit: Limit
    timeout: float
    stream: bool
    """Whether thoughts before the last are of interest."""
    key: int
    """Which of the agents of a shared process is meant."""

    def pack(self, view: bytes) -> bytes:
        """With the view, as it travels."""
        seconds, nodes = self.limit.seconds, self.limit.nodes
        seconds, nodes = float("nan") if seconds is None else seconds, -1 if nodes is None else nodes
        return QUESTION.pack(seconds, nodes, self.timeout, self.stream, self.key) + view

    @classmethod
    def unpack(cls, payload: bytes) -> tuple[Question, bytes]:
        """The question and its view's bytes."""
        seconds, nodes, timeout, stream, key = QUESTION.unpack_from(payload)
        limit = Limit(None if seconds != seconds else seconds, None if nodes < 0 else nodes)
        return cls(limit, timeout, bool(stream), key), payload[QUESTION.size :]


def pack_view(game: Game, view: View) -> bytes:
    """A view as it travels towards an agent."""
    return bytes(view) if hasattr(game, "view_from") else pickle.dumps(view)


def view_reader(game: Game) -> Callable[[bytes], View]:
    """What makes views of a game again from what `pack_view` made. Only for the agent's side: it may unpickle."""
    reader: Callable[[bytes], View] = getattr(game, "view_from", pickle.loads)
    return reader


def pack_build(about: bytes, seen: Sequence[bytes]) -> bytes:
    """What a build request holds."""
    parts = [SIZE.pack(len(about)), about]
    for view in seen:
        parts += [SIZE.pack(len(view)), view]
    return b"".join(parts)


def unpack_build(payload: bytes) -> tuple[bytes, list[bytes]]:
    """What `pack_build` was given."""
    parts, place = [], 0
    while place < len(payload):
        (length,) = SIZE.unpack_from(payload, place)
        place += SIZE.size
        parts.append(payload[place : place + length])
        place += length
    return parts[0], parts[1:]


def die_with(life: int) -> None:
    """From now on this process is killed when the other end of the pipe `life` closes, whatever it is doing.

    The kernel sends the signal, so that even a tight loop in native code does not outlive a killed arena.
    """
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([life], [], [], 0)[0]:  # it closed before we asked to be told
        os._exit(1)
