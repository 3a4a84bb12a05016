"""Build every agent once before a run, so that broken code is reported immediately instead of losing matches."""

from __future__ import annotations

from ludoteca import agents as registry
from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import Identity
from ludoteca.errors import BrokenAgent
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Game


def check_build(pool: Pool, game: Game, agent: str) -> Identity:
    """The identity of an agent that plays this game, after building it once where the pool's admission lets it run.

    Raises InvalidAgent and InvalidOption for an unknown name or invalid options, and BrokenAgent, with the agent's own
    traceback, when its code cannot be imported or built.
    """
    identity = identity_of(agent, game.name)
    registry.check_plays(identity.spec, game)
    if registry.is_ours(identity.spec):
        registry.agent(identity.spec)(game, 0, 0)
        return identity
    try:
        with pool.seated(game, identity, 0, 0):
            return identity
    except Fault as fault:
        name = registry.short_spec(identity.spec)
        raise BrokenAgent("{agent} cannot be built:\n{reason}", agent=name, reason=fault.message) from None
