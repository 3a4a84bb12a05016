"""Maps from values to chances, fitted from stored matches and tested on matches that they were not fitted on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ludoteca import spec as specs
from ludoteca.errors import InvalidAgent
from ludoteca.messages import say
from ludoteca.play.record import Record
from ludoteca.players.faults import Ending
from ludoteca.ratings.calibration import Estimate, Forecast, Observation, brier_score, fit, observed_score, split
from ludoteca.reports.chance import AHEAD, ALMOST_CERTAIN, EFFORT, PROBABLE, AgentCalibration
from ludoteca.reports.text_table import TextTable

BANDS = (1 - ALMOST_CERTAIN, 1 - PROBABLE, 1 - AHEAD, AHEAD, PROBABLE, ALMOST_CERTAIN)
"""The chances that divide the bands of a reliability table: those at which the words change."""
FEWEST = 24
"""Fewer pairs of matches make no map."""
FEWEST_SHOWN = 5
"""A cell of a reliability table rests on at least so many pairs."""


@dataclass(frozen=True)
class CalibrationTest:
    """A fitted map, and its forecasts for the matches that were left out."""

    fitted: AgentCalibration
    forecasts: Sequence[Forecast]
    raw: Sequence[Forecast]
    """The same with the agent's own values read as chances: 1 as 100%, 0 as 50%."""

    @property
    def brier(self) -> Estimate:
        """The Brier score of the forecasts."""
        return brier_score(self.forecasts)

    @property
    def raw_brier(self) -> Estimate:
        """The Brier score that the agent's own values would have."""
        return brier_score(self.raw)

    @property
    def in_bands(self) -> list[Estimate | None]:
        """For each band of stated chances the observed score; None where too few matches say so."""
        bands: list[list[Forecast]] = [[] for _ in range(len(BANDS) + 1)]
        for each in self.forecasts:
            bands[sum(each.chance >= edge for edge in BANDS)].append(each)
        return [
            observed_score(band) if len({each.cluster for each in band}) >= FEWEST_SHOWN else None for band in bands
        ]


def calibrate(records: Iterable[Record], game: str, also: Mapping[str, list[str]]) -> list[CalibrationTest]:
    """A map for each agent that gave values in enough matches of a game, and its test.

    also: further options of the game whose matches count too. Matches that ended with a fault do not count, equal
    matches count once, and proven values need no map.
    """
    pattern = AgentCalibration(game, also, "", 0, (), fit([Observation(0.0, 0.5, "")]))
    found: dict[str, list[Observation]] = defaultdict(list)
    matches: dict[str, set[str]] = defaultdict(set)
    limits: dict[str, set[str]] = defaultdict(set)
    seen: set[tuple[str, str]] = set()
    for record in records:
        key = (record.game, record.digest)
        if record.ending is not Ending.finished or key in seen or not pattern.holds_in(record.game):
            continue
        seen.add(key)
        for ply, decision in enumerate(record.decisions):
            agent = record.who(ply).agent
            if decision is None or decision.value is None or decision.proven or not agent:
                continue
            name = _map_name(agent)
            score = record.score if record.movers[ply] == 0 else 1 - record.score
            found[name].append(Observation(decision.value, score, _pair(record), _beginning(record)))
            matches[name].add(record.digest)
            limits[name].add(record.limit)
    tests = []
    for agent in sorted(found):
        fitted, tested = split(found[agent])
        if len({each.cluster for each in found[agent]}) < FEWEST or not tested:
            continue
        known = fit(fitted)
        about = AgentCalibration(game, also, agent, len(matches[agent]), tuple(sorted(limits[agent])), known)
        stated = [Forecast(known.chance(each.value), each.score, each.cluster) for each in tested]
        raw = [Forecast((1 + max(-1.0, min(1.0, each.value))) / 2, each.score, each.cluster) for each in tested]
        tests.append(CalibrationTest(about, stated, raw))
    return tests


def _map_name(agent: str) -> str:
    """The agent's spec without options that only say how much it may search."""
    name, options = specs.split(agent, InvalidAgent)
    kept = ",".join(f"{key}={value}" for key, value in options.items() if key not in EFFORT)
    return f"{name}:{kept}" if kept else name


def _beginning(record: Record) -> str:
    """Equal for matches from the same opening, or else from the same deal."""
    opening = record.actions[: record.opening]
    return f"{record.game}|{opening or record.seed}|{record.start}"


def _pair(record: Record) -> str:
    agents = sorted(who.identity.spec for who in record.seats)
    return f"{_beginning(record)}|{record.seed}|{agents}"


def band_name(place: int) -> str:
    """A band of stated chances, such as ``70–90%``."""
    edges = [0, *(round(100 * edge) for edge in BANDS), 100]
    return f"{edges[place]}–{edges[place + 1]}%"


def reliability_table(tests: Sequence[CalibrationTest]) -> TextTable:
    """A row for each agent: matches, pairs tested, Brier score, and the observed score in each band, with intervals."""
    headings = [
        say("agent"), say("matches"), say("pairs tested"), say("Brier score"), say("of raw values"),
        *(band_name(place) for place in range(len(BANDS) + 1)),
    ]  # fmt: skip
    rows = []
    for test in tests:
        brier, raw = test.brier, test.raw_brier
        cells = [
            "" if band is None else f"{100 * band.mean:.0f} ({100 * band.low:.0f}–{100 * band.high:.0f})"
            for band in test.in_bands
        ]
        rows.append(
            [
                test.fitted.agent, str(test.fitted.matches), str(brier.clusters),
                f"{brier.mean:.3f} ({brier.low:.3f}–{brier.high:.3f})", f"{raw.mean:.3f}", *cells,
            ]
        )  # fmt: skip
    return TextTable("", headings, rows, words=frozenset([headings[0]]), name=headings[0])
