"""What makes agents, by their names.

A name is that of an installed agent, ours or anybody else's (see `entries`). A name with a dot, such as
``my_player.Greedy``, is a class in a Python module, looked for in the current folder too. A student's file, such as
``folder/solution.py:SmartPlayer`` or just ``folder``, is an agent as well. See `files`.

An agent is a class (or function) that takes a game, a seat and its own seed, then its options as keywords. The
attribute ``games``, where it has one, names the games that it can play. Nothing that a class says of itself makes it
ours or trusted: see `entries.is_ours`.
"""

from __future__ import annotations

from ludoteca import spec as specs
from ludoteca.agents import entries, files
from ludoteca.agents.descriptions import names, plays
from ludoteca.agents.identity import Identity, identity_of
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say
from ludoteca.protocols import Agent, AgentFactory, Game, Seat

__all__ = ["agent"]


def agent(spec: str) -> AgentFactory:
    """What makes agents of the kind that a string such as ``random`` or ``minimax:depth=4`` describes, in this process.

    A version after it, as in ``solution.py@1f3a9c20``, says that no other will do. Raises InvalidAgent for an unknown
    name, a string of another form or another version, and InvalidOption for a wrong option; the factory itself raises
    InvalidAgent for a game that such agents do not play.

    >>> import ludoteca
    >>> game = ludoteca.game("horses")
    >>> minimax = ludoteca.agent("minimax:depth=2")(game, 0, 0)
    >>> decision = minimax.act(game.deal(seed=1).view(0), ludoteca.Limit())
    >>> game.action_name(decision.action)
    'd6'
    """
    if Identity.parse(spec).digest:
        spec = identity_of(spec).spec
    if entries.is_file(spec):
        return files.load_player(spec)
    name, texts = specs.split(spec, InvalidAgent)
    factory = entries.agent_class(name)
    # Most are named without options, and then nobody has to find out which ones there are.
    keywords = specs.read(name, specs.options(factory, skip=entries.GIVEN), texts) if texts else {}

    def make(game: Game, seat: Seat, seed: int) -> Agent:
        if not plays(factory, game.name):
            raise InvalidAgent(
                say(
                    "{name} does not play {game}; the agents that do are {names}",
                    name=name,
                    game=game.name,
                    names=names(game.name),
                )
            )
        return factory(game, seat, seed, **keywords)

    return make
