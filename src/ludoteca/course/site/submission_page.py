"""The page of one submission: how it fared, what went wrong, how long it thought, and all its matches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from ludoteca.agents.identity import Identity
from ludoteca.course.grades import Grade
from ludoteca.course.match_statistics import Played, Times
from ludoteca.course.site.html import link, page, result_word, table
from ludoteca.games.picture import element
from ludoteca.messages import Speaker
from ludoteca.players.faults import Ending
from ludoteca.reports.text_table import duration, percent

SHOWN = 12
"""Matches that a fault is linked to."""


def submission_page(
    grade: Grade,
    played: Sequence[Played],
    qualification: Sequence[Played],
    times: Times,
    names: Mapping[Identity, str],
    limit: float | None,
    speaker: Speaker,
) -> str:
    """The page; `names` are what to call the opponents."""
    say = speaker.say
    parts = [f"<h1>{escape(grade.name)}</h1>", f"<p>{escape(_summary(grade, speaker))}</p>"]
    if grade.remark:
        absent = say("It takes no part in the tournament:")
        parts.append(
            f"<div class='fault'>{escape(absent)}<pre>{escape(speaker.translate(grade.remark).strip())}</pre></div>"
        )
    faults = _faults([*played, *qualification], names, speaker)
    if faults:
        parts += [f"<h2>{escape(say('What went wrong'))}</h2>", *faults]
    if times.seconds:
        parts += [f"<h2>{escape(say('Time'))}</h2>", time_plot(times, limit, speaker), _times(times, limit, speaker)]
    if played:
        parts += [f"<h2>{escape(say('Matches'))}</h2>", _matches(played, names, speaker)]
    if qualification:
        parts += [f"<h2>{escape(say('Qualification'))}</h2>", _matches(qualification, names, speaker)]
    return page(grade.name, "\n".join(parts), speaker, up="../")


def _summary(grade: Grade, speaker: Speaker) -> str:
    if grade.place is None:
        return ""
    score = grade.score
    text = speaker.say(
        "Place {place}; {points:g} points; won {wins}, drawn {draws}, lost {losses}; grade {grade}",
        place=grade.place, points=grade.points, wins=score.wins, draws=score.draws, losses=score.losses,
        grade="–" if grade.grade != grade.grade else f"{grade.grade:.2f}",
    )  # fmt: skip
    if not grade.byes:
        return text
    byes = speaker.say_count(
        "It had a bye in {count} round: no opponent, and the points of {matches} won matches.",
        "It had a bye in {count} rounds: no opponent, and the points of {matches} won matches.",
        grade.byes, matches=grade.matches - score.matches,
    )  # fmt: skip
    return f"{text}. {byes}"


def _faults(played: Sequence[Played], names: Mapping[Identity, str], speaker: Speaker) -> list[str]:
    """Each kind of fault once, with what was said of it first and links to where it happened."""
    found: dict[tuple[Ending, str], list[Played]] = {}
    for each in played:
        if each.own_fault:
            found.setdefault((each.ending, _gist(each.message)), []).append(each)
    blocks = []
    for (ending, _), where in sorted(found.items(), key=lambda item: -len(item[1])):
        lost = speaker.say_count(
            "{count} match lost by a fault: {kind}", "{count} matches lost by a fault: {kind}", len(where),
            kind=ending.words,
        )  # fmt: skip
        links = ", ".join(
            link(f"../{each.page}", names.get(each.opponent, str(each.opponent))) for each in where[:SHOWN]
        )
        more = " …" if len(where) > SHOWN else ""
        why = escape(speaker.translate(where[0].message).strip())
        against = escape(speaker.say("against"))
        blocks.append(
            f"<div class='fault'><b>{escape(lost)}</b> <span class='soft'>{against}</span> {links}{more}"
            f"<pre>{why}</pre></div>"
        )
    return blocks


def _gist(message: str) -> str:
    """What distinguishes one fault from another: the last line without digits."""
    lines = [line for line in message.splitlines() if line.strip()]
    return "".join(letter for letter in (lines[-1] if lines else "") if not letter.isdigit())


def _times(times: Times, limit: float | None, speaker: Speaker) -> str:
    say = speaker.say
    count = len(times.seconds)
    text = say(
        "{count} moves: {mean} each in the mean, 95% within {most}, the longest {longest}",
        count=count, mean=duration(times.total / count), most=duration(times.share(0.95)),
        longest=duration(max(times.seconds)),
    )  # fmt: skip
    lines = [text + ("" if limit is None else say("; the limit is {limit}", limit=duration(limit))) + "."]
    if times.known:
        lines.append(
            say(
                "Its processes computed for {computed}, loading included, and waited {waited} for a processor while "
                "others had it.",
                computed=duration(times.computed), waited=duration(times.waited),
            )
        )  # fmt: skip
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _matches(played: Sequence[Played], names: Mapping[Identity, str], speaker: Speaker) -> str:
    say = speaker.say
    by_opponent: dict[Identity, list[Played]] = {}
    for each in played:
        by_opponent.setdefault(each.opponent, []).append(each)
    rows = []
    for opponent, matches in sorted(by_opponent.items(), key=lambda item: names[item[0]].casefold()):
        points = sum(each.score for each in matches)
        for place, each in enumerate(matches):
            name = names[opponent]
            share = percent(points / len(matches))
            ending = speaker.translate(each.ending.words)
            if each.ending.is_fault:
                ending += f" ({say('its own') if each.own_fault else say('the other’s')})"
            rows.append([
                f"<td class='word name' id='{escape(_anchor(name), quote=True)}'>{escape(name)}</td>"
                if not place else "<td></td>",
                share if not place else "",
                f"<a href='../{each.page}'>{result_word(each.score, speaker)}</a>",
                # Translators: who moved first
                escape(say("first") if each.seat == 0 else say("second")),
                escape(ending) + (" ×2" if each.tries > 1 else ""), str(each.moves),
            ])  # fmt: skip
    headings = [
        say("Opponent"),
        speaker.say_as("points", "Share"),
        say("Result"),
        say("Seat"),
        say("Ending"),
        say("Moves"),
    ]
    return table(headings, rows, words=(0, 2, 3, 4))


def _anchor(name: str) -> str:
    return f"vs-{name}"


WIDTH, HEIGHT = 700, 260
LEFT, RIGHT, TOP, BOTTOM = 92, 16, 36, 44
"""Pixels around the plot."""
STEPS = (1, 2, 5, 10, 20, 50, 100)


def time_plot(times: Times, limit: float | None, speaker: Speaker) -> str:
    """An SVG element, coloured by the page; empty where nothing was timed. Its scale is logarithmic."""
    moves = [(total / count, most) for count, total, most in times.by_move if count]
    if not moves:
        return ""
    largest = max([most for _, most in moves] + ([limit] if limit else []))
    smallest = max(1e-6, min(mean for mean, _ in moves))
    low, high = math.floor(math.log10(smallest)), math.ceil(math.log10(largest * 1.05))
    high = max(high, low + 1)

    def x(place: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / len(moves)

    def y(seconds: float) -> float:
        share = (math.log10(max(seconds, 10.0**low)) - low) / (high - low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(1.0, max(0.0, share))

    parts = []
    for power in range(low, high + 1):
        level = y(10.0**power)
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=level, y2=level, **{"class": "axis"}))
        parts.append(element("text", duration(10.0**power), x=LEFT - 6, y=level + 4, text_anchor="end"))
    step = next((each for each in STEPS if len(moves) / each <= 14), STEPS[-1])
    for place in range(0, len(moves), step):
        parts.append(element("text", str(place + 1), x=x(place), y=HEIGHT - BOTTOM + 16, text_anchor="middle"))
    parts.append(element("text", speaker.say("own move"), x=WIDTH - RIGHT, y=HEIGHT - 6, text_anchor="end"))
    if limit:
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y(limit), y2=y(limit), **{"class": "limit"}))
    points = " ".join(f"{x(place):.1f},{y(mean):.1f}" for place, (mean, _) in enumerate(moves))
    parts.append(element("polyline", points=points, **{"class": "mean"}))
    parts += [
        element("circle", cx=x(place), cy=y(most), r=3, **{"class": "most"}) for place, (_, most) in enumerate(moves)
    ]
    key = speaker.say("line: mean; dots: longest; dashes: the limit")
    parts.append(element("text", key, x=LEFT, y=20))
    named = speaker.say("Time for each move")
    return (
        f"<svg class='plot' role='img' viewBox='0 0 {WIDTH} {HEIGHT}'>{element('title', named)}{''.join(parts)}</svg>"
    )
