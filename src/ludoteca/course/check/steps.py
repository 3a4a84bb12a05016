"""The steps of a check in which the submission plays."""

from __future__ import annotations

import math
import time

from ludoteca.agents.files.calling import announced_time
from ludoteca.agents.files.outline import outline
from ludoteca.agents.files.submission import Submission
from ludoteca.agents.tracebacks import in_brief
from ludoteca.course.check.packages import stand_ins
from ludoteca.course.check.probe import SEED, TRIES, Played, Probe
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.errors import InvalidAgent
from ludoteca.games import game as game_of
from ludoteca.games.details import details_of
from ludoteca.messages import Message, joined, say, say_as, say_count
from ludoteca.play.clock import MARGIN, MatchLimit
from ludoteca.players.faults import Ending, Fault

SHORT = 0.1
"""The short limit as a share of the real one; at least half a second, or half of the real one."""
LEAST = 3
"""Decisions in each seat without which nothing is said about time, unless the match is over before."""
LEGAL = 8
"""The same for legality."""
CLOSE = 0.9
"""A submission that needs more than this share of the limit gets a note."""


def which_class(submission: Submission) -> Finding:
    """Which class of the file plays, why that one, and how it is called; read from the text."""
    title = say("Class")
    try:
        found = outline(submission)
    except InvalidAgent as error:
        if submission.places.tree() is None:
            return Finding(title, FindingVerdict.unknown, say("The file cannot be read as Python."))
        return Finding(
            title, FindingVerdict.unknown, say("The text of the file does not show it: {why}", why=error.message)
        )
    player = found.choice.player
    text = say("{name} (line {line}): {why}.", name=player.name, line=found.line, why=found.choice.why)
    built = f"{player.name}{found.constructor or '(…)'}"
    details = [say("It is built by {built} and asked by {asked}.", built=built, asked=found.method)]
    if player.is_agent:
        details.append(say("It is a plain agent: it plays every game that it does not refuse."))
    else:
        details.append(say("It is a player of the course's Hex: it gets a board and returns (row, col)."))
    supplied = stand_ins(submission)
    if supplied:
        details.append(say("These modules were not handed in, so it gets ours: {modules}.", modules=supplied))
    return Finding(title, FindingVerdict.good, text, tuple(details))


def loads(probe: Probe) -> Finding:
    """Whether the file runs, its player can be built, and it makes a decision."""
    # Translators: a step of the check: the file loads without an error
    title = say("Loads")
    built = False
    try:
        probe.build()
        built = True
        probe.ask(probe.game.deal(SEED), probe.limit, _timeout(probe.limit))
    except Fault as fault:
        if built and fault.ending is Ending.timeout:  # that is another question
            return Finding(title, FindingVerdict.good, say("It runs."))
        if probe.is_machines(fault):
            return Finding(title, FindingVerdict.unknown, _BUSY, needed=True)
        lines = tuple(line for line in fault.message.splitlines()[:-1] if ", line " in line)
        return Finding(title, FindingVerdict.bad, in_brief(fault.message), lines[1:])
    return Finding(title, FindingVerdict.good, say("It runs, and it answers."))


_BUSY = say(
    "This machine is too busy: it took the player's time for other work, {tries} times in a row. Check it again when "
    "the machine is quiet.",
    tries=TRIES,
)


def _timeout(limit: MatchLimit) -> float:
    return 30.0 if limit.seconds is None else limit.seconds + MARGIN


def takes_time(probe: Probe, until: float) -> Finding:
    """How long its decisions take at the real limit, in matches against `random`; a slow player gets more time."""
    title, late = say("Time"), ""
    for seat in (0, 1):
        half = until if seat else until - max(0.0, (until - time.monotonic()) / 2)
        played = probe.play(probe.game, seat, "random", probe.limit, half, seed=SEED + seat, least=LEAST)
        probe.times += played.seconds
        probe.own.append(played)
        if played.match.ending is Ending.timeout and played.fault:
            late = played.fault
    limit = probe.limit.seconds
    if late:
        return Finding(title, FindingVerdict.bad, say("It lost by the clock. {why}", why=late), _figures(probe.times))
    if any(played.busy for played in probe.own):
        return Finding(title, FindingVerdict.unknown, _BUSY, _figures(probe.times), needed=True)
    if not all(seen_enough(played) for played in probe.own):
        text = say("It made too few decisions to be measured.")
        return Finding(title, FindingVerdict.unknown, text, _figures(probe.times), needed=True)
    if limit is not None and max(probe.times, default=0.0) > CLOSE * limit:
        text = say(
            "It needs up to {most:.2f} s of {limit:g} s: a slower machine may be too slow.",
            most=max(probe.times), limit=limit,
        )  # fmt: skip
        return Finding(title, FindingVerdict.note, text, _figures(probe.times), in_brief=True)
    text = (
        say("It stays within its {limit:g} s.", limit=limit)
        if limit is not None
        else say("There is no limit in seconds.")
    )
    return Finding(title, FindingVerdict.good, text, _figures(probe.times), in_brief=True)


def seen_enough(played: Played) -> bool:
    """Whether a match shows how the submission plays: it is over, or the submission has made some decisions."""
    return played.finished or len(played.seconds) >= LEAST


def _figures(times: list[float]) -> tuple[str, ...]:
    if not times:
        return ()
    ordered = sorted(times)
    high = ordered[math.ceil(0.95 * len(ordered)) - 1]
    return (
        say(
            "mean {mean:.3f} s, 95% within {high:.3f} s, longest {most:.3f} s, of {count} decisions",
            mean=sum(times) / len(times), high=high, most=ordered[-1], count=len(times),
        ),
    )  # fmt: skip


def short_limit(probe: Probe) -> Finding:
    """Whether it respects a much shorter limit. Sets `probe.brief`."""
    title, limit = say("Short limit"), probe.limit.seconds
    probe.brief = probe.limit
    probe.seconds_each = sum(probe.times) / max(1, len(probe.times))
    if limit is None:
        return Finding(title, FindingVerdict.unknown, say("There is no limit in seconds."))
    seconds = max(limit * SHORT, min(limit, 1.0) / 2)
    short = MatchLimit(seconds)
    try:
        _, took, waited = probe.ask(probe.game.deal(SEED), short, _timeout(probe.limit))
    except Fault as fault:
        if probe.is_machines(fault):
            return Finding(title, FindingVerdict.unknown, _BUSY)
        text = say("With {seconds:g} s it does not answer: {why}", seconds=seconds, why=in_brief(fault.message))
        return Finding(title, FindingVerdict.note, text)
    given = announced_time(seconds)
    assert given is not None
    if took - waited <= seconds + MARGIN:
        probe.brief, probe.seconds_each = short, min(seconds, probe.seconds_each)
        text = say(
            "With {seconds:g} s (it gets {given:g} s) it answers in {took:.2f} s.",
            seconds=seconds, given=given, took=took,
        )  # fmt: skip
        return Finding(title, FindingVerdict.good, text)
    text = say(
        "With {seconds:g} s (it gets {given:g} s) it takes {took:.2f} s: it ignores the time that it is given.",
        seconds=seconds, given=given, took=took,
    )  # fmt: skip
    return Finding(title, FindingVerdict.note, text)


def legal(probe: Probe, until: float) -> Finding:
    """Whether it plays by the rules in both seats, also in smaller variants of the game."""
    # Translators: a step of the check: the player makes only legal moves
    title = say("Legal")
    variants = map(game_of, details_of(probe.game).small_variants)
    games = [probe.game, *(each for each in variants if each != probe.game)]
    played = [(probe.game, each) for each in probe.own]
    for game in games[1:] or games:
        for seat in (0, 1):
            if time.monotonic() < until:
                played.append((game, probe.play(game, seat, "random", probe.brief, until, seed=SEED + 7 + seat)))
    for seat in (0, 1):  # a slow player gets more time
        if not any(each.seat == seat and _shows_legality(each) for _, each in played):
            game = min(games, key=lambda each: each.num_actions)
            played.append(
                (game, probe.play(game, seat, "random", probe.brief, until, seed=SEED + 7 + seat, least=LEGAL))
            )
    shown = [(game, each) for game, each in played if each.seconds or each.fault]
    rows = tuple((game.spec, str(each.seat), _how(each)) for game, each in shown)
    table = ((say("game"), say("seat"), say("result")), *rows)
    wrong = [(game, each) for game, each in played if each.fault and each.match.ending is not Ending.timeout]
    own = [each for game, each in wrong if game is probe.game]
    if own:
        return Finding(title, FindingVerdict.bad, _described(own[0]), (), table)
    if wrong:
        game, each = wrong[0]
        text = say("On {game}: {fault}", game=game.spec, fault=_described(each))
        seen = all(_shows_legality(each) for each in probe.own)
        return Finding(title, FindingVerdict.note if seen else FindingVerdict.unknown, text, (), table, needed=True)
    actions = sum(len(each.seconds) for _, each in played)
    if not all(any(each.seat == seat and _shows_legality(each) for _, each in played) for seat in (0, 1)):
        text = say_count("It made only {count} decision.", "It made only {count} decisions.", actions)
        return Finding(title, FindingVerdict.unknown, text, (), table, needed=True)
    text = say_count("{count} decision, and it was legal.", "{count} decisions, all of them legal.", actions)
    return Finding(title, FindingVerdict.good, text, (), table)


def _shows_legality(played: Played) -> bool:
    return played.finished or len(played.seconds) >= LEGAL


def _described(played: Played) -> Message:
    where = say("as seat {seat} in move {move}", seat=played.seat, move=len(played.match.actions) + 1)
    kind, reason = played.match.ending.words, in_brief(played.match.message)
    return say("{kind}, {where}: {reason}", kind=kind, where=where, reason=reason)


def _how(played: Played) -> str:
    if played.fault:
        return played.match.ending.words
    if not played.finished:
        return say_count("stopped after {count} move", "stopped after {count} moves", len(played.match.actions))
    won, lost = say_as("match", "won"), say_as("match", "lost")
    return won if played.score == 1 else lost if played.score == 0 else say_as("match", "drawn")


def repeats(probe: Probe, until: float) -> Finding:
    """Whether the same seed gives the same match."""
    title = say("Same seed")
    variants = details_of(probe.game).small_variants
    game = game_of(variants[0]) if variants else probe.game
    once, again = (probe.play(game, 0, "random", probe.brief, until) for _ in range(2))
    for played in (once, again):
        if played.fault:
            return Finding(
                title, FindingVerdict.note, say("A fault ended the match: {fault}", fault=_described(played))
            )
    if not min(len(once.seconds), len(again.seconds)):
        return Finding(title, FindingVerdict.unknown, say("There was no time for a second match."))
    length = min(len(once.match.actions), len(again.match.actions))
    if once.match.actions[:length] == again.match.actions[:length]:
        text = say_count(
            "It played the same again, {count} move long.", "It played the same again, {count} moves long.", length
        )
        return Finding(title, FindingVerdict.good, text)
    first = next(at for at in range(length) if once.match.actions[at] != again.match.actions[at]) + 1
    text = say(
        "It played differently from move {move} on: it uses random numbers of its own, or the clock decides its depth.",
        move=first,
    )
    return Finding(title, FindingVerdict.note, joined([text, say("Its errors are hard to reproduce.")], " "))
