"""A decision in the terminal: the board, the best action, its value, the scores of the others, and the effort."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ludoteca.catalogues import Language
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker
from ludoteca.protocols import Decision, MarkableText, View
from ludoteca.reports.chance import outlook
from ludoteca.terminal.colours import painted

SHOWN = 8
"""How many actions are listed with their scores."""
BAR = 20
"""Characters of the longest bar."""


def decision_view(
    view: View,
    decision: Decision,
    seconds: float,
    language: Language,
    *,
    agent: str = "",
    every: bool = False,
    verbose: bool = False,
) -> RenderableType:
    """A decision about a position after so many seconds of thinking.

    agent: the spec of the one that decides, which says what its value means. every: its scores are proven values, so
    each action wins, draws or loses. verbose: also its value and its scores as numbers.
    """
    speaker, game = Speaker(language), view.game
    parts: list[RenderableType] = [_board(view, decision, language, every), Text()]
    chosen = speaker.say("best: {action}", action=game.action_name(decision.action))
    if stands := speaker.translate(outlook(game, view.seat, agent, decision)):
        chosen += f"   {stands}"
    parts.append(Text(chosen, style="bold"))
    if verbose and decision.value is not None:
        whose = side(game, view.seat)
        parts.append(Text(speaker.say("value for {side}: {value:+z.3f}", side=whose, value=decision.value)))
    if decision.explanation:
        parts.append(Text(speaker.translate(decision.explanation)))
    if len(decision.line) > 1:
        line = " ".join(speaker.translate(game.action_name(action)) for action in decision.line)
        parts.append(Text(speaker.say("line: {line}", line=line)))
    if every:
        parts += [Text(line) for line in _verdicts(view, decision, speaker)]
    elif len(decision.scores) > 1:
        parts.append(_scores(view, decision, speaker, verbose))
    effort = [f"{seconds:.1f} s"]
    if decision.nodes:
        looked = speaker.say_count("looked at {nodes:,} position", "looked at {nodes:,} positions", decision.nodes,
                                   nodes=decision.nodes)  # fmt: skip
        depth = speaker.say_count("{count} move ahead", "{count} moves ahead", decision.depth)
        effort = [looked, *([depth] if decision.depth > 1 else []), *effort]
        effort.append(speaker.say("{rate:,} positions/s", rate=round(decision.nodes / max(seconds, 1e-6))))
    parts.append(Text(" · ".join(effort), style="dim"))
    return Group(*parts)


def _board(view: View, decision: Decision, language: Language, every: bool) -> Text:
    """The text board; with `every`, each action shows +, = or − at its place."""
    game = view.game
    if not (every and isinstance(game, MarkableText)):
        return painted(view, language)
    signs = {action: "+" if score > 0 else "−" if score < 0 else "=" for action, score in decision.scores.items()}
    return Text(game.text_with_marks(view, signs, language=language))


def _verdicts(view: View, decision: Decision, speaker: Speaker) -> list[str]:
    """The actions that win, draw and lose, and how many are not proven yet."""
    by_sign: dict[int, list[str]] = {1: [], 0: [], -1: []}
    for action, score in sorted(decision.scores.items()):
        by_sign[(score > 0) - (score < 0)].append(speaker.translate(view.game.action_name(action)))
    lines = [speaker.say("win ({count}): {names}", count=len(by_sign[1]), names=" ".join(by_sign[1]))]
    if by_sign[0]:
        lines.append(speaker.say("draw ({count}): {names}", count=len(by_sign[0]), names=" ".join(by_sign[0])))
    lines.append(speaker.say("lose ({count}): {names}", count=len(by_sign[-1]), names=" ".join(by_sign[-1])))
    if left := len(view.legal()) - len(decision.scores):
        lines.append(speaker.say("not proven yet: {count}", count=left))
    return lines


def _scores(view: View, decision: Decision, speaker: Speaker, verbose: bool) -> Table:
    """The best actions with their scores as bars from the worst to the best; verbose: as numbers too."""
    ranked = sorted(decision.scores.items(), key=lambda each: (-each[1], each[0] != decision.action))
    worst, best = ranked[-1][1], ranked[0][1]
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    for action, score in ranked[:SHOWN]:
        share = 1.0 if best == worst else (score - worst) / (best - worst)
        name = speaker.translate(view.game.action_name(action))
        table.add_row(name, *([f"{score:+z.3f}"] if verbose else []), "█" * max(1, round(share * BAR)))
    if len(ranked) > SHOWN:
        table.add_row(speaker.say("and {number} more", number=len(ranked) - SHOWN))
    return table
