"""How strong a submission is: a short climb up the ladder of our own agents, whose strengths are known."""

from __future__ import annotations

import random
import time

from ludoteca.course.check.probe import SEED, Probe
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.messages import joined, say, say_count
from ludoteca.play.clock import MatchLimit
from ludoteca.protocols import Action, Game
from ludoteca.ratings.elo import show_elo
from ludoteca.ratings.placing import place
from ludoteca.reports.ladder import Ladder, Rung, ladders

QUICK = ("random", "engine:level=", "astar", "beam", "minimax", "tumbafichas", "cases", "v1", "v2")
"""What the rungs are called that do not keep a student waiting."""
GAP = 60.0
"""Elo points between two rungs, at least."""
PAIRS = 8
"""Pairs of matches at most."""
WHOLE = 10_000
"""More decisions than a match has: the first pair of matches is played to its end."""
NODES = 20_000
"""What the rungs' agents may use where their ladder says nothing of nodes."""


def climbs(probe: Probe, until: float, pairs: int = PAIRS) -> Finding:
    """Its rating: pairs of matches, upwards after a pair won and downwards after one lost, as far as the time goes."""
    title = say("Strength")
    ladder = next(iter(ladders(probe.game.name)), None)
    if ladder is None:
        return Finding(
            title, FindingVerdict.unknown, say("There is no ladder of agents for {game}.", game=probe.game.name)
        )
    rungs, nodes = _rungs(ladder), MatchLimit.parse(ladder.limit).nodes or NODES
    results: list[tuple[float, float]] = []
    rows: list[tuple[str, ...]] = []
    faults: list[str] = []
    at, step = 0, max(1, len(rungs) // 3)
    game = _game(probe, until)
    for pair in range(pairs):
        points, played = 0.0, 0
        for seat in (0, 1):
            if time.monotonic() >= (until if len(results) > 1 else max(until, probe.budget.last)):
                break
            match = probe.play(
                game, seat, rungs[at].agent, probe.brief, until, seed=SEED + 100 + pair, nodes=nodes,
                opening=_opening(game, pair), least=0 if len(results) > 1 else WHOLE,
            )  # fmt: skip
            if match.finished:
                points, played = points + match.score, played + 1
                results.append((rungs[at].elo, match.score))
                faults += [match.fault] * bool(match.fault)
        if not played:
            break
        rows.append((rungs[at].agent, show_elo(rungs[at].elo), f"{points:g}/{played}"))
        if points == played:
            at = min(at + step, len(rungs) - 1)
        else:
            step = 1
            at = max(at - (points == 0), 0)
    if not results:
        return Finding(title, FindingVerdict.unknown, say("There was no time left for a whole match."))
    text = say_count(
        "Elo {rating} on the ladder where random has 0, after {count} match.",
        "Elo {rating} on the ladder where random has 0, after {count} matches.",
        len(results),
        rating=place(results),
    )
    if faults:
        lost = say_count(
            "It lost {count} match by a fault: {fault}",
            "It lost {count} matches by a fault, the first: {fault}",
            len(faults),
            fault=faults[0],
        )
        text = joined([text, lost], " ")
    how = say(
        "Played on {game} with {limit} a move; the rungs were measured on {measured}.",
        game=game.spec,
        limit=str(probe.brief) or say("no limit"),
        measured=ladder.game,
    )
    sure = say("The brackets hold the true rating in 95 of 100 such checks: more matches make them narrower.")
    table = ((say("agent"), "Elo", say("points")), *rows)
    return Finding(title, FindingVerdict.note, text, (joined([how, sure], " "),), table, in_brief=True)


def _rungs(ladder: Ladder) -> list[Rung]:
    """From the weakest up, each clearly stronger than the one before."""
    found: list[Rung] = []
    for rung in sorted(ladder.rungs, key=lambda each: each.elo):
        if rung.chance or not rung.agent.startswith(QUICK) or rung.elo < 0:
            continue
        if not found or rung.elo - found[-1].elo >= GAP:
            found.append(rung)
    return found


def _game(probe: Probe, until: float) -> Game:
    """The game, or its smallest variant for a player that is too slow for a pair of matches of the game."""
    variants = details_of(probe.game).small_variants
    decisions = probe.game.num_actions / 2  # of both matches, in a game in which half of all actions are played
    seconds = decisions * probe.seconds_each
    return game_of(variants[0]) if variants and time.monotonic() + seconds > until else probe.game


def _opening(game: Game, pair: int) -> tuple[Action, ...]:
    """A first stone where all deals are the same, so that two pairs are two matches."""
    first, second = (game.deal(seed).view(0) for seed in (0, 1))
    return (random.Random(pair).choice(first.legal()),) if first == second else ()
