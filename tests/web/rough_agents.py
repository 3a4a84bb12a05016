"""Agents that treat their process badly, each in its way and at its first action; the fixture `rough` installs them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

from ludoteca import Decision, Game, Limit, View

BEGUN, GATE, ONCE = "LUDOTECA_TEST_BEGUN", "LUDOTECA_TEST_GATE", "LUDOTECA_TEST_ONCE"
KEPT: list[bytearray] = []


class _Rough:
    def __init__(self, game: Game, seat: int, seed: int) -> None:
        pass


class Eats(_Rough):
    """Takes memory until there is none."""

    def act(self, view: View, limit: Limit) -> Any:
        hoard = []
        while True:
            hoard.append(bytearray(2**24))


class EatsInside(_Rough):
    """Asks native code for memory and dies there, as C++ does when bad_alloc is not caught."""

    def act(self, view: View, limit: Limit) -> Any:
        library = ctypes.CDLL("libstdc++.so.6")
        library._Znwm.argtypes = [ctypes.c_size_t]
        return library._Znwm(2**40)


class Hoards(_Rough):
    """Plays well, but keeps 48 MiB for ever."""

    def act(self, view: View, limit: Limit) -> Any:
        KEPT.append(bytearray(48 * 2**20))
        return view.legal()[0]


class Loops(_Rough):
    """Knows no limit. Says that it has begun, if a test wants to know: by a byte in the FIFO that BEGUN names."""

    def act(self, view: View, limit: Limit) -> Any:
        if name := os.environ.get(BEGUN):
            fifo = os.open(name, os.O_WRONLY)
            os.write(fifo, b".")
            os.close(fifo)
        while True:
            pass


class _OneThought(_Rough):
    """Has one thought, the second legal action, and then never stops thinking."""

    def act(self, view: View, limit: Limit) -> Any:
        return view.legal()[1]

    def think(self, view: View, limit: Limit) -> Iterator[Decision]:
        yield Decision(view.legal()[1], value=0.25, note="my only thought")
        self.hang()

    def hang(self) -> None:
        raise NotImplementedError


class HangsInPython(_OneThought):
    def hang(self) -> None:
        while True:
            pass


class HangsInC(_OneThought):
    """Waits in native code, which holds the interpreter's lock."""

    def hang(self) -> None:
        while True:
            ctypes.PyDLL(None).pause()


class HangsSuspended(_OneThought):
    """Suspends its own process, as a debugger or a full machine may."""

    def hang(self) -> None:
        while True:
            os.kill(os.getpid(), signal.SIGSTOP)


class AnswersLater(_Rough):
    """Can only act, and answers when the test lets it: by a byte in the FIFO that GATE names."""

    def act(self, view: View, limit: Limit) -> Any:
        gate = os.open(os.environ[GATE], os.O_RDONLY)
        os.read(gate, 1)
        os.close(gate)
        return view.legal()[1]


class FailsOnce(_Rough):
    """Cannot be built until the file that ONCE names is there, which it makes."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        name = os.environ[ONCE]
        if not os.path.exists(name):
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
            raise MemoryError

    def act(self, view: View, limit: Limit) -> Any:
        return view.legal()[1]


class Waits(_Rough):
    """Knows no limit either, but uses no processor meanwhile."""

    def act(self, view: View, limit: Limit) -> Any:
        threading.Event().wait()


class Quits(_Rough):
    def act(self, view: View, limit: Limit) -> Any:
        sys.exit(3)


class Counts(_Rough):
    """Says which of its questions this is: one that is made anew for each of them says 1 again and again."""

    asked = 0

    def act(self, view: View, limit: Limit) -> Any:
        self.asked += 1
        return Decision(view.legal()[0], note=f"question {self.asked}")


class Blurts(_Rough):
    """Says what it holds, and where it lives, when it fails."""

    def act(self, view: View, limit: Limit) -> Any:
        names = " ".join(view.game.action_name(action) for action in view.legal())
        raise ValueError(f"I hold {names}, and cannot open '/srv/secret folder/net.onnx' or /srv/secret/net.onnx")


class Dies(_Rough):
    def act(self, view: View, limit: Limit) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class Babbles(_Rough):
    """Prints, and writes where the answers went before it came; plays all the same."""

    def act(self, view: View, limit: Limit) -> Any:
        print('{"action": 0}', flush=True)
        os.write(1, b'{"action": 0}\n')
        return view.legal()[-1]
