"""Agents that go wrong, one in each way; the fixture `faulty` installs them under the names below."""

from __future__ import annotations

import ctypes
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ludoteca import Decision, Game, Limit, View

BEGUN = "LUDOTECA_TEST_BEGUN"


class _Faulty:
    """Plays the first legal action, until its third one."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.acted = 0

    def act(self, view: View, limit: Limit) -> Any:
        self.acted += 1
        return view.legal()[0] if self.acted < 3 else self.fail(view)

    def fail(self, view: View) -> Any:
        raise NotImplementedError


class Good(_Faulty):
    """No fault at all: a NumPy number, a printed line and a Decision with everything in it."""

    def fail(self, view: View) -> Any:
        print("this must not reach the protocol", flush=True)
        os.write(1, b"nor this")
        action = np.int64(view.legal()[-1])
        return Decision(action, value=0.25, nodes=7, note="all is well")  # type: ignore[arg-type]


class Searcher(_Faulty):
    """A stand-in for a deterministic search: its seed, the global generators and the node limit decide."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.own = random.Random(seed)

    def act(self, view: View, limit: Limit) -> Any:
        legal = view.legal()
        chosen = int(self.own.random() * len(legal)) + random.randrange(5) + int(np.random.randint(5))
        return Decision(legal[chosen % len(legal)], value=round(self.own.random(), 6), nodes=limit.nodes or 0)


class Slow(_Faulty):
    """Honest, but takes a twentieth of a second for every action."""

    def act(self, view: View, limit: Limit) -> Any:
        time.sleep(0.05)
        return view.legal()[0]


class Illegal(_Faulty):
    def fail(self, view: View) -> Any:
        return next(action for action in range(view.game.num_actions) if action not in view.legal())


class Outside(_Faulty):
    def fail(self, view: View) -> Any:
        return 10**30


class Negative(_Faulty):
    def fail(self, view: View) -> Any:
        return -1


class Nothing(_Faulty):
    def fail(self, view: View) -> Any:
        return None


class Text(_Faulty):
    def fail(self, view: View) -> Any:
        return "a1"


class Truth(_Faulty):
    def fail(self, view: View) -> Any:
        return True


class Fraction(_Faulty):
    def fail(self, view: View) -> Any:
        return 1.0


class Odd(_Faulty):
    def fail(self, view: View) -> Any:
        return Decision(Decimal(1))  # type: ignore[arg-type]


class Raises(_Faulty):
    def fail(self, view: View) -> Any:
        raise ZeroDivisionError("division by chance")


class Exits(_Faulty):
    def fail(self, view: View) -> Any:
        sys.exit(3)


class Leaves(_Faulty):
    def fail(self, view: View) -> Any:
        os._exit(3)


class Loops(_Faulty):
    def fail(self, view: View) -> Any:
        while True:
            pass


class LoopsInside(_Faulty):
    """Holds Python's lock in native code, so that no signal handler of Python ever runs.

    Before that it writes the number of its process into the FIFO that BEGUN names, if a test wants to know.
    """

    def fail(self, view: View) -> Any:
        if name := os.environ.get(BEGUN):
            Path(name).write_text(str(os.getpid()), encoding="ascii")
        return sum(range(10**14))


class Stubborn(_Faulty):
    """Ignores every signal that can be ignored."""

    def fail(self, view: View) -> Any:
        for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        time.sleep(1000)


class Segfault(_Faulty):
    def fail(self, view: View) -> Any:
        return ctypes.string_at(0)


class Aborts(_Faulty):
    def fail(self, view: View) -> Any:
        os.abort()


class Killed(_Faulty):
    def fail(self, view: View) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class Eats(_Faulty):
    def fail(self, view: View) -> Any:
        hoard = []
        while True:
            hoard.append(bytearray(2**24))


class EatsInside(_Faulty):
    """Asks native code for memory and dies there, as C++ does after an uncaught bad_alloc."""

    def fail(self, view: View) -> Any:
        library = ctypes.CDLL("libstdc++.so.6")
        library._Znwm.argtypes = [ctypes.c_size_t]
        return library._Znwm(2**40)


class Babbles(_Faulty):
    """Writes into every pipe that it finds."""

    def fail(self, view: View) -> Any:
        for handle in range(3, 64):
            try:
                os.write(handle, b"\xff\xff\xff\xff nonsense")
            except OSError:
                continue
        time.sleep(1000)


class NotBuilt:
    def __init__(self, game: Game, seat: int, seed: int) -> None:
        raise ValueError("cannot be built")


class NeverBuilt:
    def __init__(self, game: Game, seat: int, seed: int) -> None:
        while True:
            pass


class Assassin(_Faulty):
    """Kills the referee: the parent of the fork server."""

    def fail(self, view: View) -> Any:
        with open(f"/proc/{os.getppid()}/stat", encoding="ascii") as stat:
            os.kill(int(stat.read().rsplit(")", 1)[1].split()[1]), signal.SIGKILL)


class Visitor(_Faulty):
    """Plays in the referee's process, and there does what a test tells it to."""

    on_turn: ClassVar[Callable[[], None]] = staticmethod(lambda: None)

    def act(self, view: View, limit: Limit) -> Any:
        type(self).on_turn()
        return view.legal()[0]


class Loser(_Faulty):
    """Fails at once, and claims to be trusted, which has no effect."""

    native = True

    def act(self, view: View, limit: Limit) -> Any:
        raise ValueError("I give up")
