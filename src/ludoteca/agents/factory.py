"""Makes agents by their names.

A name is that of an installed agent, ours or anybody else's (see `registry`). A name with a dot, such as
``my_player.Greedy``, is a class in a Python module, looked for in the current folder too. A student's file, such as
``folder/solution.py:SmartPlayer`` or just ``folder``, is an agent as well (see `files`).

An agent is a class or function that takes a game, a seat and its own seed, then its options as keywords. Its attribute
``games``, if it has one, names the games that it can play. Nothing that a class says of itself makes it ours or
trusted: see `registry.is_ours`.
"""

from __future__ import annotations

from ludoteca import spec as specs
from ludoteca.agents import files, registry
from ludoteca.agents.descriptions import plays, refusal
from ludoteca.agents.digests import identity_of
from ludoteca.agents.identity import split_version
from ludoteca.errors import InvalidAgent
from ludoteca.protocols import Agent, AgentFactory, Game, Seat


def agent(text: str) -> AgentFactory:
    """Makes agents of the kind that a text such as ``random`` or ``minimax:depth=4`` describes, in this process.

    A digest after it, as in ``solution.py@1f3a9c20``, demands this very version; it is checked when an agent is made.
    Raises InvalidAgent for an unknown name or a text of another form, and InvalidOption for a wrong option. The factory
    raises InvalidAgent for a game that such agents do not play, and for another version.

    >>> import ludoteca
    >>> game = ludoteca.game("horses")
    >>> minimax = ludoteca.agent("minimax:depth=2")(game, 0, 0)
    >>> decision = minimax.act(game.deal(seed=1).view(0), ludoteca.Limit())
    >>> game.action_name(decision.action)
    'd6'
    """
    spec, prefix = split_version(text)
    if prefix:

        def make_version(game: Game, seat: Seat, seed: int) -> Agent:
            return agent(identity_of(text, game.name).spec)(game, seat, seed)

        make_version.__qualname__ = f"agent({text!r})"
        return make_version
    if registry.is_file(spec):
        return files.load_player(spec)
    name, texts = specs.split(spec, InvalidAgent)
    factory = registry.agent_class(name)
    # Reading a class's options takes time, and most agents are named without any.
    keywords = specs.read(name, specs.options(factory, skip=registry.GIVEN), texts) if texts else {}

    def make(game: Game, seat: Seat, seed: int) -> Agent:
        if not plays(factory, game):
            raise refusal(name, game)
        return factory(game, seat, seed, **keywords)

    make.__qualname__ = f"agent({text!r})"  # what is shown of it
    return make
