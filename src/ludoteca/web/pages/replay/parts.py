"""The parts of a replay as HTML: controls, players, decisions, and the list of moves."""

from __future__ import annotations

from html import escape

from ludoteca.games.side_names import side
from ludoteca.messages import say
from ludoteca.play.match import Match
from ludoteca.protocols import Game
from ludoteca.reports.text_table import duration
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.thoughts import capital, thought_of

SPEEDS = {"0.5": 2.0, "1": 1.0, "2": 0.5, "4": 0.25}
"""By the label of a speed how many seconds each action is shown."""
BUTTONS = [
    ("first", "first_page", "", say("To the start")),
    ("back", "chevron_left", "ArrowLeft", say("Back one move")),
    ("play", "play_arrow", "p", say("Autoplay")),
    ("next", "chevron_right", "ArrowRight", say("Forward one move")),
    ("last", "last_page", "", say("To the end")),
]
PAUSE = ("play", "pause", "p", say("Pause"))
KEY_NAMES = {"ArrowLeft": "←", "ArrowRight": "→"}


def controls(visit: Visit, *, playing: bool, speed: str) -> str:
    """The buttons of the replay with their keys, and the choice of speed."""
    buttons = []
    for command, icon, key, name in BUTTONS:
        if command == "play" and playing:
            command, icon, key, name = PAUSE
        label = escape(visit.translate(name), quote=True)
        hint = f" ({KEY_NAMES.get(key, key)})" if key else ""
        keyed = f' data-key="{key}" aria-keyshortcuts="{key}"' if key else ""
        buttons.append(
            f'<button type="button" class="control" data-do="{command}"{keyed} title="{label}{hint}" '
            f'aria-label="{label}"><i class="material-icons" aria-hidden="true">{icon}</i></button>'
        )
    choices = "".join(
        f'<option value="{each}"{" selected" if each == speed else ""}>{each}×</option>' for each in SPEEDS
    )
    speeds = escape(visit.say("Speed"), quote=True)
    chooser = f'<select class="speed" title="{speeds}" aria-label="{speeds}">{choices}</select>'
    return "".join(buttons) + chooser


def seat_choice(visit: Visit, game: Game, seat: int) -> str:
    """The choice of seat whose view is shown."""
    buttons = "".join(
        f'<button type="button" class="control" data-do="seat{each}"{" aria-pressed=true" if each == seat else ""}>'
        f"{escape(capital(visit.translate(side(game, each))))}</button>"
        for each in (0, 1)
    )
    # Translators: which player's hidden cards the picture shows
    name = escape(visit.say("Seen by"), quote=True)
    shown = f'<small aria-hidden="true">{name}</small>'
    return f'<span class="seat-choice" role="group" aria-label="{name}">{shown}{buttons}</span>'


def players(visit: Visit, match: Match, ply: int) -> str:
    """The players, each on the side that they play before the action `ply`, with their total thinking time."""
    parts = []
    swapped = sum(at > ply for at in match.side_swaps) % 2
    for seat, who in enumerate(match.seats[::-1] if swapped else match.seats):
        final = seat ^ swapped
        spent = sum(seconds for at, seconds in enumerate(match.seconds) if match.final_seat(at) == final)
        clock = f" <small>{duration(spent)}</small>" if spent else ""
        name = escape(visit.translate(side(match.game, seat)))
        label = who.nickname or visit.say("a person") if who.person else visit.agent(who.agent)
        exact = "" if who.person else visit.exact(who.agent)
        parts.append(f'<div class="player seat{seat}"{exact}><b>{escape(label)}</b> <small>{name}</small>{clock}</div>')
    return "".join(parts)


def thoughts(visit: Visit, match: Match, ply: int, heat: bool) -> str:
    """The recorded decisions behind the last action and the next one."""
    parts = []
    for name, at in ((say("The last move"), ply - 1), (say("The next move"), ply)):
        if 0 <= at < len(match.actions):
            parts.append(f'<h3 class="when">{escape(visit.translate(name))}</h3>{_thought(visit, match, at)}')
    text = "".join(parts) or f"<p>{escape(visit.say('Nothing has been played here.'))}</p>"
    return (
        f'<h2 class="subtitle">{escape(visit.say("What the agent thought"))}</h2><div class="thought">{text}</div>'
        f'<label class="switch"><input type="checkbox" data-do="heat"{" checked" if heat else ""}>'
        f"{escape(visit.say('Heat map'))}</label>"
    )


def _thought(visit: Visit, match: Match, ply: int) -> str:
    decision = match.decisions[ply]
    if decision is not None:
        return thought_of(visit, match, ply, decision)
    who = match.who(ply)
    name = who.nickname or visit.say("a person") if who.person else visit.agent(who.agent)
    action = escape(visit.spoken(match.game.action_name(match.actions[ply])))
    why = visit.say("part of the opening") if ply < match.opening else visit.say("no comment")
    return f"<p><b>{escape(name)}</b> → <code>{action}</code> <small>{escape(why)}</small></p>"


def moves(visit: Visit, match: Match, ply: int) -> str:
    """The actions, each a button that shows the position after it."""
    items = [f'<button type="button" data-ply="0">{escape(visit.say("start"))}</button>']
    for at, (mover, action, seconds, _) in enumerate(match.turns):
        clock = f" <small>{duration(seconds)}</small>" if seconds else ""
        here = " here" if at + 1 == ply else ""
        current = ' aria-current="step"' if here else ""
        items.append(
            f'<button type="button" data-ply="{at + 1}" class="seat{mover}{here}"{current}>'
            f"{escape(visit.spoken(match.game.action_name(action)))}{clock}</button>"
        )
    return "".join(items)
