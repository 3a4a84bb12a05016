"""Whether an agent takes the options that somebody gave it: it says so only when it is built.

It is built among the agents at work, where it can neither hang nor eat the server's memory.
"""

from __future__ import annotations

import contextlib

from ludoteca import agents
from ludoteca.errors import InvalidAgent, InvalidOption, LudotecaError
from ludoteca.messages import Message
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.spec import split
from ludoteca.web.pages.play.wishes import FormFaults, preset_of
from ludoteca.web.serving.allowed_specs import asked_game
from ludoteca.web.tables.table import FRIEND, PERSON, Asked
from ludoteca.web.thinking.queue import Thinking
from ludoteca.web.thinking.single_decision import opinion, refuses

__all__ = ["try_out"]

SECONDS = 0.01


async def try_out(thinking: Thinking, asked: Asked) -> None:
    """Raises FormFaults for an agent of ours that does not take its options, at the field of the option to blame.

    Any other trouble is told at the table, where the agent can be tried again.
    """
    roles = ("opponent", "opponent") if PERSON in asked.seats else ("me", "opponent")
    for role, who in zip(roles, asked.seats, strict=True):
        if who in (PERSON, FRIEND) or not preset_of(who)[1] or not agents.is_ours(split(who, InvalidAgent)[0]):
            continue
        match = Match(asked_game(asked.game), 0)
        try:
            with contextlib.suppress(LudotecaError):
                await opinion(thinking, match, who, SECONDS)
        except Fault as fault:
            if refuses(fault):
                _say_why(match, who, role)


def _say_why(match: Match, agent: str, role: str) -> None:
    """Raises FormFaults. What refuses its options does so before it takes any memory: so it can be built here too."""
    try:
        agents.agent(agent)(match.game, 0, 0)
    except InvalidOption as error:
        fields = error.message.fields if isinstance(error.message, Message) else {}
        name = split(agent, InvalidAgent)[0]
        raise FormFaults({f"{role}.{name}.{fields.get('name', '')}": error}) from error
