"""A decision on its way to the terminal: the board, what was weighed, what is expected, and how far it was looked."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.catalogues import Language
from ludoteca.messages import Speaker
from ludoteca.protocols import Decision, View

__all__ = ["opinion"]

SHOWN = 8
"""Actions that are listed with their scores."""
BAR = 20
"""Characters of the longest bar."""


def opinion(view: View, decision: Decision, seconds: float, language: Language) -> RenderableType:
    """All that a decision says about a position, as it stands after so many seconds."""
    speaker, game = Speaker(language), view.game
    parts: list[RenderableType] = [Text(game.text(view, language=language)), Text()]
    chosen = speaker.say("best: {action}", action=game.action_name(decision.action))
    if decision.value is not None:
        chosen += "   " + speaker.say("value for seat {seat}: {value:+z.3f}", seat=view.seat, value=decision.value)
    if decision.proven:
        chosen += "   " + speaker.say("proven")
    parts.append(Text(chosen, style="bold"))
    if decision.note:
        parts.append(Text(speaker.translate(decision.note)))
    if len(decision.line) > 1:
        line = " ".join(speaker.translate(game.action_name(action)) for action in decision.line)
        parts.append(Text(speaker.say("line: {line}", line=line)))
    if len(decision.scores) > 1:
        parts.append(_scores(view, decision, speaker))
    effort = [f"{seconds:.1f} s"]
    if decision.nodes:
        effort.insert(0, speaker.say("{nodes:,} nodes · depth {depth}", nodes=decision.nodes, depth=decision.depth))
        effort.append(speaker.say("{rate:,} nodes/s", rate=round(decision.nodes / max(seconds, 1e-6))))
    parts.append(Text(" · ".join(effort), style="dim"))
    return Group(*parts)


def _scores(view: View, decision: Decision, speaker: Speaker) -> Table:
    """The best actions with their scores, as numbers and as bars between the worst and the best of all."""
    ranked = sorted(decision.scores.items(), key=lambda each: (-each[1], each[0] != decision.action))
    worst, best = ranked[-1][1], ranked[0][1]
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for action, score in ranked[:SHOWN]:
        share = 1.0 if best == worst else (score - worst) / (best - worst)
        name = speaker.translate(view.game.action_name(action))
        table.add_row(name, f"{score:+z.3f}", "█" * max(1, round(share * BAR)))
    if len(ranked) > SHOWN:
        table.add_row(speaker.say("and {number} more", number=len(ranked) - SHOWN))
    return table
