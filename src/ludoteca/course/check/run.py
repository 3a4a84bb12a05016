"""The course of a check: loads a submission, lets it play, and gathers what was found out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from ludoteca import agents as registry
from ludoteca.agents import files
from ludoteca.agents.digests import identity_of
from ludoteca.course.check import steps
from ludoteca.course.check.imports import imports
from ludoteca.course.check.layout import assumes_layout
from ludoteca.course.check.probe import Budget, Probe
from ludoteca.course.check.probe_output import MemoryWatch, Printed
from ludoteca.course.check.report import Finding, Report, Verdict
from ludoteca.course.check.strength import climbs
from ludoteca.errors import InvalidAgent
from ludoteca.games import game as game_of
from ludoteca.messages import say, say_count
from ludoteca.play.clock import MatchLimit
from ludoteca.players.pool import Pool

__all__ = ["SECONDS", "Watch", "examine"]

SECONDS = 45.0
"""What a check may take once the submission has been loaded: with Python's own start it is done within a minute."""

Watch = Callable[[Finding], None]
STEPS_BY_GAME: Mapping[str, Callable[[Probe, float], Finding]] = {"hex": assumes_layout}
"""The question that only submissions for this game are asked."""


def examine(
    submission: str, game: str = "hex", limit: str = "5s", watch: Watch = lambda _: None, *,
    packages: Sequence[str] | None = None, seconds: float = SECONDS,
) -> Report:  # fmt: skip
    """All that a check finds out about a submission; `watch` is told of each finding as it comes.

    packages: those that its course offers; None where nobody knows.
    Its code runs in processes of its own. Raises InvalidAgent for what is no file or does not play the game,
    InvalidGame and InvalidOption.
    """
    begun = time.monotonic()
    rules, allowed = game_of(game), MatchLimit.parse(limit)
    if not registry.is_file(submission):
        raise InvalidAgent(say("{agent} is no file: a check is for files such as solution.py", agent=submission))
    given = files.Submission.of(submission)
    identity = identity_of(submission, rules.name)
    name = registry.short_spec(submission)
    if not registry.plays_game(identity.spec, rules.name):
        raise InvalidAgent(
            say("{agent} has a method play(board), so it plays hex, not {game}", agent=name, game=rules.name)
        )
    report = Report(name, rules.spec, str(allowed))

    def add(finding: Finding) -> Finding:
        report.findings.append(finding)
        watch(finding)
        return finding

    printed = Printed()
    with ExitStack() as stack:
        memory = stack.enter_context(MemoryWatch())
        with printed.redirected():  # what the pool starts now prints into the pipe, for good
            pool = stack.enter_context(Pool(prints=True))
            pool.player(rules, identity).close()
        probe = Probe(pool, identity, rules, allowed, Budget(seconds))
        loaded = add(steps.loads(probe))
        add(steps.which_class(given))
        add(imports(given, packages))
        if loaded.verdict is not Verdict.bad:
            _play(probe, add)
    printed.finish()
    if loaded.verdict is not Verdict.bad:
        add(_memory(memory))
        add(_prints(printed))
    report.seconds = time.monotonic() - begun
    return report


def _play(probe: Probe, add: Callable[[Finding], Finding]) -> None:
    """The questions that it answers by playing, the most important ones first; each has a share of the time."""
    share = probe.budget.share
    add(steps.takes_time(probe, share(14)))
    add(steps.short_limit(probe))
    if step := STEPS_BY_GAME.get(probe.game.name):
        add(step(probe, share(14)))
    add(steps.legal(probe, share(8)))
    add(steps.repeats(probe, share(5)))
    add(climbs(probe, share(20)))


def _memory(watch: MemoryWatch) -> Finding:
    title = say("Memory")
    if not watch.most:
        return Finding(title, Verdict.unknown, say("This system does not tell how much memory a process holds."))
    text = say(
        "At most {most} MiB, of which Python and our core take about {usual} MiB.",
        most=watch.most,
        usual=min(watch.usual, watch.most),
    )
    return Finding(title, Verdict.good, text)


def _prints(printed: Printed) -> Finding:
    title = say("Prints")
    if not printed.bytes:
        return Finding(title, Verdict.good, say("Nothing."))
    text = say_count(
        "{count} byte in this check; nobody reads it in a tournament, and it takes time.",
        "{count} bytes in this check; nobody reads it in a tournament, and it takes time.",
        printed.bytes,
    )
    return Finding(title, Verdict.note, text, tuple(f"│ {line}" for line in printed.first_lines))
