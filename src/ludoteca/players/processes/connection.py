"""A conversation with the process of an agent: asked with a deadline, stopped, and found out about when it fails."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator

from ludoteca.errors import SandboxError, WorkerError
from ludoteca.messages import from_json, say
from ludoteca.players.decisions import decode
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.agent_loop import LONGEST_TOLD
from ludoteca.players.processes.fork_client import Fork
from ludoteca.players.processes.fork_server import NOT_LOCKED_UP
from ludoteca.players.processes.wire import CHUNK, Frame, Malformed, Question
from ludoteca.players.thought_stream import stopped
from ludoteca.protocols import Decision

__all__ = ["Talk"]

SLICE = 0.05
"""Seconds after which whoever waits looks whether it is still to wait."""
GRACE = 0.25
"""Seconds in which a Thinker must answer when it is stopped; then it is killed."""
PLAIN_GRACE = 0.05
"""The same for an agent that can only act, and will hardly be done just then."""
FLOOD, FLOOD_RATE = 4 << 20, 1 << 20
"""Bytes that an agent may send as an answer to one question, and besides in every second that it takes."""
OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "Cannot allocate memory", "out of memory", "alloc failed")


def _nothing() -> None:
    pass


def _unknown() -> float:
    return 0.0


class Talk:
    """One thread asks; `stop` and `close` are safe from any other.

    After a fault of the process itself it is closed; after a fault that the agent's process tells of, it goes on.
    """

    def __init__(self, fork: Fork) -> None:
        self.fork = fork
        self._number = 0
        self._building, self._grace = False, PLAIN_GRACE
        self._started = self._deadline = self._timeout = 0.0
        self._received = 0
        self._stopping: float | None = None  # since when
        self._asking = False
        self._sending, self._using = threading.Lock(), threading.RLock()
        self._closed = False
        self.waited: Callable[[], float] = _unknown
        """Tells how many seconds the process has waited for a processor since it was asked; where that is known."""

    @property
    def usable(self) -> bool:
        """Whether it may be asked."""
        return not self._closed

    def is_fit(self) -> bool:
        """Whether the process is there and in order, between two requests."""
        with self._using:
            if not self._closed and self.fork.wire.has_news():  # nobody asked: it is its end
                self.close()
        return not self._closed

    def build(self, about: dict[str, object], seen: list[bytes], timeout: float) -> bool:
        """Builds an agent; whether it is a Thinker. Raises Fault."""
        self._building, self._grace = True, PLAIN_GRACE
        frame = self._exchange(wires.BUILD, wires.pack_build(json.dumps(about).encode(), seen), timeout, _nothing)
        if frame.kind != wires.READY:
            raise self._nonsense("an answer before any question")
        try:
            return json.loads(frame.payload)["thinker"] is True
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self._nonsense("no word on what was built") from None

    def decide(
        self, question: Question, view: bytes, num_actions: int, *, thinker: bool, asked: Callable[[], None] = _nothing
    ) -> Decision:
        """The agent's answer. Raises Fault. Calls `asked` when the question lies ready for the agent."""
        self._building, self._grace = False, GRACE if thinker else PLAIN_GRACE
        return self._decision(self._exchange(wires.ASK, question.pack(view), question.timeout, asked), num_actions)

    def think(
        self, question: Question, view: bytes, num_actions: int, *, thinker: bool, asked: Callable[[], None] = _nothing
    ) -> Iterator[Decision]:
        """What the agent thinks, the last being its answer. Raises Fault. Closing this stops the agent."""
        self._building, self._grace = False, GRACE if thinker else PLAIN_GRACE
        self._begin(wires.ASK, question.pack(view), question.timeout, asked)
        try:
            while self._asking:
                frame = self._receive()
                self._asking = frame.kind == wires.THOUGHT
                yield self._decision(frame, num_actions)
        finally:
            if self._asking and not self._closed:
                self._take_back()
            self._asking = False

    def stop(self) -> None:
        """The question in progress is to be answered now. One that is not asked yet is not stopped."""
        if not self._asking or self._stopping is not None:
            return
        self._stopping = time.monotonic()
        # Where a question is being sent just now, or the agent does not read, it is killed a moment later.
        if self._sending.acquire(blocking=False):
            with contextlib.suppress(OSError):
                self.fork.wire.send(wires.STOP, self._number, within=0.0)
            self._sending.release()

    def close(self) -> None:
        """Ends the process. Safe to call twice."""
        self._closed = True
        self.fork.kill()
        with self._using:  # whoever waits sees the wire closed at once
            self.fork.close()

    def _exchange(self, kind: bytes, payload: bytes, timeout: float, asked: Callable[[], None]) -> Frame:
        """What answers a request in the end. Raises Fault."""
        try:
            self._begin(kind, payload, timeout, asked)
            while (frame := self._receive()).kind == wires.THOUGHT:
                pass
            return frame
        finally:
            self._asking = False

    def _take_back(self) -> None:
        """Whoever asked wants no answer any more: the agent stops, or its process ends."""
        self.stop()
        with contextlib.suppress(Fault):
            while self._receive().kind == wires.THOUGHT:
                pass

    def _begin(self, kind: bytes, payload: bytes, timeout: float, asked: Callable[[], None]) -> None:
        """Sends a request; whatever is received from now on is about this one."""
        self._started = time.monotonic()
        self._timeout, self._deadline = timeout, self._started + timeout
        self._received = self.fork.wire.received
        self._stopping = None
        with self._using, self._sending:
            self._number = (self._number + 1) % 2**32
            self._asking = True
            if self._closed:
                raise stopped()
            large = len(payload) > CHUNK
            if large:  # it may find no room before the agent reads
                asked()
            try:
                if not self.fork.wire.send(kind, self._number, payload, timeout):
                    raise self._late()
            except OSError:
                raise self._died() from None
            if not large:
                asked()

    def _receive(self) -> Frame:
        """The next frame about the request in progress, and no late answer to an old one. Raises Fault."""
        wire = self.fork.wire
        while True:
            now = time.monotonic()
            left = self._deadline - now
            if self._stopping is not None:
                left = min(left, self._stopping + self._grace - now)
                if left <= 0:
                    self.close()
                    raise stopped()
            if left <= 0:
                raise self._late()
            with self._using:
                if self._closed:
                    raise stopped()
                try:
                    frame = wire.receive(min(SLICE, left))
                except (EOFError, OSError):
                    raise self._died() from None
                except Malformed as error:
                    raise self._nonsense(str(error)) from None
            if wire.received - self._received > FLOOD + FLOOD_RATE * (now - self._started):
                raise self._failed(Ending.crash, say("the agent's process sent more than anybody can read"))
            if frame is not None and frame.number == self._number:
                if frame.kind == wires.FAULT:
                    raise self._told_fault(frame.payload)
                if frame.kind != wires.THOUGHT and time.monotonic() > self._deadline:
                    raise self._late()  # it may have answered in time, and we were kept from reading it
                return frame

    def _decision(self, frame: Frame, num_actions: int) -> Decision:
        if frame.kind not in (wires.ANSWER, wires.THOUGHT):
            raise self._nonsense(f"a frame of kind {frame.kind!r} for an answer")
        try:
            return decode(frame.payload, num_actions)
        except ValueError as error:
            raise self._nonsense(str(error)) from None

    def _told_fault(self, payload: bytes) -> Fault:
        """The fault that the agent's process tells of itself."""
        self._asking = False
        try:
            told = json.loads(payload)
            ending, message = Ending(told["ending"]), from_json(told["message"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return self._nonsense("a fault without a name")
        if not ending.is_fault:
            return self._nonsense("a fault that is none")
        if ending is Ending.memory:
            self.close()
        return Fault(ending, message if len(message) <= LONGEST_TOLD else f"{message[: LONGEST_TOLD - 1]}…")

    def _late(self) -> Fault:
        # What the machine took: from the process, and from us, who should have noticed at the deadline.
        waited = self.waited() + max(0.0, time.monotonic() - self._deadline)
        if self._building:
            message = say("the agent needed more than {seconds:g} seconds to be built", seconds=self._timeout)
        else:
            message = say("the agent needed more than {seconds:g} seconds", seconds=self._timeout)
        fault = self._failed(Ending.timeout, message)
        fault.waited = waited
        return fault

    def _nonsense(self, what: str) -> Fault:
        return self._failed(Ending.crash, say("the agent's process broke the protocol: {what}", what=what[:160]))

    def _failed(self, ending: Ending, message: str) -> Fault:
        self.close()
        return Fault(ending, message)

    def _died(self) -> Fault:
        """Why the process is gone, by its exit status and what it wrote last."""
        if self._closed:
            return stopped()
        try:
            status, written = self.fork.how_ended()
        except WorkerError:
            return self._failed(Ending.crash, say("the agent's process died, and took down the one that had forked it"))
        self.close()
        if status == NOT_LOCKED_UP:
            raise SandboxError(say("the agent could not be locked up in a sandbox: {reason}", reason=written))
        if any(phrase in written for phrase in OUT_OF_MEMORY):
            return Fault(Ending.memory, say("the agent ran out of memory, and its process died of it"))
        if status is None:
            return Fault(Ending.crash, say("the agent's process closed its connection with us"))
        if status < 0:
            return Fault(Ending.crash, say("the agent's process died by {signal}", signal=_signal_name(-status)))
        return Fault(Ending.crash, say("the agent's process ended by itself, with status {status}", status=status))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"
