"""Imports and warms up everything that players need once, so that no forked process does it again."""

from __future__ import annotations

import faulthandler
import gc
import socket
import sys
from importlib.util import find_spec

from ludoteca import agents, games
from ludoteca.agents import registry
from ludoteca.players.processes import agent_loop
from ludoteca.players.processes.wire import BUILD, DECIDE, Build, Request, Wire, pack_view
from ludoteca.protocols import Limit


def preload(path: list[str]) -> None:
    """Imports all of our games and agents, and no other agent."""
    sys.path[:] = path
    for name in games.names():
        if games.is_ours(name):
            games.game_class(name)
    for name in agents.names():
        if agents.is_ours(name):
            agents.agent_class(name)
    registry.look_here()
    find_spec("no_module_has_such_a_name")  # fills the import system's cache of every folder
    _warm_up()
    faulthandler.enable(file=2)  # a forked process writes there why it died


def freeze() -> None:
    """Keeps the garbage collector from touching, and so copying, the pages shared with forked processes."""
    gc.collect()
    gc.freeze()


def _warm_up() -> None:
    """Plays a few moves of each of our games with one of our agents, as a forked process does.

    That fills Python's caches once, and a forked process then writes to far fewer pages that would have to be copied.
    """
    for name in games.names():
        if not games.is_ours(name):
            continue
        game = games.game(name)
        state = game.deal(0)
        assert state.turn is not None
        view = pack_view(game, state.view(state.turn))
        decide = Request(Limit(1.0), 1.0, False, 0).pack(view)
        ours, agents_end = socket.socketpair()
        with ours, agents_end:
            wire = Wire(ours.fileno())
            wire.send(BUILD, 0, Build(name, "random", 0, 0, 0, []).pack())
            for request in range(16):
                wire.send(DECIDE, request, decide)
            ours.shutdown(socket.SHUT_WR)
            agent_loop.AgentLoop(Wire(agents_end.fileno())).serve()
