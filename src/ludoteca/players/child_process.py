"""The process in which an agent lives: ``python -m ludoteca.players.child_process``, started by `child.Host` alone.

Whatever the agent prints goes nowhere; the protocol has pipes of its own.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import math
import os
import pickle
import random
import sys
from typing import Any

import numpy as np

from ludoteca.agents import agent as agent_of
from ludoteca.games import game as game_of
from ludoteca.players.answers import explain, understand
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.wire import HEAD, LIMIT, SIZE, die_with, read_exactly, write_all
from ludoteca.protocols import Agent, Game, Limit, View

Reply = dict[str, Any]


class _Host:
    """One agent after another, as the arena asks for them."""

    game: Game
    agent: Agent | None = None

    def __init__(self, requests: int, answers: int) -> None:
        self.requests, self.answers = requests, answers

    def serve(self) -> None:
        """Answers until the arena closes the pipe."""
        while True:
            try:
                kind, length = HEAD.unpack(read_exactly(self.requests, HEAD.size))
                payload = read_exactly(self.requests, length)
            except EOFError:
                return
            data = json.dumps(self.reply(kind, payload), ensure_ascii=True).encode()
            write_all(self.answers, SIZE.pack(len(data)) + data)

    def reply(self, kind: bytes, payload: bytes) -> Reply:
        try:
            if kind == b"S":
                return self.set_up(**json.loads(payload))
            if kind == b"N":
                return self.prepare(**json.loads(payload))
            return self.act(self.view(kind, payload[LIMIT.size :]), *LIMIT.unpack_from(payload))
        except Fault as fault:
            return {"fault": fault.ending, "message": fault.message}
        except MemoryError:
            pass  # answered below, once the traceback and what it holds are gone
        except BaseException as error:  # also SystemExit: an agent that exits has failed
            return {"fault": Ending.error, "message": explain(error)}
        self.agent = None
        gc.collect()
        return {"fault": Ending.memory, "message": "the agent ran out of memory (MemoryError)"}

    def set_up(self, path: list[str], game: str, memory: int | None) -> Reply:
        sys.path[:] = path
        try:
            self.game = game_of(game)
        except Exception as error:
            return {"broken": explain(error)}
        if memory is not None:
            limit_memory(memory)
        return {"ready": True}

    def prepare(self, agent: str, seat: int, seed: int) -> Reply:
        self.agent = None
        random.seed(seed)  # so that an agent which uses the global generators plays the same again too
        np.random.seed(seed % 2**32)
        self.agent = agent_of(agent)(self.game, seat, seed)
        return {"ready": True}

    def view(self, kind: bytes, data: bytes) -> View:
        view: View = self.game.view_from(data) if kind == b"V" else pickle.loads(data)  # type: ignore[attr-defined]
        return view

    def act(self, view: View, seconds: float, nodes: int) -> Reply:
        assert self.agent is not None
        limit = Limit(None if math.isnan(seconds) else seconds, None if nodes < 0 else nodes)
        answer = understand(self.agent.act(view, limit))
        return {"action": answer.action, "value": answer.value, "nodes": answer.nodes}


def limit_memory(mebibytes: int) -> int:
    """Lets this process grow by so much from here on; what is loaded already is not the agent's.

    Returns the bytes of address space that it may have from now on.
    """
    import resource

    limit = address_space() + mebibytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return limit


def address_space() -> int:
    """The bytes of address space that this process has taken."""
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Serves the arena that started this process."""
    requests, answers, life = (int(number) for number in sys.argv[1:])
    die_with(life)
    faulthandler.enable(file=2)  # the arena reads there why a process died
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open as long as the process
    sys.argv[1:] = []
    _Host(requests, answers).serve()


if __name__ == "__main__":
    main()
