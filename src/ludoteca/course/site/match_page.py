"""The page of one match: its boards to step through, what was thought, how long it took and why it ended."""

from __future__ import annotations

import json
from html import escape

from ludoteca.course.site.frames import Pieces, frames_of
from ludoteca.course.site.html import link, page
from ludoteca.games.details import seat_variables
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker
from ludoteca.play.match import Match, Turn
from ludoteca.play.record import Record
from ludoteca.protocols import Decision, Game, Seat
from ludoteca.reports.chance import outlook
from ludoteca.reports.fault_summary import replay_note
from ludoteca.reports.text_table import duration


def match_page(
    record: Record, names: tuple[str, str], title: str, pieces: Pieces, speaker: Speaker, first_try: str = ""
) -> str:
    """The page; `names` are those of the two seats, escaped and linked; `first_try` is the page of the first try."""
    match = Match.of_record(record)
    frames = json.dumps(frames_of(match, pieces, speaker.language), separators=(",", ":"))
    moves = "".join(
        _move(place, turn, match.game, record, names, speaker) for place, turn in enumerate(match.turns, start=1)
    )
    sides = (speaker.translate(side(match.game, seat)) for seat in (0, 1))
    who = " – ".join(
        f"<span class='seat{seat}'>{name}</span> <span class='soft'>({escape(called)})</span>"
        for seat, (name, called) in enumerate(zip(names, sides, strict=True))
    )
    body = (
        f"<h1>{escape(title)}</h1><p>{who}</p>{_ending(record, names, speaker)}{_first_try(record, first_try, speaker)}"
        "<div class='replay'><div><div class='board'></div><div class='buttons'>"
        f"{_button(-1_000_000, '|◀', speaker.say('to the beginning'))}{_button(-1, '◀', speaker.say('one move back'))}"
        f"<input type='range' min='0' value='0' aria-label='{escape(speaker.say('move'), quote=True)}'>"
        f"{_button(1, '▶', speaker.say('one move on'))}{_button(1_000_000, '▶|', speaker.say('to the end'))}</div>"
        f"<noscript><p>{escape(speaker.say('The boards need JavaScript; the moves stand beside them.'))}</p></noscript>"
        f"</div><ol class='moves' style='{seat_variables(match.game)}'>{moves}</ol></div>"
    )
    return page(
        title, body, speaker, up="../", scripts=("pieces.js", "replay.js"), inline=f"var MATCH={{frames:{frames}}};"
    )


def _button(by: int, sign: str, meaning: str) -> str:
    text = escape(meaning, quote=True)
    return f"<button type='button' data-by='{by}' title='{text}' aria-label='{text}'>{sign}</button>"


def _move(
    place: int, turn: Turn, game: Game, record: Record, names: tuple[str, str], speaker: Speaker
) -> str:  # fmt: skip
    opening = place <= record.opening
    who = speaker.say("opening") if opening else speaker.translate(side(game, turn.seat))
    spent = "" if opening else f" <span class='soft'>{escape(duration(turn.seconds))}</span>"
    agent = record.who(place - 1).agent
    thought = _thought(turn.decision, game, turn.seat, agent, speaker) if turn.decision is not None else ""
    shown = f"<span class='thought'>{escape(thought)}</span>" if thought else ""
    return (
        f"<li id='move-{place}'><span class='soft'>{place}.</span> "
        f"<span class='seat{turn.seat}'>{escape(who)}</span> "
        f"<b>{escape(game.action_name(turn.action))}</b>{spent}{shown}</li>"
    )


def _thought(decision: Decision, game: Game, seat: Seat, agent: str, speaker: Speaker) -> str:
    """What the agent said of its choice: what it expects, why, and how it would go on."""
    parts = []
    if stands := speaker.translate(outlook(game, seat, agent, decision)):
        parts.append(stands.removesuffix("."))
    if decision.explanation:
        parts.append(speaker.translate(decision.explanation))
    if len(decision.line) > 1:
        parts.append(speaker.say("line {line}", line=" ".join(map(game.action_name, decision.line))))
    if decision.nodes:
        parts.append(speaker.say("{nodes} nodes", nodes=decision.nodes))
    return "; ".join(parts)


def _ending(record: Record, names: tuple[str, str], speaker: Speaker) -> str:
    """Who won, and why it ended."""
    if record.score == 0.5:
        text = escape(speaker.say("A draw."))
    else:
        winner = 0 if record.score == 1 else 1
        text = escape(speaker.say("{who} wins.", who="\0")).replace("\0", names[winner])
    if record.fault is not None:
        kind = speaker.translate(record.ending.words)
        lost = escape(speaker.say("{who} loses by a fault: {kind}.", who="\0", kind=kind)).replace(
            "\0", names[record.fault]
        )
        why = speaker.translate(record.message).strip()
        return f"<div class='ending'>{text} {lost}<pre>{escape(why)}</pre></div>"
    return f"<div class='ending'>{text} {escape(speaker.say('It ended by the rules.'))}</div>"


def _first_try(record: Record, target: str, speaker: Speaker) -> str:
    """The note on a match that was replayed, with a link to the first try; else empty."""
    note = replay_note(record)
    if note is None:
        return ""
    return f"<p class='soft'>{escape(speaker.translate(note))} {link(target, speaker.say('The first try'))}</p>"
