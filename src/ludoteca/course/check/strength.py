"""How strong a submission is: a short climb up the ladder of our own agents, whose strengths are known."""

from __future__ import annotations

import random
import time

from ludoteca.course.check.probe import SEED, Probe
from ludoteca.course.check.report import Finding, Verdict
from ludoteca.messages import joined, say
from ludoteca.play.clock import MatchLimit
from ludoteca.protocols import Action
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.placing import place
from ludoteca.reports.ladder import Ladder, Rung, ladders

__all__ = ["climbs"]

QUICK = ("random", "engine:level=", "astar", "beam", "minimax", "tumbafichas", "cases", "v1", "v2")
"""What the rungs are called that do not keep a student waiting."""
GAP = 60.0
"""Elo points between two rungs, at least."""
PAIRS = 8
"""Pairs of matches at most."""
NODES = 20_000
"""What the rungs' agents may use where their ladder says nothing of nodes."""


def climbs(probe: Probe, until: float) -> Finding:
    """Its rating: pairs of matches, upwards after a pair won and downwards after one lost, as far as the time goes."""
    title = say("Strength")
    ladder = next(iter(ladders(probe.game.name)), None)
    if ladder is None:
        return Finding(title, Verdict.unknown, say("There is no ladder of agents for {game}.", game=probe.game.name))
    rungs, nodes = _rungs(ladder), MatchLimit.parse(ladder.limit).nodes or NODES
    results: list[tuple[float, float]] = []
    rows: list[tuple[str, ...]] = []
    at, step = 0, max(1, len(rungs) // 3)
    for pair in range(PAIRS):
        points, played = 0.0, 0
        for seat in (0, 1):
            if time.monotonic() >= until:
                break
            match = probe.play(
                probe.game, seat, rungs[at].agent, probe.brief, until, seed=SEED + 100 + pair, nodes=nodes,
                opening=_opening(probe, pair),
            )  # fmt: skip
            if match.finished:
                points, played = points + match.score, played + 1
                results.append((rungs[at].elo, match.score))
        if not played:
            break
        rows.append((rungs[at].agent, show_elo(rungs[at].elo), f"{points:g}/{played}"))
        if points == played:
            at = min(at + step, len(rungs) - 1)
        else:
            step = 1
            at = max(at - (points == 0), 0)
    if not results:
        return Finding(title, Verdict.unknown, say("There was no time left for a whole match."))
    text = say(
        "Elo {rating} on the ladder where random has 0, after {count} matches.",
        rating=place(results),
        count=len(results),
    )
    how = say(
        "Played on {game} with {limit} a move; the rungs were measured on {measured}.",
        game=probe.game.spec,
        limit=str(probe.brief) or say("no limit"),
        measured=ladder.game,
    )
    sure = say("The brackets hold the true rating in 95 of 100 such checks: more matches make them narrower.")
    table = ((say("agent"), "Elo", say("points")), *rows)
    return Finding(title, Verdict.note, text, (joined([how, sure], " "),), table)


def _rungs(ladder: Ladder) -> list[Rung]:
    """From the weakest up, each clearly stronger than the one before."""
    found: list[Rung] = []
    for rung in sorted(ladder.rungs, key=lambda each: each.elo):
        if rung.chance or not rung.agent.startswith(QUICK) or rung.elo < 0:
            continue
        if not found or rung.elo - found[-1].elo >= GAP:
            found.append(rung)
    return found


def _opening(probe: Probe, pair: int) -> tuple[Action, ...]:
    """A first stone where all deals are the same, so that two pairs are two matches."""
    first, second = (probe.game.deal(seed).view(0) for seed in (0, 1))
    return (random.Random(pair).choice(first.legal()),) if first == second else ()
