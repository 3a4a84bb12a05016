"""Checks the options of an agent by building it: an agent checks them only then.

It is built in a process of the pool, where it can neither hang nor eat the server's memory.
"""

from __future__ import annotations

import contextlib

from ludoteca import agents
from ludoteca.errors import InvalidAgent, InvalidOption, LudotecaError
from ludoteca.messages import Message
from ludoteca.play.match import Match
from ludoteca.players.faults import Fault
from ludoteca.spec import split
from ludoteca.web.pages.setup.match_form import FormErrors, split_preset
from ludoteca.web.serving.allowed_specs import allowed_game
from ludoteca.web.tables.match_request import FRIEND, PERSON, MatchRequest
from ludoteca.web.thinking.queue import AgentQueue, Work
from ludoteca.web.thinking.single_decision import decide_once, is_refusal

SECONDS = 0.01


async def check_agents(queue: AgentQueue, wanted: MatchRequest) -> None:
    """Raises FormErrors, at the option's field, when one of our agents refuses its options.

    Any other failure shows at the table, where the agent can be tried again.
    """
    roles = ("opponent", "opponent") if PERSON in wanted.seats else ("me", "opponent")
    match = Match(allowed_game(wanted.game), 0)
    for role, who in zip(roles, wanted.seats, strict=True):
        if who in (PERSON, FRIEND) or not agents.is_ours(split(who, InvalidAgent)[0]):
            continue
        if not split_preset(match.game.name, who)[1]:
            continue
        try:
            with contextlib.suppress(LudotecaError):
                await decide_once(queue, match, who, SECONDS, work=Work.hint)
        except Fault as fault:
            if is_refusal(fault):
                _raise_refusal(match, who, role)


def _raise_refusal(match: Match, agent: str, role: str) -> None:
    """Raises FormErrors. An agent refuses its options before it takes memory, so it may be built here."""
    try:
        agents.agent(agent)(match.game, 0, 0)
    except InvalidOption as error:
        fields = error.message.fields if isinstance(error.message, Message) else {}
        name = split(agent, InvalidAgent)[0]
        raise FormErrors({f"{role}.{name}.{fields.get('name', '')}": error}) from error
