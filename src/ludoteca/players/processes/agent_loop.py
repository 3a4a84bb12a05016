"""What runs in an agent's process: it builds agents, asks them and streams their decisions back. See `wire`."""

from __future__ import annotations

import gc
import json
import math
import os
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

import numpy as np

from ludoteca.agents import agent as agent_of
from ludoteca.agents.files.hexplayer import IllegalAnswer
from ludoteca.agents.tracebacks import LONGEST, explain
from ludoteca.games import game as game_of
from ludoteca.messages import say, to_json
from ludoteca.players.decisions import encode, to_decision
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.wire import Frame, Question, Wire
from ludoteca.players.thought_stream import choices, is_thinker
from ludoteca.protocols import Agent, Limit, View

__all__ = ["LONGEST_TOLD", "Server", "game_for", "play"]

LONGEST_TOLD = LONGEST + 200
"""Characters that a fault's message may have, with what is said of the sandbox."""
PACE = 0.02
"""Seconds between two thoughts that are shown, at least."""


@dataclass(frozen=True)
class _Seated:
    """An agent with what it needs to be asked."""

    agent: Agent
    read_view: Callable[[bytes], View]
    num_actions: int
    thinker: bool


game_for = lru_cache(maxsize=64)(game_of)
"""A game by its spec; a process forked from one that knew it need not make it again."""


def play(wire: int, explain_error: Callable[[BaseException], str] = explain) -> NoReturn:
    """Serves the owner in a process that was forked for it."""
    status = 1
    try:
        Server(Wire(wire), explain_error).serve()
        status = 0
    finally:
        os._exit(status)  # what an agent registered for its exit does not run


class Server:
    """Answers over a wire until its other end is closed."""

    def __init__(self, wire: Wire, explain_error: Callable[[BaseException], str] = explain) -> None:
        self._wire, self._explain = wire, explain_error
        self._agents: dict[int, _Seated] = {}

    def serve(self) -> None:
        """Does what is asked, one thing at a time."""
        while True:
            try:
                frame = self._wire.receive()
            except (EOFError, OSError):
                return
            assert frame is not None
            if frame.kind in (wires.BUILD, wires.ASK):
                kind, payload = self._reply(frame)
                self._wire.send(kind, frame.number, payload)
            elif frame.kind == wires.DROP:
                self._agents.pop(frame.number, None)
                gc.collect()

    def _reply(self, frame: Frame) -> tuple[bytes, bytes]:
        try:
            return self._build(frame.payload) if frame.kind == wires.BUILD else self._ask(frame)
        except Fault as fault:
            return _fault(fault.ending, fault.message)
        except IllegalAnswer as error:
            return _fault(Ending.illegal, error.message)
        except MemoryError:
            pass  # answered below, once the traceback and what it holds are gone
        except BaseException as error:  # also SystemExit: an agent that exits has failed
            return _fault(Ending.error, self._explain(error))
        self._agents.clear()
        gc.collect()
        return _fault(Ending.memory, say("the agent ran out of memory (MemoryError)"))

    def _build(self, payload: bytes) -> tuple[bytes, bytes]:
        about, seen = wires.unpack_build(payload)
        wanted = json.loads(about)
        game = game_for(wanted["game"])
        random.seed(wanted["seed"])  # so that an agent which uses the global generators plays the same again too
        np.random.seed(wanted["seed"] % 2**32)
        agent = agent_of(wanted["agent"])(game, wanted["seat"], wanted["seed"])
        seated = _Seated(agent, wires.view_reader(game), game.num_actions, is_thinker(agent))
        for view in seen:
            for _ in choices(agent, seated.read_view(view), Limit(nodes=1), 1.0, lambda: False):
                pass
        self._agents[wanted["key"]] = seated
        return wires.READY, json.dumps({"thinker": seated.thinker}).encode()

    def _ask(self, frame: Frame) -> tuple[bytes, bytes]:
        question, view = Question.unpack(frame.payload)
        seated = self._agents[question.key]
        if not seated.thinker:
            return wires.ANSWER, encode(
                to_decision(seated.agent.act(seated.read_view(view), question.limit), seated.num_actions)
            )
        telling = _Telling(self._wire, frame.number, seated.num_actions, question.stream)
        choice: object = None
        for choice in choices(
            seated.agent, seated.read_view(view), question.limit, question.timeout, telling.is_stopped
        ):
            telling.news = choice
        return wires.ANSWER, encode(to_decision(choice, seated.num_actions))


class _Telling:
    """What goes out while an agent thinks, and the word to stop that may come in."""

    def __init__(self, wire: Wire, number: int, num_actions: int, stream: bool) -> None:
        self._wire, self._number, self._num_actions, self._stream = wire, number, num_actions, stream
        self._told = -math.inf
        self.news: object = None
        """What the agent thinks now, if nobody has been told."""

    def is_stopped(self) -> bool:
        """Whether the agent is to stop; asked after each of its thoughts, new or not."""
        if self._stream and self.news is not None and (now := time.perf_counter()) - self._told >= PACE:
            self._wire.send(wires.THOUGHT, self._number, encode(to_decision(self.news, self._num_actions)))
            self._told, self.news = now, None
        while (frame := self._wire.receive(0)) is not None:
            if frame.kind == wires.STOP and frame.number == self._number:
                return True
        return False


def _fault(ending: Ending, message: str) -> tuple[bytes, bytes]:
    if len(message) > LONGEST_TOLD:  # of what an agent answered it may repeat any length
        message = f"{message[: LONGEST_TOLD - 1]}…"
    return wires.FAULT, json.dumps({"ending": ending, "message": to_json(message)}).encode()
