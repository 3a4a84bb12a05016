"""The connection to an agent's process: requests with timeouts, stopping, and why the process failed."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
import time
from collections.abc import Callable, Iterator

from ludoteca.errors import ForkServerKilled, SandboxError
from ludoteca.messages import from_json, say
from ludoteca.players.decisions import decode, limited
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.agent_loop import MAX_MESSAGE
from ludoteca.players.processes.fork_client import ForkedProcess
from ludoteca.players.processes.wire import CHUNK, Build, Frame, Malformed, Request
from ludoteca.players.sandbox.launch import SETUP_FAILED
from ludoteca.players.thought_stream import stopped
from ludoteca.protocols import Decision

POLL_INTERVAL = 0.05
"""Seconds after which a waiting thread checks whether it was stopped."""
STOP_TIMEOUT = 0.25
"""Seconds in which a Thinker must answer when it is stopped; then it is killed."""
ACT_STOP_TIMEOUT = 0.05
"""The same for an agent that can only act."""
MAX_REPLY, MAX_REPLY_RATE = 1 << 20, 1 << 20
"""Bytes that an agent may send in reply to one request, and more of them for each second that it takes."""
MAX_FRAMES, MAX_FRAME_RATE = 256, 256
"""The same for frames. An honest process sends at most fifty thoughts per second."""
MAX_FAULT = 1 << 15
"""Bytes of a reported fault."""
OUT_OF_MEMORY = ("bad_alloc", "MemoryError", "Cannot allocate memory", "out of memory", "alloc failed")


def _nothing() -> None:
    pass


def _unknown() -> float:
    return 0.0


class Connection:
    """Sends requests and waits for replies. One thread uses it; `stop` and `close` are safe from any other.

    It is closed after a fault of the process itself. After a fault that the process reports, it stays open.
    """

    def __init__(self, process: ForkedProcess) -> None:
        self.process = process
        self._request = 0
        self._building, self._stop_timeout = False, ACT_STOP_TIMEOUT
        self._started = self._deadline = self._timeout = 0.0
        self._received = self._frames = 0
        self._stopping: float | None = None  # when it was stopped
        self._waiting = False
        self._sending, self._using = threading.Lock(), threading.RLock()
        self._closed = False
        self.wait_seconds: Callable[[], float] = _unknown
        """Returns how many seconds the process has waited for a core since the request, where that is known."""

    @property
    def is_open(self) -> bool:
        """Whether it takes requests."""
        return not self._closed

    def check_alive(self) -> bool:
        """Whether the process is alive, between two requests; closes the connection when it is not."""
        with self._using:
            if not self._closed and self.process.wire.readable():  # without a request that is the end
                self.close()
        return not self._closed

    def build(self, build: Build, timeout: float) -> bool:
        """Builds an agent and shows it the views seen before. Returns whether it is a Thinker. Raises Fault."""
        self._building, self._stop_timeout = True, ACT_STOP_TIMEOUT
        try:
            frame = self._exchange(wires.BUILD, build.pack(), timeout, _nothing)
            if frame.kind != wires.READY:
                raise self._malformed("a decision instead of ready")
        except Fault as fault:
            fault.building = True
            raise
        return frame.payload == wires.THINKER

    def decide(
        self, request: Request, view: bytes, num_actions: int, *, thinker: bool, on_sent: Callable[[], None] = _nothing
    ) -> Decision:
        """The agent's decision. Calls `on_sent` when the request has been sent. Raises Fault.

        The time in which we read the decision is the agent's: see `decode` for what limits it.
        """
        self._building, self._stop_timeout = False, STOP_TIMEOUT if thinker else ACT_STOP_TIMEOUT
        frame = self._exchange(wires.DECIDE, request.pack(view), request.timeout, on_sent)
        received = time.monotonic()
        decision = self._decision(frame, num_actions)
        if (now := time.monotonic()) > self._deadline:
            raise self._late(now - received)
        return decision

    def think(
        self, request: Request, view: bytes, num_actions: int, *, thinker: bool, on_sent: Callable[[], None] = _nothing
    ) -> Iterator[Decision]:
        """The agent's thoughts; the last is its decision. Closing the iterator stops the agent. Raises Fault."""
        self._building, self._stop_timeout = False, STOP_TIMEOUT if thinker else ACT_STOP_TIMEOUT
        self._begin(wires.DECIDE, request.pack(view), request.timeout, on_sent)
        try:
            while self._waiting:
                frame = self._receive()
                self._waiting = frame.kind == wires.THOUGHT
                yield self._decision(frame, num_actions)
        finally:
            if self._waiting and not self._closed:
                self._cancel()
            self._waiting = False

    def stop(self) -> None:
        """Asks for an answer to the current request now. A request that is not sent yet is not stopped."""
        if not self._waiting or self._stopping is not None:
            return
        self._stopping = time.monotonic()
        # If the request is being sent just now, or the agent does not read, it is killed after the stop timeout.
        if self._sending.acquire(blocking=False):
            with contextlib.suppress(OSError):
                self.process.wire.send(wires.STOP, self._request, timeout=0.0)
            self._sending.release()

    def close(self) -> None:
        """Ends the process. Safe to call twice."""
        self._closed = True
        self.process.kill()
        with self._using:  # a waiting thread sees the closed wire at once
            self.process.close()

    def _exchange(self, kind: bytes, payload: bytes, timeout: float, on_sent: Callable[[], None]) -> Frame:
        """The final reply to a request. Raises Fault."""
        try:
            self._begin(kind, payload, timeout, on_sent)
            while (frame := self._receive()).kind == wires.THOUGHT:
                pass
            return frame
        finally:
            self._waiting = False

    def _cancel(self) -> None:
        """Stops the agent, or ends its process, because the caller no longer wants the decision."""
        self.stop()
        with contextlib.suppress(Fault):
            while self._receive().kind == wires.THOUGHT:
                pass

    def _begin(self, kind: bytes, payload: bytes, timeout: float, on_sent: Callable[[], None]) -> None:
        """Sends a request. Later frames are matched against its number."""
        self._started = time.monotonic()
        self._timeout, self._deadline = timeout, self._started + timeout
        self._received, self._frames = self.process.wire.received, 0
        self._stopping = None
        with self._using, self._sending:
            self._request = (self._request + 1) % 2**32
            self._waiting = True
            if self._closed:
                raise stopped()
            large = len(payload) > CHUNK
            if large:  # the socket may be full until the agent reads
                on_sent()
            try:
                if not self.process.wire.send(kind, self._request, payload, timeout):
                    raise self._late()
            except OSError:
                raise self._died() from None
            if not large:
                on_sent()

    def _receive(self) -> Frame:
        """The next frame that answers the current request; late replies to old ones are skipped. Raises Fault."""
        wire = self.process.wire
        while True:
            now = time.monotonic()
            left = self._deadline - now
            if self._stopping is not None:
                left = min(left, self._stopping + self._stop_timeout - now)
                if left <= 0:
                    self.close()
                    raise stopped()
            if left <= 0:
                raise self._late()
            with self._using:
                if self._closed:
                    raise stopped()
                try:
                    frame = wire.receive(min(POLL_INTERVAL, left))
                except (EOFError, OSError):
                    raise self._died() from None
                except Malformed as error:
                    raise self._malformed(str(error)) from None
            self._frames += frame is not None
            seconds = now - self._started
            if (
                wire.received - self._received > MAX_REPLY + MAX_REPLY_RATE * seconds
                or self._frames > MAX_FRAMES + MAX_FRAME_RATE * seconds
            ):
                raise self._failed(Ending.crash, say("the agent's process sent too much data"))
            if frame is not None and frame.request == self._request:
                if frame.kind == wires.FAULT:
                    raise self._reported_fault(frame.payload)
                if frame.kind != wires.THOUGHT and time.monotonic() > self._deadline:
                    raise self._late()  # perhaps it answered in time, and we could not read it in time
                return frame

    def _decision(self, frame: Frame, num_actions: int) -> Decision:
        if frame.kind not in (wires.DECISION, wires.THOUGHT):
            raise self._malformed(f"a frame of kind {frame.kind!r} instead of a decision")
        try:
            return decode(frame.payload, num_actions)
        except ValueError as error:
            raise self._malformed(str(error)) from None

    def _reported_fault(self, payload: bytes) -> Fault:
        """The fault that the agent's process reports."""
        self._waiting = False
        if len(payload) > MAX_FAULT:
            return self._malformed(f"a fault of {len(payload)} bytes")
        try:
            fields = json.loads(payload)
            ending, message = Ending(fields["ending"]), from_json(fields["message"])
        except (ValueError, KeyError, TypeError, RecursionError):
            return self._malformed("a fault without an ending")
        if not ending.is_fault:
            return self._malformed("a fault with an ending that is no fault")
        if ending is Ending.memory:
            self.close()
        return Fault(ending, limited(message, MAX_MESSAGE))

    def _late(self, reading: float = 0.0) -> Fault:
        """reading: the seconds of this that we needed to read the answer."""
        # The machine's part: the process waited for a core, and so did we if we noticed after the deadline.
        waited = self.wait_seconds() + max(0.0, time.monotonic() - reading - self._deadline)
        if self._building:
            message = say("the agent needed more than {seconds:g} seconds to be built", seconds=self._timeout)
        else:
            message = say("the agent needed more than {seconds:g} seconds", seconds=self._timeout)
        fault = self._failed(Ending.timeout, message)
        fault.waited = waited
        return fault

    def _malformed(self, what: str) -> Fault:
        return self._failed(Ending.crash, "the agent's process broke the protocol: {what}", what=what[:160])

    def _failed(self, ending: Ending, message: str, /, **fields: object) -> Fault:
        self.close()
        return Fault(ending, message, **fields)

    def _died(self) -> Fault:
        """Why the process has ended, by its exit status and the end of its standard error.

        Raises SandboxError and ForkServerKilled when that is our own fault.
        """
        if self._closed:
            return stopped()
        try:
            status, stderr = self.process.exit_status()
        except ForkServerKilled:
            self.close()
            raise
        self.close()
        if status == SETUP_FAILED:
            raise SandboxError("the agent's sandbox could not be set up: {reason}", reason=stderr)
        if any(phrase in stderr for phrase in OUT_OF_MEMORY):
            return Fault(Ending.memory, say("the agent ran out of memory, and its process died"))
        if status is None:
            return Fault(Ending.crash, say("the agent's process closed its connection"))
        if status < 0:
            return Fault(Ending.crash, "the agent's process died by {signal}", signal=_signal_name(-status))
        return Fault(Ending.crash, "the agent's process exited with status {status}", status=status)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"
