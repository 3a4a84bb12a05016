"""Who may play at all: an agent is built once before a run, so that broken code is told at once and not lost by."""

from __future__ import annotations

from ludoteca import agents as registry
from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import Identity
from ludoteca.errors import BrokenAgent, InvalidAgent
from ludoteca.messages import say
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game

__all__ = ["admit"]


def admit(pool: Pool, game: Game, agent: str) -> Identity:
    """The identity of an agent that plays this game and can be built.

    It is built once, ours and what is trusted in this process, any other in one of its own. Raises InvalidAgent and
    InvalidOption for a name or options that mean nothing, and BrokenAgent, with its own traceback, for an agent whose
    code cannot be imported or built.
    """
    identity = identity_of(agent, game.name)
    if not registry.plays_game(identity.spec, game.name):
        raise InvalidAgent(
            say(
                "{name} does not play {game}; the agents that do are {names}",
                name=registry.short_spec(identity.spec),
                game=game.name,
                names=registry.names(game.name),
            )
        )
    if registry.is_ours(identity.spec):
        registry.agent(identity.spec)(game, 0, 0)
        return identity
    player = pool.player(game, identity)
    try:
        player.prepare(0, 0)
    except Fault as fault:
        name = registry.short_spec(identity.spec)
        raise BrokenAgent(say("{agent} cannot be built:\n{reason}", agent=name, reason=fault.message)) from None
    finally:
        player.close()
    return identity
