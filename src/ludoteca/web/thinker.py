"""A process that thinks: reads a job per line, answers with a line. Started by `thinking.Thinkers`.

Jobs and answers are JSON texts. A job says what a match needs, and the view is rebuilt from it: nothing is pickled, and
the page's process never runs an agent.
"""

from __future__ import annotations

import contextlib
import faulthandler
import hashlib
import json
import os
import sys
import time
from typing import Any

from ludoteca.agents import agent
from ludoteca.games import game
from ludoteca.play.match import Match, agent_seed
from ludoteca.players.memory import address_space, limit_memory
from ludoteca.players.wire import die_with
from ludoteca.protocols import Decision, Limit
from ludoteca.web.table import Thought

__all__ = ["decide", "main"]


def decide(job: dict[str, Any]) -> dict[str, Any]:
    """The answer to a job: ``{"action", "thought"}``, or ``{"error"}`` with one line when the agent fails."""
    try:
        match = Match(game(job["game"]), job["seed"], job["actions"], start=job["start"])
        seat = match.turn
        if seat is None:
            return {"error": "the match is over"}
        # An agent that is made anew for each action needs a new seed each time: with the same one an agent that
        # plays by chance would throw the same dice again.
        fresh = hashlib.sha256(f"{agent_seed(job['seed'], seat)} {len(job['actions'])}".encode()).digest()
        thinker = agent(job["agent"])(match.game, seat, int.from_bytes(fresh[:8], "little") >> 1)
        view = match.view(seat)
        start = time.perf_counter()
        choice = thinker.act(view, Limit(seconds=job["seconds"], nodes=job.get("nodes")))
        seconds = time.perf_counter() - start
        decision = choice if isinstance(choice, Decision) else Decision(choice)
        if decision.action not in view.legal():
            return {"error": f"it chose {decision.action!r}, which is not legal"}
        return {"action": int(decision.action), "thought": Thought.of(job["agent"], decision, seconds).to_json()}
    except MemoryError:
        return {"memory": True}
    except BaseException as error:  # an agent may raise anything, exit too, and the page goes on
        return {"error": (f"{type(error).__name__}: {error}".splitlines() or [""])[0][:300]}


def main() -> None:
    """Answers jobs until the page's process closes the pipe; dies with it, whatever an agent is doing."""
    memory, life = (int(number) for number in sys.argv[1:])
    die_with(life)
    with contextlib.suppress(OSError):
        os.nice(10)  # clicks come first
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # an agent that prints must not talk into the answers
    faulthandler.enable(file=2)  # the page's process reads there why this one died
    sys.stdout = sys.stderr = os.fdopen(nowhere, "w")
    sys.argv[1:] = []
    most = limit_memory(memory)
    for line in sys.stdin:
        answer = decide(json.loads(line))
        # An agent is made anew for each job, so that whatever is still held is lost to the next one.
        answer["worn"] = "memory" in answer or most - address_space() < memory * 2**20 // 2
        try:
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
        except BrokenPipeError:
            os._exit(0)  # the server is gone; nobody waits for this answer


if __name__ == "__main__":
    main()
