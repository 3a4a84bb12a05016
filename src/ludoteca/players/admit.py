"""Lets an agent into a run: it is built once, so that one that cannot be is a mistake now and no fault in every match."""

from __future__ import annotations

from ludoteca import agents as registry
from ludoteca.agents.identity import Identity, identity_of
from ludoteca.errors import BrokenAgent, InvalidAgent
from ludoteca.messages import say
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game

__all__ = ["admit"]


def admit(pool: Pool, game: Game, agent: str) -> Identity:
    """The agent's identity, once it has been built where it would play. Raises InvalidAgent and BrokenAgent."""
    identity = identity_of(agent)
    if not registry.plays_game(identity.spec, game.name):
        raise InvalidAgent(
            say(
                "{agent} does not play {game}; the agents that do are {names}",
                agent=agent,
                game=game.name,
                names=", ".join(registry.names(game.name)),
            )
        )
    player = pool.player(game, str(identity))
    try:
        player.prepare(0, 0)
    except Fault as fault:
        raise BrokenAgent(say("{agent} cannot be built: {why}", agent=agent, why=fault.message)) from None
    finally:
        player.close()
    return identity
