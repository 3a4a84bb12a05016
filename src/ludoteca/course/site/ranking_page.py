"""The first page of a course's site: ranking with intervals, crosstable, who took no part, and how to read it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from urllib.parse import quote

from ludoteca.arena.results import TournamentResult
from ludoteca.course.check.report import in_one_line
from ludoteca.course.formula import NAMES, Formula
from ludoteca.course.grades import Grade
from ludoteca.course.match_statistics import Times
from ludoteca.course.site.html import link, page, table
from ludoteca.messages import Speaker, say
from ludoteca.ratings.elo import Interval, show_elo
from ludoteca.ratings.interval_scale import IntervalScale
from ludoteca.reports.standings import Standings, distinct_note
from ludoteca.reports.text_table import duration, percent

FORMATS = {
    "round-robin": say("everybody against everybody"),
    "swiss": say("Swiss system"),
    "references": say("everybody against the references"),
}
BYES = say(
    "Bye: with an odd number one submission has no opponent in each round. It gets the points of won matches, and they "
    "count among its matches. A second bye comes only after everybody has had one."
)


def ranking_page(
    title: str,
    grades: Sequence[Grade],
    result: TournamentResult | None,
    standings: Standings | None,
    slugs: Mapping[str, str],
    times: Sequence[Times],
    formula: Formula,
    speaker: Speaker,
) -> str:
    """The page; `slugs` are the files of the submissions' pages by name."""
    parts = [f"<h1>{escape(title)}</h1>"]
    if result is not None:
        about = speaker.say(
            "{game}, {limit} for each move, {format}; {matches}.",
            game=result.game, limit=result.limit, format=FORMATS.get(result.format, result.format),
            matches=distinct_note(result.matches, result.distinct),
        )  # fmt: skip
        so_far = (
            ""
            if result.complete
            else f" <b>{escape(speaker.say('It is not finished: these are the standings so far.'))}</b>"
        )
        parts.append(f"<p class='soft'>{escape(about)}{so_far}</p>")
    parts += [f"<h2>{escape(speaker.say('Ranking'))}</h2>", _ranking(grades, slugs, speaker)]
    if standings is not None:
        parts += [f"<h2>{escape(speaker.say('Who beat whom'))}</h2>", _crosstable(grades, standings, slugs, speaker)]
    absent = [each for each in grades if each.remark]
    if absent:
        rows = [
            [_name(each, slugs), f"<td class='text'>{escape(in_one_line(speaker.translate(each.remark)))}</td>"]
            for each in absent
        ]
        heading = speaker.say("Not in the tournament")
        parts += [
            f"<h2>{escape(heading)}</h2>",
            table([speaker.say("Submission"), speaker.say("Why")], rows, words=(0, 1)),
        ]
    parts += [f"<h2>{escape(speaker.say('How to read this'))}</h2>", _explained(grades, times, formula, speaker)]
    return page(title, "\n".join(parts), speaker)


def _ranking(grades: Sequence[Grade], slugs: Mapping[str, str], speaker: Speaker) -> str:
    shown = [each for each in grades if not each.remark]
    intervals = [Interval(each.elo, each.low, each.high) for each in shown]
    scale = IntervalScale([each for each in intervals if not math.isnan(each.elo)], count=3)
    byes = any(each.byes for each in shown)
    rows = []
    for each, interval in zip(shown, intervals, strict=True):
        score = each.score
        known = not math.isnan(each.elo)
        rating = [show_elo(each.elo), interval.ends, scale.bar(interval)] if known else [""] * 3
        grade = "" if math.isnan(each.grade) else f"{each.grade:.2f}"
        rows.append([
            "" if each.place is None else str(each.place), _name(each, slugs), f"<b>{grade}</b>", f"{each.points:g}",
            percent(each.points / each.matches) if each.matches else "",
            f"{score.wins}–{score.draws}–{score.losses}", *([str(each.byes or "")] if byes else []), *rating,
            str(each.faults or ""),
        ])  # fmt: skip
    headings = [
        "#", speaker.say("Submission"), speaker.say("Grade"), speaker.say("Points"), speaker.say_as("points", "Share"),
        # Translators: rounds without an opponent, as in chess tournaments
        speaker.say("W–D–L"), *([speaker.say("Byes")] if byes else []), "Elo", speaker.say("95% interval"), "",
        speaker.say("Faults"),
    ]  # fmt: skip
    return table(headings, rows, words=(1,))


def _name(each: Grade, slugs: Mapping[str, str]) -> str:
    if each.reference:
        return f"<td class='word name soft'>{escape(each.name)}</td>"
    return f"<td class='word name'>{link(slugs[each.name], each.name)}</td>"


def _crosstable(grades: Sequence[Grade], standings: Standings, slugs: Mapping[str, str], speaker: Speaker) -> str:
    """In each row a submission's share of the points against each other one; a cell leads to these matches."""
    shown = [(each, each.identity) for each in grades if each.identity and each.identity in standings.crosstable]
    rows = []
    for number, (each, identity) in enumerate(shown, start=1):
        cells = [str(number), _name(each, slugs)]
        for other, opponent in shown:
            score = standings.crosstable[identity].get(opponent)
            if score is None:
                cells.append("<td></td>")
                continue
            tint = "var(--win)" if score.share > 0.5 else "var(--loss)"
            style = f"--tint:{tint};--strength:{round(110 * abs(score.share - 0.5))}%"
            title = escape(f"{each.name} – {other.name}: {score.wins}–{score.draws}–{score.losses}", quote=True)
            target = slugs.get(each.name) if not each.reference else slugs.get(other.name)
            anchor = quote(f"vs-{other.name if not each.reference else each.name}")
            cells.append(
                f"<td class='cell'>"
                f"<a href='{escape(f'{target}#{anchor}', quote=True)}' style='{style}' title='{title}'>"
                f"{percent(score.share)}</a></td>"
            )
        rows.append(cells)
    headings = ["#", speaker.say("Submission"), *(str(number) for number in range(1, len(shown) + 1))]
    return table(headings, rows, words=(1,), kind="cross")


def _explained(grades: Sequence[Grade], times: Sequence[Times], formula: Formula, speaker: Speaker) -> str:
    names = "; ".join(f"{name}: {speaker.translate(text)}" for name, text in NAMES.items() if name in formula.text)
    lines = [
        speaker.say(
            "The ranking is by points: 1 for a win, a half for a draw, in all matches. Equal points share a place."
        ),
        *([speaker.translate(BYES)] if any(each.byes for each in grades) else []),
        speaker.say(
            "Elo measures strength: 400 points more win ten times as often. The true value lies within the interval in "
            "95 of 100 such tournaments; where two intervals overlap, the order of these two may be chance."
        ),
        speaker.say("Every deal and opening was played twice, with sides swapped."),
        speaker.say("Grade = {formula}, where {names}.", formula=formula.text, names=names),
    ]
    known = [each for each in times if each.known]
    if known:
        waited, computed = sum(each.waited for each in known), sum(each.computed for each in known)
        lines.append(
            speaker.say(
                "The machine's jitter: the players' processes computed for {computed}, loading included, and waited "
                "{waited} for a processor while others had it. A match that timed out because "
                "the machine took more than the clock forgives was played again once.",
                computed=duration(computed), waited=duration(waited),
            )
        )  # fmt: skip
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f"{paragraphs}<p>{link('grades.csv', 'grades.csv')}</p>"
