"""Agents that cheat, one in each way; the fixture `adversaries` installs them under the names below.

Each plays the first legal action. What it has found out it tells in its note, which is all that it can send.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import mmap
import os
import re
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, ClassVar

import ludoteca.players.decisions
from ludoteca import Decision, Game, Limit, View

try:
    SHARED: mmap.mmap | bytearray = mmap.mmap(-1, 4096)
except PermissionError:  # a sandbox has no such memory
    SHARED = bytearray(4096)
"""Anonymous memory that every process forked after this import would share."""
SEEN: list[str] = []


class _Adversary:
    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.seat, self.seed, self.turns = game, seat, seed, 0

    def act(self, view: View, limit: Limit) -> Any:
        self.turns += 1
        return Decision(view.legal()[0], note=self.tell(view))

    def tell(self, view: View) -> str:
        return ""


class Searches(_Adversary):
    """Looks in everything that its process holds for what the file WANTED says, a line for each thing.

    A line has all the forms in which that may be written, disguised, so that looking for them does not write them.
    """

    def tell(self, view: View) -> str:
        with open(os.environ["WANTED"], encoding="ascii") as file:
            wanted = [[bytes.fromhex(form) for form in line.split()] for line in file.read().splitlines()]
        with open("/proc/self/cmdline", "rb") as line:
            text = line.read() + repr([sys.argv, dict(os.environ)]).encode()
        found: set[int] = set()
        for place in (text, *_memory()):
            disguised = place.translate(DISGUISE)
            found |= {at for at, forms in enumerate(wanted) if any(form in disguised for form in forms)}
        return " ".join(map(str, sorted(found)))


DISGUISE = bytes(each ^ 0x5A for each in range(256))


def disguised_forms(number: int) -> str:
    """The forms in which a number may be written in memory, for `Searches`."""
    digits = [number >> shift & (2**30 - 1) for shift in range(0, number.bit_length(), 30)]
    forms = [
        number.to_bytes(16, "little").rstrip(b"\0"), number.to_bytes(16, "big").lstrip(b"\0"),
        str(number).encode(), f"{number:x}".encode(), struct.pack(f"<{len(digits)}I", *digits),
    ]  # fmt: skip
    return " ".join(form.translate(DISGUISE).hex() for form in forms)


def _memory() -> Iterator[bytes]:
    with open("/proc/self/maps", encoding="ascii") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps.read().splitlines():
            start, end, rights = re.match(r"(\w+)-(\w+) (\S+)", line).groups()  # type: ignore[union-attr]
            if rights.startswith("rw") and "[v" not in line:
                with contextlib.suppress(OSError, ValueError):
                    memory.seek(int(start, 16))
                    yield memory.read(int(end, 16) - int(start, 16))


class Remembers(_Adversary):
    """Reports what is left of its earlier matches: in its module, its class, shared memory and a patched library."""

    history: ClassVar[list[int]] = []

    def tell(self, view: View) -> str:
        traces = [
            *map(str, SEEN),
            *map(str, self.history),
            SHARED[:8].decode().strip("\0"),
            getattr(ludoteca.players.decisions, "left_behind", ""),
            os.environ.get("LEFT_BEHIND", ""),
        ]
        found = " ".join(trace for trace in traces if trace)
        if self.turns == 1:
            SEEN.append("module")
            self.history.append(1)
            SHARED[:8] = b"mapping\0"
            ludoteca.players.decisions.left_behind = "library"  # type: ignore[attr-defined]
            os.environ["LEFT_BEHIND"] = "environment"
            return found
        return ""


class ThinksInAThread(_Adversary):
    """Counts in a thread all the time."""

    count = 0

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        while True:
            self.count += 1


class _Forks(_Adversary):
    """Lets a process count into shared memory."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        self.tally = mmap.mmap(-1, 8)
        self.start()

    def start(self) -> None:
        raise NotImplementedError

    def run(self) -> None:
        count = 0
        while True:
            count += 1
            self.tally[:8] = struct.pack("<q", count)

    def tell(self, view: View) -> str:
        return str(struct.unpack("<q", self.tally[:8])[0])


class ThinksInAFork(_Forks):
    def start(self) -> None:
        if os.fork() == 0:
            self.run()


class ThinksInASession(_Forks):
    """Its child leaves the process group."""

    def start(self) -> None:
        if os.fork() == 0:
            os.setsid()
            self.run()


class ThinksInADaemon(_Forks):
    """A daemon: forked twice, in its own session, without a parent."""

    def start(self) -> None:
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                self.run()
            os._exit(0)
        os.waitpid(child, 0)


class WakesItself(_Adversary):
    """Has the kernel continue it when it is stopped, by timers that send SIGCONT; counts in a thread.

    Each timer goes off once, twice as late as the one before. A single one that repeats is not enough: SIGSTOP discards
    a SIGCONT that has not arrived yet, and the kernel sets such a timer again only when its signal arrives.
    """

    count = 0

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat, seed)
        signal.signal(signal.SIGCONT, lambda *_: None)  # the kernel may not send an ignored signal
        library = ctypes.CDLL(None)
        event = (ctypes.c_byte * 64)()
        struct.pack_into("<qii", event, 0, 0, int(signal.SIGCONT), 0)
        for doubled in range(14):  # from 5 ms to 41 s
            timer = ctypes.c_void_p()
            assert library.timer_create(1, event, ctypes.byref(timer)) == 0
            once = (ctypes.c_long * 4)(0, 0, *divmod(5_000_000 << doubled, 10**9))
            assert library.timer_settime(timer, 0, once, None) == 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self) -> None:
        while True:
            self.count += 1


class Leaves(_Adversary):
    """Leaves processes behind: in its group, in sessions of their own, and as daemons. Reports their pids."""

    def tell(self, view: View) -> str:
        pids = []
        for daemon in (False, False, True, True):
            out, into = os.pipe()
            child = os.fork()
            if child == 0:
                if daemon:
                    os.setsid()
                    if os.fork():
                        os._exit(0)
                os.write(into, str(os.getpid()).encode())
                time.sleep(1000)
                os._exit(0)
            pids.append(int(os.read(out, 32)))
            if daemon:
                os.waitpid(child, 0)
        return json.dumps(pids)


class Multiplies(_Adversary):
    """A small fork bomb."""

    def tell(self, view: View) -> str:
        os.environ["MULTIPLIED"] = "yes"
        for _ in range(5):
            os.fork()
        if os.getpid() != os.getsid(0):
            time.sleep(1000)
        return ""


def _wire() -> int:
    """The wire of this process."""
    for fd in range(3, 64):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{fd}").startswith("socket:"):
                return fd
    raise LookupError


def _frame(kind: bytes, number: int, payload: bytes) -> bytes:
    return struct.pack("<cII", kind, number, len(payload)) + payload


class _Writes(_Adversary):
    """Writes something of its own into the wire, at its second action."""

    def act(self, view: View, limit: Limit) -> Any:
        self.turns += 1
        if self.turns == 2:
            os.set_blocking(_wire(), True)
            self.write(_wire(), view)
        return view.legal()[0]

    def write(self, fd: int, view: View) -> None:
        raise NotImplementedError


class AnswersOldQuestions(_Writes):
    """2 was the number of its first request."""

    def write(self, fd: int, view: View) -> None:
        for number in (1, 2, 2**32 - 1):
            os.write(fd, _frame(b"A", number, b'{"action": 15}'))


class Floods(_Writes):
    def write(self, fd: int, view: View) -> None:
        thought = _frame(b"T", 3, json.dumps({"action": 0, "note": "x" * 60_000}).encode())
        while True:
            os.write(fd, thought)


class FloodsWithOld(_Writes):
    def write(self, fd: int, view: View) -> None:
        while True:
            os.write(fd, _frame(b"T", 1, b"x" * 60_000))


class SendsHuge(_Writes):
    def write(self, fd: int, view: View) -> None:
        os.write(fd, struct.pack("<cII", b"A", 3, 2**32 - 1) + b"x" * 1000)
        time.sleep(1000)


class SendsNonsense(_Writes):
    def write(self, fd: int, view: View) -> None:
        os.write(fd, _frame(b"A", 3, b"\xff\xfe{{{"))
        time.sleep(1000)


class SendsNested(_Writes):
    def write(self, fd: int, view: View) -> None:
        os.write(fd, _frame(b"A", 3, b"[" * 100_000))
        time.sleep(1000)


class _Replies(_Writes):
    """Replies with something of its own."""

    def reply(self, view: View) -> bytes:
        raise NotImplementedError

    def write(self, fd: int, view: View) -> None:
        os.write(fd, _frame(b"A", 3, self.reply(view)))
        time.sleep(1000)


def _decision(**parts: object) -> bytes:
    return json.dumps({"action": 0, **parts}).encode()


class Collides(_Replies):
    """Scores of 12,000 actions whose numbers have the same hash, which took a referee 13 to 31 seconds to read."""

    def reply(self, view: View) -> bytes:
        return _decision(scores=[[number * sys.hash_info.modulus, 1] for number in range(1, 12_001)])


class CollidesBriefly(Collides):
    """As many as fit into a decision; and a key that is no number, a pair that is none, and one that is good."""

    def reply(self, view: View) -> bytes:
        pairs = [[number * sys.hash_info.modulus, 1] for number in range(1, 400)]
        return _decision(scores=[*pairs, [[], 1], [[0, 1]], [1, float("nan")], [0, 10**400], [2, 0.5]])


class Annotates(_Replies):
    """A note with fields that it does not show: its two matches took 19 MB of a store."""

    def reply(self, view: View) -> bytes:
        fields = {f"field{number}": "x" * 9000 for number in range(20)}
        return _decision(note={"template": "hello", "fields": fields})


class AnnotatesBriefly(_Replies):
    """The same within the limit, in every place where a message holds what it does not show."""

    def reply(self, view: View) -> bytes:
        plural, context = "{count} " + "x" * 4000, "y" * 4000
        note = {"template": "{count}", "plural": plural, "context": context, "fields": {"count": 1, "more": "z" * 4000}}
        return _decision(note=note, more={"deep": [[["x" * 1000]]]})


class Repeats(_Replies):
    """A template that shows a long list 3000 times, which took a referee two minutes to refuse."""

    def reply(self, view: View) -> bytes:
        return _decision(note={"template": "{a}" * 1000, "fields": {"a": [1] * 4000}})


class CountsHigh(_Replies):
    """A number that no game has as an action, with more digits than a message may show."""

    def reply(self, view: View) -> bytes:
        return b'{"action": ' + b"9" * 4000 + b"}"


class WritesHalfLetters(_Replies):
    """Lone surrogates, which no file can hold, a number that is none, and every key twice."""

    def reply(self, view: View) -> bytes:
        return b'{"action": 7, "value": NaN, "value": -Infinity, "note": "\\ud800 \\udfff", "action": 0}'


class SendsAPickle(_Writes):
    """Would make a file, were it unpickled or evaluated."""

    def write(self, fd: int, view: View) -> None:
        program = b"cos\nsystem\n(S'touch " + os.environ["WANTED"].encode() + b".made'\ntR."
        os.write(fd, _frame(b"A", 3, program))
        time.sleep(1000)


class SendsFalseFaults(_Writes):
    """Claims to have finished, which is no fault."""

    def write(self, fd: int, view: View) -> None:
        os.write(fd, _frame(b"F", 3, b'{"ending": "finished", "message": "I won"}'))
        time.sleep(1000)


class SendsUnknownKinds(_Writes):
    def write(self, fd: int, view: View) -> None:
        os.write(fd, _frame(b"?", 3, b""))
        time.sleep(1000)


class Closes(_Writes):
    def write(self, fd: int, view: View) -> None:
        os.close(fd)
        time.sleep(1000)


class NeverReads(_Adversary):
    """Answers all requests in advance, and reads none of them."""

    def act(self, view: View, limit: Limit) -> Any:
        for number in range(2, 100_000):
            os.write(_wire(), _frame(b"A", number, json.dumps({"action": view.legal()[0]}).encode()))
        time.sleep(1000)


class IgnoresStop(_Adversary):
    """A Thinker that never yields again."""

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        yield Decision(view.legal()[0], note="first")
        while True:
            with contextlib.suppress(BaseException):
                time.sleep(1000)


class RefusesToClose(_Adversary):
    """A Thinker that goes on when it is closed."""

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        while True:
            with contextlib.suppress(GeneratorExit):
                time.sleep(0.002)
                yield Decision(view.legal()[0])


class Thinks(_Adversary):
    """An honest Thinker that never ends."""

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        decision, count = Decision(view.legal()[0], note="0"), 0
        while True:
            time.sleep(0.002)
            count += 1
            if count % 20 == 0:
                decision = Decision(view.legal()[0], note=str(count))
            yield decision


class Sleeps(_Adversary):
    """A plain agent that takes its time."""

    def act(self, view: View, limit: Limit) -> Any:
        time.sleep(1000)


class KillsTheForkServer(_Adversary):
    def tell(self, view: View) -> str:
        if self.turns == 2:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(1)
        return ""


class Exaggerates(_Adversary):
    """A Decision with everything too long, too large or of the wrong kind."""

    def act(self, view: View, limit: Limit) -> Any:
        action = view.legal()[0]
        scores: dict[Any, float] = {each: float(each) for each in range(100_000)}
        scores |= {"a": 1.0, -1: 2.0}
        return Decision(
            action, value=float("inf"), scores=scores, line=[action] * 5000, note="n" * 100_000, nodes=-5, depth=10**40
        )


class Pretends(_Adversary):
    """Says that it is ours."""

    native = True
    trusted = True
    ours = True

    def tell(self, view: View) -> str:
        return str(os.getpid())
