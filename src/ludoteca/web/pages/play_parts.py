"""The parts of a table's page as texts: each says what a table is like now, as far as a tab may see it."""

from __future__ import annotations

from html import escape

from ludoteca.protocols import View
from ludoteca.web.board import board, value_plot, words_needed
from ludoteca.web.frame import Visit, control
from ludoteca.web.host import Host
from ludoteca.web.pages.thoughts import thought_html
from ludoteca.web.sight import Sight
from ludoteca.web.table import PERSON, Table, Thought

__all__ = ["controls", "moves", "picture", "players", "result", "status", "thoughts", "typing", "ways", "words"]


def typing(visit: Visit, table: Table) -> str:
    """The field for an action in words. Its example is the same in every match: one of a hand would give it away."""
    hint = escape(visit.say("type_action", example=table.game.action_name(0)), quote=True)
    return (
        f'<input class="grow" placeholder="{hint}" aria-label="{hint}" autocomplete="off" maxlength="40" '
        f'autocapitalize="off" spellcheck="false"><button class="button" '
        f'aria-label="{escape(visit.say("play"), quote=True)}">⏎</button>'
    )


def picture(visit: Visit, sight: Sight, view: View, *, playable: bool, heat: bool, extra: Thought | None) -> str:
    """The board, with the heat map and the line of `extra`, or else of the agent's thought where `heat` asks for it."""
    table = sight.table
    thought, line = extra, extra.line if extra else ()
    if extra is None and heat:
        thought = sight.thought(len(table.movers) - 1 if sight.ply is None else sight.ply)
        line = () if thought is None else thought.line[1:] if sight.ply is None else thought.line
    fits = range(table.game.num_actions)
    scores = {action: score for action, score in (thought.scores if thought else {}).items() if action in fits}
    known = [action for action in line if action in fits]
    return board(view, playable=playable, heat=scores or None, line=known, language=visit.language)


def words(visit: Visit, view: View) -> str:
    """A button for each action that has no place in the picture, or for all of a few."""
    names = {action: view.game.action_name(action) for action in words_needed(view)}
    return "".join(
        f'<button type="button" class="button" data-action="{action}" title="{escape(name, quote=True)}">'
        f"{escape(visit.spoken(name))}</button>"
        for action, name in names.items()
    )


def players(visit: Visit, table: Table) -> str:
    """Who sits where, with the time that agents have used."""
    parts = []
    for seat, who in enumerate(table.head.seats):
        label = who if who != PERSON else visit.say("you" if len(table.head.persons) == 1 else "person")
        spent = sum(
            thought.seconds
            for thought, mover in zip(table.thoughts, table.movers, strict=True)
            if thought and mover == seat
        )
        clock = f" <small>{spent:.1f} s</small>" if spent else ""
        here = " on-turn" if table.turn == seat else ""
        parts.append(
            f'<div class="player seat{seat}{here}"><b>{escape(label)}</b> '
            f"<small>{escape(visit.say('seat', seat=seat))}</small>{clock}</div>"
        )
    return "".join(parts)


def status(visit: Visit, host: Host, sight: Sight, hint: str) -> str:
    """What is happening just now: whose turn it is, what the agent does, what went wrong, how it ended."""
    table, say = host.table, visit.say
    turn, agent = table.turn, table.agent_on_turn
    if host.cleared:
        return f'<p class="trouble">{escape(say("cleared"))}</p>'
    if turn is None:
        return f'<p class="result">{escape(result(visit, table))}</p>'
    if sight.ply is not None:
        return f"<p>{escape(say('in_the_past'))}</p>"
    if sight.covered:
        return f"<p>{escape(say('curtain', seat=turn))}</p>"
    if host.trouble:
        # What an agent says of its failure may name what it holds in its hand.
        why = say("hidden_failure", agent=agent) if sight.hides else visit.translated(host.trouble)
        return f'<p class="trouble">{escape(say("failed", why=why))}</p>'
    if host.paused:
        return f"<p>{escape(say('paused'))}</p>"
    if agent is not None:
        if host.stage == "thinking":
            progress = f'<div class="progress" style="--seconds:{table.head.seconds:g}s"></div>'
            return f"<p>{escape(say('thinking', agent=agent))}</p>{progress}"
        key = "busy" if host.stage == "busy" else "waiting"
        return f"<p>{escape(say(key, agent=agent, ahead=host.ahead))}</p>"
    if hint:
        return f'<p class="hint">{escape(hint)}</p>'
    key = "your_turn" if len(table.head.persons) == 1 else "seat_turn"
    return f"<p>{escape(say(key, seat=turn))}</p>"


def result(visit: Visit, table: Table) -> str:
    """How a match ended, in words."""
    returns, persons = table.returns(), table.head.persons
    winner = returns.index(max(returns))
    if returns[0] == returns[1]:
        text = visit.say("draw")
    elif len(persons) != 1:
        text = visit.say("seat_wins", seat=winner)
    elif winner in persons:
        text = visit.say("you_win")
    else:
        text = visit.say("you_lose", agent=table.head.seats[winner])
    return text if table.resigned is None else f"{visit.say('resigned', seat=table.resigned)} {text}"


def controls(visit: Visit, host: Host, sight: Sight) -> str:
    """The buttons below the board."""
    table, say = host.table, visit.say
    if host.cleared:
        return control("new", say("new"), "add", "n")
    persons = table.head.persons
    agents_play = not persons and not table.over
    pause = ("resume", "play_arrow") if host.paused else ("pause", "pause")
    takes_back = table.may_undo and (bool(persons) or host.paused or table.over)
    buttons = [
        control("undo", say("undo"), "undo", "u", enabled=takes_back),
        control("hint", say("hint"), "lightbulb", "h", enabled=not sight.obstacle),
        control("change", say("change"), "swap_horiz", "c", enabled=table.may_change_seats),
        control("pause", say(pause[0]), pause[1], "p") if agents_play else "",
        control("again", say("again"), "refresh", "r") if host.trouble else "",
        control("resign", say("resign"), "flag", enabled=not table.over and bool(persons)),
        control("new", say("new"), "add", "n"),
        control("share", say("share"), "share"),
    ]
    return "".join(buttons)


def thoughts(visit: Visit, sight: Sight, heat: bool) -> str:
    """The thought that belongs to what is looked at, the curve of all values, and the switch of the heat map."""
    table, say = sight.table, visit.say
    said = [sight.thought(at) for at in range(len(table.movers))]
    known = [at for at, thought in enumerate(said) if thought is not None and sight.ply in (None, at)]
    text = f"<p>{escape(say('hidden_thought' if sight.hides else 'no_thought'))}</p>"
    if known and (thought := said[known[-1]]) is not None:
        text = thought_html(visit, table.game, table.movers[known[-1]], table.match.actions[known[-1]], thought)
    values = [
        None if thought is None or thought.value is None else thought.value if mover == 0 else -thought.value
        for mover, thought in zip(table.movers, said, strict=True)
    ]
    plot = value_plot(values, sight.ply, title=say("plot")) if any(value is not None for value in values) else ""
    below = f"{plot}<small>{escape(say('plot'))}</small>" if plot else ""
    return (
        f'<h2 class="subtitle">{escape(say("thoughts"))}</h2><div class="thought">{text}</div>'
        f'<div class="plot-box">{below}</div><label class="switch"><input type="checkbox" data-do="heat"'
        f"{' checked' if heat else ''}>{escape(say('show_heat'))}</label>"
    )


def moves(visit: Visit, sight: Sight) -> str:
    """The actions so far, each a button that leads behind it."""
    table = sight.table
    at = len(table.movers) if sight.ply is None else sight.ply
    items = [f'<button type="button" data-ply="0" class="start">{escape(visit.say("start_position"))}</button>']
    items += [
        f'<button type="button" data-ply="{ply + 1}" class="seat{mover}{" here" if ply + 1 == at else ""}">'
        f"{escape(visit.spoken(name))}</button>"
        for ply, (mover, name) in enumerate(zip(table.movers, sight.names(), strict=True))
    ]
    return "".join(items)


def ways(visit: Visit, sight: Sight) -> str:
    """The way back to the present, and from which seat to look where both may be looked from."""
    found = control("present", visit.say("to_end"), "last_page") if sight.ply is not None else ""
    if sight.table.secrets and len(sight.seats) == 2:
        found += "".join(
            control(f"seat{seat}", visit.say("seat", seat=seat), pressed=seat == sight.seat) for seat in sight.seats
        )
    return found
