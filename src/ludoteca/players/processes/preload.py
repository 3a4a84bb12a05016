"""What the template does once, so that no process that it forks has to do it again. See `template`."""

from __future__ import annotations

import faulthandler
import gc
import json
import socket
import sys
from importlib.util import find_spec

from ludoteca import agents, games
from ludoteca.agents import registry
from ludoteca.players.processes import agent_loop as serving
from ludoteca.players.processes import linux as processes
from ludoteca.players.processes.wire import ASK, BUILD, Question, Wire, pack_build, pack_view
from ludoteca.protocols import Limit

__all__ = ["prepare"]


def prepare(path: list[str]) -> None:
    """Imports what players need, so that no forked process does it again; of agents only our own."""
    sys.path[:] = path
    for name in games.names():
        if games.is_ours(name):
            games.game_class(name)
    for name in agents.names():
        if agents.is_ours(name):
            agents.agent_class(name)
    registry.look_here()
    find_spec("no_module_has_such_a_name")  # has every folder looked through once
    _rehearse()
    faulthandler.enable(file=2)  # in a forked process that is where we read why it died
    processes.adopt_orphans()
    processes.hide_memory()
    gc.collect()
    gc.freeze()  # the collector would touch, and so copy, every page that is shared with the forked processes


def _rehearse() -> None:
    """Plays a few moves of each of our games with an agent of ours, as a forked process will with its own.

    What Python learns, fills in or looks up by doing so, no forked process has to do again; more than that, it writes
    to far fewer pages, each of which would have to be copied.
    """
    for name in games.names():
        if not games.is_ours(name):
            continue
        game = games.game(name)
        state = game.deal(0)
        assert state.turn is not None
        view = pack_view(game, state.view(state.turn))
        about = json.dumps({"game": name, "agent": "random", "seat": 0, "seed": 0, "key": 0}).encode()
        question = Question(Limit(1.0), 1.0, False, 0).pack(view)
        here, there = socket.socketpair()
        with here, there:
            asking = Wire(here.fileno())
            asking.send(BUILD, 0, pack_build(about, []))
            for number in range(16):
                asking.send(ASK, number, question)
            here.shutdown(socket.SHUT_WR)
            serving.Server(Wire(there.fileno())).serve()
