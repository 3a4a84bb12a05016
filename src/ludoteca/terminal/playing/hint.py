"""``hint``: what an agent would play, by default the strongest engine, knowing only what the person may know."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ludoteca.agents import short_spec, strongest
from ludoteca.errors import BrokenAgent
from ludoteca.messages import Speaker
from ludoteca.players.build_check import check_build
from ludoteca.players.faults import Fault
from ludoteca.players.pool import Pool
from ludoteca.protocols import Decision, Limit, View
from ludoteca.reports.chance import without_search, your_outlook
from ludoteca.terminal.playing.reasons import expectation

LIMIT = Limit(seconds=1.0)
"""Thinking time for a hint."""
MORE = 10
"""How many times as long an agent may think that has found nothing yet."""
LONGEST = 60.0
"""Seconds after which we give up."""


def give_hint(
    console: Console,
    speaker: Speaker,
    pool: Pool,
    view: View,
    seen: Sequence[View],
    limit: Limit = LIMIT,
    *,
    agent: str | None = None,
) -> None:
    """Print a hint for the seat of this view, or why there is none. agent: by default the strongest engine."""
    asked = strongest(view.game) if agent is None else agent
    try:
        with console.status(speaker.say("thinking …")):
            decision = ask_agent(pool, asked, view, seen, limit)
            if limit.seconds is not None and without_search(view, decision):
                decision = ask_agent(pool, asked, view, seen, Limit(seconds=MORE * limit.seconds, nodes=limit.nodes))
    except BrokenAgent as error:
        console.print(speaker.translate(error.message), markup=False, highlight=False)
        return
    first, *more = advice(view, asked, decision, speaker)
    console.print(first, style="bold", markup=False, highlight=False)
    for line in more:
        console.print(f"  {line}", style="dim", markup=False, highlight=False)


def ask_agent(pool: Pool, agent: str, view: View, seen: Sequence[View], limit: Limit) -> Decision:
    """What an agent would play for the seat of this view.

    It sees only this view and the seat's earlier ones, so it knows no more than the person. Raises BrokenAgent.
    """
    identity = check_build(pool, view.game, agent)
    try:
        with pool.seated(view.game, identity, view.seat, 0, seen) as player:
            return player.decide(view, limit, LONGEST)
    except Fault as fault:
        raise BrokenAgent("there is no hint: {reason}", reason=fault.message) from None


def advice(view: View, agent: str, decision: Decision, speaker: Speaker) -> list[str]:
    """A hint in a few lines: the move, the reason, and the expected line."""
    game = view.game
    lines = [
        speaker.say(
            "{agent} would play {action}.",
            agent=short_spec(agent),
            action=speaker.translate(game.action_name(decision.action)),
        )
    ]
    if stands := speaker.translate(your_outlook(game, agent, decision)):
        lines[0] += f" {stands[:1].upper()}{stands[1:]}"
    return [*lines, *filter(None, (speaker.translate(decision.explanation), expectation(game, decision, speaker)))]
