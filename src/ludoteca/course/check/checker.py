"""The checker: loads a submission, lets it play, and collects the findings."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Self

from ludoteca import agents as registry
from ludoteca.agents.digests import identity_of
from ludoteca.agents.files import Submission
from ludoteca.course.check import steps
from ludoteca.course.check.imports import imports
from ludoteca.course.check.layout import assumes_layout
from ludoteca.course.check.probe import Budget, Probe
from ludoteca.course.check.report import Finding, FindingVerdict, Report
from ludoteca.course.check.settings import CheckSettings
from ludoteca.course.check.strength import climbs
from ludoteca.errors import InvalidAgent
from ludoteca.games import game as game_of
from ludoteca.messages import Message, say, say_count
from ludoteca.play.clock import MatchLimit
from ludoteca.players.pool import Pool

BUILDS = 20
"""Players of a submission that a check builds until it has seen enough."""
Watch = Callable[[Finding], None]
Tell = Callable[[Message], None]
STEPS_BY_GAME: Mapping[str, Callable[[Probe, Submission, float], Finding]] = {"hex": assumes_layout}
"""The steps that only submissions for this game take."""


def examine(
    submission: Submission, settings: CheckSettings, watch: Watch = lambda _: None, tell: Tell = lambda _: None
) -> Report:
    """Check one submission; `watch` gets each finding as soon as it is there, `tell` what is being done.

    The submission runs in processes of its own, as in a tournament. Raises InvalidAgent if it does not play the game,
    and InvalidGame and InvalidOption.
    """
    begun = time.monotonic()
    conditions = settings.conditions
    rules, allowed = game_of(conditions.game), MatchLimit.parse(conditions.limit)
    identity = identity_of(submission.spec, rules.name)
    name = registry.short_spec(submission.spec)
    if not registry.plays_game(identity.spec, rules.name):
        raise InvalidAgent("{agent} has a method play(board), so it plays hex, not {game}", agent=name, game=rules.name)
    report = Report(name, rules.spec, str(allowed))

    def add(finding: Finding) -> Finding:
        report.findings.append(finding)
        watch(finding)
        return finding

    with ExitStack() as stack:
        printed = stack.enter_context(CapturedOutput())
        pool = stack.enter_context(Pool(settings.admission, memory=conditions.memory, prints=printed.fd))
        budget = Budget(settings.seconds, settings.longest)
        probe = Probe(pool, identity, rules, allowed, budget, margin=conditions.margin)
        progress = _Progress(probe, tell)
        progress.begin(say("Loads"))
        loaded = add(steps.loads(probe))
        # Each of its players is built anew, and what it imports may take seconds.
        probe.budget = Budget(settings.seconds, settings.longest + BUILDS * probe.build_seconds)
        add(steps.which_class(submission))
        add(imports(submission, settings.packages))
        if loaded.verdict is FindingVerdict.good:
            _play(probe, submission, progress, add)
            add(_memory(pool))
    if loaded.verdict is FindingVerdict.good:
        add(_prints(printed))
    report.seconds = time.monotonic() - begun
    return report


class _Progress:
    """Tells which step is being done, and how many decisions the submission has made in it."""

    def __init__(self, probe: Probe, tell: Tell) -> None:
        self._tell, self._title, self._count = tell, say("Loads"), 0
        probe.on_decision = self._decides

    def begin(self, title: Message) -> None:
        self._title, self._count = title, 0
        self._tell(say("{step} …", step=title))

    def _decides(self) -> None:
        self._count += 1
        text = say_count("{step}: {count} decision …", "{step}: {count} decisions …", self._count, step=self._title)
        self._tell(text)


def _play(probe: Probe, submission: Submission, progress: _Progress, add: Callable[[Finding], Finding]) -> None:
    """The steps in which it plays, the most important ones first; each has a share of the time."""
    share = probe.budget.share
    progress.begin(say("Time"))
    add(steps.takes_time(probe, share(0.3)))
    progress.begin(say("Short limit"))
    add(steps.short_limit(probe))
    if step := STEPS_BY_GAME.get(probe.game.name):
        progress.begin(say("Neighbours"))
        add(step(probe, submission, share(0.3)))
    progress.begin(say("Legal"))
    add(steps.legal(probe, share(0.2)))
    progress.begin(say("Same seed"))
    add(steps.repeats(probe, share(0.1)))
    progress.begin(say("Strength"))
    add(climbs(probe, share(1.0)))


def _memory(pool: Pool) -> Finding:
    text = say(
        "At most {most} MiB; Python and our core alone take about {usual} MiB.",
        most=pool.peak_memory,
        usual=min(pool.own_peak_memory, pool.peak_memory),
    )
    return Finding(say("Memory"), FindingVerdict.good, text)


def _prints(printed: CapturedOutput) -> Finding:
    # Translators: a step of the check: what the player prints while it plays
    title = say("Prints")
    if not printed.bytes:
        return Finding(title, FindingVerdict.good, say("Nothing."))
    text = say_count(
        "{count} byte during this check. A tournament does not show it, and printing takes time.",
        "{count} bytes during this check. A tournament does not show it, and printing takes time.",
        printed.bytes,
    )
    return Finding(title, FindingVerdict.note, text, tuple(f"│ {line}" for line in printed.first_lines))


KEPT = 4096
"""Bytes of output that are kept; the rest is only counted."""


class CapturedOutput:
    """A pipe for the output of child processes. After the context has ended, all of it has been read."""

    def __init__(self) -> None:
        self._read_end, self.fd = os.pipe()
        """`fd` is where the children write."""
        self._kept = b""
        self.bytes = 0
        """How much was printed."""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)
        self._reader.join(timeout=5)  # it ends when the last child has closed its end

    def _read(self) -> None:
        while data := os.read(self._read_end, 1 << 16):
            self.bytes += len(data)
            self._kept += data[: KEPT - len(self._kept)]
        os.close(self._read_end)

    @property
    def first_lines(self) -> list[str]:
        """The first three lines that are not empty, without control characters."""
        text = self._kept.decode(errors="replace")
        lines = ("".join(each for each in line if each.isprintable())[:100] for line in text.splitlines())
        return [line for line in lines if line.strip()][:3]
