"""The parts of a table's page as texts: each says what a table is like now, as far as a tab may see it."""

from __future__ import annotations

from html import escape

from ludoteca.protocols import Decision, View
from ludoteca.web.board import board, value_plot, words_needed
from ludoteca.web.frame import Visit, control
from ludoteca.web.host import Host
from ludoteca.web.pages.thoughts import thought_html, thought_of, values_of
from ludoteca.web.sight import Sight
from ludoteca.web.table import PERSON, Table

__all__ = ["controls", "moves", "picture", "players", "result", "status", "thoughts", "typing", "ways", "words"]


def typing(visit: Visit, table: Table) -> str:
    """The field for an action in words. Its example is the same in every match: one of a hand would give it away."""
    hint = escape(visit.say("Type an action, such as {example}", example=table.game.action_name(0)), quote=True)
    return (
        f'<input class="grow" placeholder="{hint}" aria-label="{hint}" autocomplete="off" maxlength="40" '
        f'autocapitalize="off" spellcheck="false"><button class="button" '
        f'aria-label="{escape(visit.say("Play"), quote=True)}">⏎</button>'
    )


def picture(visit: Visit, sight: Sight, view: View, *, playable: bool, heat: bool, extra: Decision | None) -> str:
    """The board, with the heat map and the line of `extra`, or else of the agent's thought where `heat` asks for it."""
    thought, line = extra, extra.line if extra else ()
    if extra is None and heat:
        thought = sight.thought(len(sight.table.match.actions) - 1 if sight.ply is None else sight.ply)
        line = () if thought is None else thought.line[1:] if sight.ply is None else thought.line
    scores = thought.scores if thought else None
    return board(view, playable=playable, heat=scores or None, line=line, language=visit.language, narrow=visit.narrow)


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
    match = table.match
    for seat, who in enumerate(table.names):
        label = who
        if who == PERSON:
            label = visit.say("You") if len(table.persons) == 1 else visit.say("a person")
        turns = zip(match.movers, match.seconds, match.decisions, strict=True)
        spent = sum(seconds for mover, seconds, decision in turns if mover == seat and decision is not None)
        clock = f" <small>{spent:.1f} s</small>" if spent else ""
        here = " on-turn" if table.turn == seat else ""
        parts.append(
            f'<div class="player seat{seat}{here}"><b>{escape(label)}</b> '
            f"<small>{escape(visit.say('Seat {seat}', seat=seat))}</small>{clock}</div>"
        )
    return "".join(parts)


def status(visit: Visit, host: Host, sight: Sight, hint: str) -> str:
    """What is happening just now: whose turn it is, what the agent does, what went wrong, how it ended."""
    table, say = host.table, visit.say
    turn = table.turn
    agent = None if table.agent_on_turn is None else table.agent_on_turn.agent
    if table.cleared:
        return f'<p class="trouble">{escape(say("This table was cleared away."))}</p>'
    if turn is None:
        return f'<p class="result">{escape(result(visit, table))}</p>'
    if sight.ply is not None:
        return f"<p>{escape(say('This is the past. Go to the end to play.'))}</p>"
    if sight.covered:
        return f"<p>{escape(say('Seat {seat} is on turn. Uncover when you sit there.', seat=turn))}</p>"
    if host.trouble:
        # What an agent says of its failure may name what it holds in its hand.
        why = (
            say("{agent} could not play; what it says of that might give its hand away.", agent=agent)
            if sight.hides
            else visit.translated(host.trouble)
        )
        return f'<p class="trouble">{escape(say("The agent failed. {why}", why=why))}</p>'
    if host.paused:
        return f"<p>{escape(say('Paused'))}</p>"
    if agent is not None:
        if host.stage == "thinking":
            progress = f'<div class="progress" style="--seconds:{table.match.limit.seconds or 0:g}s"></div>'
            return f"<p>{escape(say('{agent} is thinking …', agent=agent))}</p>{progress}"
        if host.stage == "busy":
            full = say(
                "Too many matches wait for their agents just now: {agent} gets in line as soon as there is room …",
                agent=agent,
            )
            return f"<p>{escape(full)}</p>"
        waits = say("{agent} waits for a free worker: {ahead} ahead", agent=agent, ahead=host.ahead)
        return f"<p>{escape(waits)}</p>"
    if hint:
        return f'<p class="hint">{escape(hint)}</p>'
    whose = say("Your turn") if len(table.persons) == 1 else say("Seat {seat} to play", seat=turn)
    return f"<p>{escape(whose)}</p>"


def result(visit: Visit, table: Table) -> str:
    """How a match ended, in words."""
    returns, persons = table.match.returns(), table.persons
    winner = returns.index(max(returns))
    if returns[0] == returns[1]:
        text = visit.say("A draw.")
    elif len(persons) != 1:
        text = visit.say("Seat {seat} wins.", seat=winner)
    elif winner in persons:
        text = visit.say("You win!")
    else:
        text = visit.say("{agent} wins.", agent=table.names[winner])
    return text if table.resigned is None else f"{visit.say('Seat {seat} resigned.', seat=table.resigned)} {text}"


def controls(visit: Visit, host: Host, sight: Sight) -> str:
    """The buttons below the board."""
    table, say = host.table, visit.say
    if table.cleared:
        return control("new", say("New match"), "add", "n")
    persons = table.persons
    agents_play = not persons and not table.over
    pause = (say("Go on"), "play_arrow") if host.paused else (say("Pause"), "pause")
    takes_back = table.may_undo and (bool(persons) or host.paused or table.over)
    buttons = [
        control("undo", say("Undo"), "undo", "u", enabled=takes_back),
        control("hint", say("Hint"), "lightbulb", "h", enabled=not sight.obstacle),
        control("change", say("Change seats"), "swap_horiz", "c", enabled=table.may_change_seats),
        control("pause", *pause, "p") if agents_play else "",
        control("again", say("Try again"), "refresh", "r") if host.trouble else "",
        control("hurry", say("Move now"), "bolt", "m") if host.thought is not None and not sight.hides else "",
        control("resign", say("Resign"), "flag", enabled=not table.over and bool(persons)),
        control("new", say("New match"), "add", "n"),
        control("share", say("Share this position"), "share"),
    ]
    return "".join(buttons)


def thoughts(visit: Visit, sight: Sight, heat: bool, live: Decision | None = None) -> str:
    """The thought that belongs to what is looked at, the curve of all values, and the switch of the heat map.

    live: what the agent on turn thinks just now, if that may be seen.
    """
    match, say = sight.table.match, visit.say
    said = [sight.thought(at) for at in range(len(match.actions))]
    known = [at for at, thought in enumerate(said) if thought is not None and sight.ply in (None, at)]
    text = f"<p>{escape(say('No thought to show here.'))}</p>"
    if sight.hides:
        text = f"<p>{escape(say('Shown when the match is over: it would give the other hand away.'))}</p>"
    if live is not None and match.turn is not None:
        text = thought_html(visit, match.game, match.turn, match.seats[match.turn].agent, live, None)
    elif known and (thought := said[known[-1]]) is not None:
        text = thought_of(visit, match, known[-1], thought)
    values = values_of(match.movers, said)
    plot = (
        value_plot(values, sight.ply, title=say("How the match stood: up is good for seat 0"))
        if any(value is not None for value in values)
        else ""
    )
    below = f"{plot}<small>{escape(say('How the match stood: up is good for seat 0'))}</small>" if plot else ""
    return (
        f'<h2 class="subtitle">{escape(say("What the agent thought"))}</h2><div class="thought">{text}</div>'
        f'<div class="plot-box">{below}</div><label class="switch"><input type="checkbox" data-do="heat"'
        f"{' checked' if heat else ''}>{escape(say('Heat map'))}</label>"
    )


def moves(visit: Visit, sight: Sight) -> str:
    """The actions so far, each a button that leads behind it."""
    match = sight.table.match
    at = len(match.actions) if sight.ply is None else sight.ply
    first = "start" if at else "start here"
    items = [f'<button type="button" data-ply="0" class="{first}">{escape(visit.say("start"))}</button>']
    items += [
        f'<button type="button" data-ply="{ply + 1}" class="seat{mover}{" here" if ply + 1 == at else ""}">'
        f"{escape(visit.spoken(name))}</button>"
        for ply, (mover, name) in enumerate(zip(match.movers, sight.names(), strict=True))
    ]
    return "".join(items)


def ways(visit: Visit, sight: Sight) -> str:
    """The way back to the present, and from which seat to look where both may be looked from."""
    found = control("present", visit.say("To the present"), "last_page") if sight.ply is not None else ""
    if sight.table.secrets and len(sight.seats) == 2:
        found += "".join(
            control(f"seat{seat}", visit.say("Seat {seat}", seat=seat), pressed=seat == sight.seat)
            for seat in sight.seats
        )
    return found
