"""The main loop of an agent's process: it builds agents, asks them and streams their decisions back. See `wire`."""

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
from ludoteca.agents.files import Submission
from ludoteca.agents.registry import is_file
from ludoteca.agents.tracebacks import LONGEST as MAX_TRACEBACK
from ludoteca.agents.tracebacks import explain
from ludoteca.errors import IllegalAnswer, LateAnswer
from ludoteca.games import game as game_of
from ludoteca.messages import say, to_json
from ludoteca.players.decisions import encode, limited, to_decision
from ludoteca.players.faults import Ending, Fault
from ludoteca.players.processes import wire as wires
from ludoteca.players.processes.wire import Build, Frame, Request, Wire
from ludoteca.players.thought_stream import is_thinker, stream_choices
from ludoteca.protocols import Agent, Limit, View

MAX_MESSAGE = MAX_TRACEBACK + 200
"""Characters of a fault's message, with the hint about the sandbox."""
THOUGHT_INTERVAL = 0.02
"""Seconds between two streamed thoughts, at least."""


@dataclass(frozen=True)
class _Seated:
    """An agent with what a request to it needs."""

    agent: Agent
    read_view: Callable[[bytes], View]
    num_actions: int
    thinker: bool


cached_game = lru_cache(maxsize=64)(game_of)
"""A game by its spec; a forked process inherits the games of the fork server."""


def run(fd: int, explain_error: Callable[[BaseException], str] = explain, *, enter_folder: bool = False) -> NoReturn:
    """Serves the wire at `fd` in a forked process, and exits.

    enter_folder: a file's folder becomes the current one, as its author has it. A sandbox has links to its files.
    """
    status = 1
    try:
        AgentLoop(Wire(fd), explain_error, enter_folder=enter_folder).serve()
        status = 0
    finally:
        os._exit(status)  # without the agent's exit handlers


class AgentLoop:
    """Answers requests until the other end of the wire is closed."""

    def __init__(
        self, wire: Wire, explain_error: Callable[[BaseException], str] = explain, *, enter_folder: bool = False
    ) -> None:
        self._wire, self._explain, self._enter_folder = wire, explain_error, enter_folder
        self._agents: dict[int, _Seated] = {}

    def serve(self) -> None:
        """Answers one request at a time."""
        while True:
            try:
                frame = self._wire.receive()
            except (EOFError, OSError):
                return
            assert frame is not None
            if frame.kind in (wires.BUILD, wires.DECIDE):
                kind, payload = self._reply(frame)
                self._wire.send(kind, frame.request, payload)
            elif frame.kind == wires.DROP:
                self._agents.pop(frame.request, None)
                gc.collect()

    def _reply(self, frame: Frame) -> tuple[bytes, bytes]:
        try:
            return self._build(frame.payload) if frame.kind == wires.BUILD else self._decide(frame)
        except Fault as fault:
            return _fault(fault.ending, fault.message)
        except IllegalAnswer as error:
            return _fault(Ending.illegal, error.message)
        except LateAnswer as error:
            return _fault(Ending.timeout, error.message)
        except MemoryError:
            pass  # answered below, when the traceback and what it holds are freed
        except BaseException as error:  # also SystemExit
            return _fault(Ending.error, self._explain(error))
        self._agents.clear()
        gc.collect()
        return _fault(Ending.memory, say("the agent ran out of memory (MemoryError)"))

    def _build(self, payload: bytes) -> tuple[bytes, bytes]:
        build = Build.unpack(payload)
        game = cached_game(build.game)
        random.seed(build.seed)  # agents that use the global generators are repeatable, too
        np.random.seed(build.seed % 2**32)
        spec = build.agent
        if self._enter_folder and is_file(spec):
            folder = Submission.of(spec).file.absolute().parent
            spec = os.path.abspath(spec)
            os.chdir(folder)
        agent = agent_of(spec)(game, build.seat, build.seed)
        seated = _Seated(agent, wires.view_reader(game), game.num_actions, is_thinker(agent))
        for view in build.seen:  # its first thought is enough: a Thinker that knows no limit must not hang here
            for _ in stream_choices(agent, seated.read_view(view), Limit(nodes=1), 1.0, lambda: True):
                pass
        self._agents[build.key] = seated
        return wires.READY, wires.THINKER if seated.thinker else b""

    def _decide(self, frame: Frame) -> tuple[bytes, bytes]:
        request, view = Request.unpack(frame.payload)
        seated = self._agents[request.key]
        if not seated.thinker:
            return wires.DECISION, encode(
                to_decision(seated.agent.act(seated.read_view(view), request.limit), seated.num_actions)
            )
        stream = _ThoughtStream(self._wire, frame.request, seated.num_actions, request.stream)
        choice: object = None
        for choice in stream_choices(
            seated.agent, seated.read_view(view), request.limit, request.timeout, stream.is_stopped
        ):
            stream.latest = choice
        return wires.DECISION, encode(to_decision(choice, seated.num_actions))


class _ThoughtStream:
    """Sends thoughts while an agent thinks, and receives the request to stop."""

    def __init__(self, wire: Wire, request: int, num_actions: int, enabled: bool) -> None:
        self._wire, self._request, self._num_actions, self._enabled = wire, request, num_actions, enabled
        self._sent = -math.inf  # when
        self.latest: object = None
        """The agent's latest thought, if it has not been sent."""

    def is_stopped(self) -> bool:
        """Whether the agent must stop. Call it after each thought; it also sends the latest one when it is time."""
        if self._enabled and self.latest is not None and (now := time.perf_counter()) - self._sent >= THOUGHT_INTERVAL:
            self._wire.send(wires.THOUGHT, self._request, encode(to_decision(self.latest, self._num_actions)))
            self._sent, self.latest = now, None
        while (frame := self._wire.receive(0)) is not None:
            if frame.kind == wires.STOP and frame.request == self._request:
                return True
        return False


def _fault(ending: Ending, message: str) -> tuple[bytes, bytes]:
    message = limited(message, MAX_MESSAGE)  # it may quote what the agent answered
    return wires.FAULT, json.dumps({"ending": ending, "message": to_json(message)}).encode()
