"""The parts of a table's page as texts: each says what a table is like now, as far as a tab may see it."""

from __future__ import annotations

from html import escape

from ludoteca.games.details import details_of
from ludoteca.games.side_names import aim, goal, side
from ludoteca.protocols import Decision, Seat, View
from ludoteca.web.drawing.board import board, words_needed
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.pages.frame import Visit, control, game_title
from ludoteca.web.pages.match_links import position_address
from ludoteca.web.pages.play.ending import copying, end_buttons, hands, result, why
from ludoteca.web.pages.thoughts import capital, curves_html, thought_html, thought_of
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.session import TableSession
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table

__all__ = ["controls", "goals", "moves", "news", "picture", "players", "status", "thoughts", "typing", "ways", "words"]


def typing(visit: Visit, table: Table) -> str:
    """The field for an action in words. Its example is the same in every match: one of a hand would give it away."""
    hint = escape(visit.say("Type an action, such as {example}", example=table.game.action_name(0)), quote=True)
    return (
        f'<input class="grow" placeholder="{hint}" aria-label="{hint}" autocomplete="off" maxlength="40" '
        f'autocapitalize="off" spellcheck="false"><button class="button" '
        f'aria-label="{escape(visit.say("Play"), quote=True)}">⏎</button>'
    )


def picture(visit: Visit, view: View, *, playable: bool, thought: Decision | None) -> str:
    """The board, with the heat map and the line of a thought about this very position."""
    scores, line = (thought.scores or None, thought.line) if thought else (None, ())
    return board(view, playable=playable, heat=scores, line=line, language=visit.language, narrow=visit.narrow)


def words(visit: Visit, view: View) -> str:
    """A button for each action that has no place in the picture, or for all of a few."""
    names = {action: view.game.action_name(action) for action in words_needed(view)}
    swap = getattr(view.game, "swap", None)
    explained = ""
    if swap is not None and swap in names:
        told = visit.say(
            "You may swap, now only: the first stone becomes yours, mirrored on the long diagonal, in place of a stone "
            "of your own. Do it if that stone is a strong one."
        )
        explained = f'<p class="explained">{escape(told)}</p>'
    return explained + "".join(
        f'<button type="button" class="button" data-action="{action}" title="{escape(name, quote=True)}">'
        f"{escape(visit.spoken(name))}</button>"
        for action, name in names.items()
    )


def players(visit: Visit, tab: TabState) -> str:
    """Who sits where, with the time that agents have used; before that the game, as a heading to be read out."""
    table = tab.table
    parts = [f'<h1 class="unseen">{escape(game_title(table.game.name, visit.language))}</h1>']
    match = table.match
    for seat, who in enumerate(table.names):
        label = visit.agent(who)
        if who == PERSON:
            label = visit.say("You") if seat == tab.you else person(visit, table, seat)
        turns = zip(match.movers, match.seconds, match.decisions, strict=True)
        spent = sum(seconds for mover, seconds, decision in turns if mover == seat and decision is not None)
        clock = f" <small>{spent:.1f} s</small>" if spent else ""
        here = " on-turn" if table.turn == seat else ""
        parts.append(
            f'<div class="player seat{seat}{here}"><b>{escape(label)}</b> '
            f"<small>{escape(visit.translate(side(table.game, seat)))}</small>{clock}</div>"
        )
    return "".join(parts)


def person(visit: Visit, table: Table, seat: Seat) -> str:
    """Somebody who is not the only one at this screen."""
    waiting = table.invitation is not None and table.invitation.seat == seat and table.invitation.guest is None
    return visit.say("nobody yet") if waiting else visit.say("a person")


def goals(visit: Visit, tab: TabState) -> str:
    """What whoever sits here is after, and the rules, one click away."""
    game = tab.table.game
    if tab.you is not None:
        told = visit.translate(goal(game, tab.you))
    else:
        both = [(visit.translate(side(game, seat)), visit.translate(aim(game, seat))) for seat in (0, 1)]
        told = " ".join(f"{capital(name)}: {what}." for name, what in both if what)
    text = visit.translate(details_of(game).rules_text)
    paragraphs = "".join(f"<p>{escape(each)}</p>" for each in text.split("\n\n") if each)
    more = f'<p><a href="/learn/{game.name}">{escape(visit.say("More about this game"))}</a></p>'
    summary = escape(visit.say("Rules"))
    return (
        f'<p>{escape(told)}</p><details class="rules" data-keep="rules"><summary>{summary}</summary>{paragraphs}{more}'
        f"</details>"
    )


def news(visit: Visit, tab: TabState) -> str:
    """What was played last before what is looked at; of an agent that plays a person all since the person's turn."""
    table, match = tab.table, tab.table.match
    count = len(match.actions) if tab.ply is None else tab.ply
    if count <= match.opening:
        return ""
    mover, names = match.movers[count - 1], tab.names()
    first = count - 1
    while tab.you is not None and first > match.opening and match.movers[first - 1] == mover:
        first -= 1
    actions = ", ".join(visit.spoken(name) for name in names[first:count])
    who = capital(visit.translate(side(table.game, mover)))
    if mover == tab.you:
        return visit.say("You played {actions}.", actions=actions)
    if len(table.persons) < 2:
        later = sum(at > count - 1 for at in match.exchanged)
        who = visit.agent(match.seats[mover ^ (later % 2)].agent) or who
    return visit.say("{who} played {actions}.", who=who, actions=actions)


def status(visit: Visit, session: TableSession, tab: TabState, hint: str, gone: float = 0.0) -> str:
    """What is happening just now: whose turn it is, what the agent does, what went wrong, how it ended, and the news.

    gone: for how many seconds the agent on turn had been thinking when the page first saw it.
    """
    table = session.table
    if table.cleared:
        return f'<p class="trouble">{escape(visit.say("This table was cleared away."))}</p>'
    if table.turn is None:
        return _ended(visit, tab)
    told = news(visit, tab)
    return _happening(visit, session, tab, hint, gone) + (f'<p class="news">{escape(told)}</p>' if told else "")


def _ended(visit: Visit, tab: TabState) -> str:
    """The result, why, and what was left in hidden hands."""
    table = tab.table
    reasons = " ".join(why(visit, table))
    left = "".join(f"<li>{escape(each)}</li>" for each in hands(visit, table))
    return (
        f'<p class="result">{escape(result(visit, tab))}</p>'
        + (f'<p class="why">{escape(reasons)}</p>' if reasons else "")
        + (f'<p class="why">{escape(visit.say("In the hands at the end"))}:</p><ul class="hands">{left}</ul>'
           if left else "")
    )  # fmt: skip


def _happening(visit: Visit, session: TableSession, tab: TabState, hint: str, gone: float) -> str:
    table, say = session.table, visit.say
    turn = table.turn
    assert turn is not None
    agent = None if table.agent_on_turn is None else visit.agent(table.agent_on_turn.agent)
    if tab.ply is not None:
        return f"<p>{escape(say('This is the past. Go to the end to play.'))}</p>"
    if tab.covered:
        covered = say("It is the turn of {side}. Uncover when you sit there.", side=side(table.game, turn))
        return f"<p>{escape(covered)}</p>"
    if session.trouble:
        # What an agent says of its failure may name what it holds in its hand.
        reason = (
            say("{agent} could not play; what it says of that might give its hand away.", agent=agent)
            if tab.hides
            else visit.translated(session.trouble)
        )
        return f'<p class="trouble">{escape(say("The agent failed. {why}", why=reason))}</p>'
    if session.paused:
        return f"<p>{escape(say('Paused'))}</p>"
    if agent is not None:
        return _agent_at_work(visit, session, tab, agent, gone)
    if hint:
        return f'<p class="hint">{escape(hint)}</p>'
    whose = say("Your turn") if turn == tab.you else _to_play(visit, table, turn)
    return f"<p>{escape(whose)}</p>"


def _to_play(visit: Visit, table: Table, turn: Seat) -> str:
    return capital(visit.say("{side} to play", side=side(table.game, turn)))


def _agent_at_work(visit: Visit, session: TableSession, tab: TabState, agent: str, gone: float) -> str:
    """What the agent on turn does; a bar only while it thinks, and then it can be stopped."""
    say, seconds = visit.say, session.table.match.limit.seconds or 0.0
    if session.stage == "thinking":
        theirs = bool(tab.here) or not session.table.persons  # whoever only looks on stops nobody
        stop = control("hurry", say("Stop: play the best so far"), "stop", "m") if session.stoppable and theirs else ""
        bar = f'<div class="progress" style="--seconds:{seconds:g}s;--gone:{gone:.1f}s"></div>'
        return f'<div class="row thinking"><p>{escape(say("{agent} is thinking …", agent=agent))}</p>{stop}</div>{bar}'
    if session.stage == "busy":
        full = say(
            "Too many matches wait for their agents just now: {agent} gets in line as soon as there is room …",
            agent=agent,
        )
        return f"<p>{escape(full)}</p>"
    if session.stage == "waiting":
        waits = say("{agent} waits for a free worker: {ahead} ahead", agent=agent, ahead=session.ahead)
        return f"<p>{escape(waits)}</p>"
    return f"<p>{escape(_to_play(visit, session.table, session.table.turn or 0))}</p>"


def controls(visit: Visit, session: TableSession, tab: TabState, resigning: bool = False) -> str:
    """The buttons below the board; resigning: whether somebody has been asked if they really give up."""
    table, say = session.table, visit.say
    if table.cleared:
        return control("new", say("New match"), "add", "n")
    persons = table.persons
    takes_back = table.may_undo and (bool(persons) or session.paused or table.over)
    undo = control("undo", say("Undo"), "undo", "u", enabled=takes_back)
    if table.over:
        return end_buttons(visit, tab) + (undo if takes_back else "")
    if resigning:
        return (
            f"<b>{escape(say('Give this match up?'))}</b>"
            + control("give_up", say("Yes, resign"), "flag")
            + control("stay", say("No, play on"), "undo")
        )
    agents_play = not persons
    pause = (say("Go on"), "play_arrow") if session.paused else (say("Pause"), "pause")
    hidden = table.hidden_information  # its address would tell the deal
    buttons = [
        undo,
        control("hint", say("Hint"), "lightbulb", "h", enabled=not tab.obstacle and tab.advised),
        control("change", say("Change seats"), "swap_horiz", "c", enabled=table.may_change_seats),
        control("pause", *pause, "p") if agents_play else "",
        control("again", say("Try again"), "refresh", "r") if session.trouble else "",
        control("resign", say("Resign"), "flag", enabled=bool(tab.here)),
        control("new", say("New match"), "add", "n"),
        control("share", say("Share this position"), "share")
        if hidden
        else copying(position_address(table.match, tab.ply), say("Share this position"), say("The link is copied.")),
    ]
    return "".join(buttons)


def thoughts(
    visit: Visit,
    tab: TabState,
    heat: bool,
    live: Decision | None = None,
    *,
    warm: str = "",
    engine: Curve | None = None,
) -> str:
    """The thought that belongs to what is looked at, the curves of all opinions, and the switch of the heat map.

    live: what the agent on turn thinks just now, if that may be seen. warm: what is to be said of the heat map.
    engine: the curve of a review, if there is one.
    """
    match, say = tab.table.match, visit.say
    said = [tab.thought(at) for at in range(len(match.actions))]
    known = [at for at, thought in enumerate(said) if thought is not None and tab.ply in (None, at)]
    text = f"<p>{escape(say('No thought to show here.'))}</p>"
    if tab.hides:
        text = f"<p>{escape(say('Shown when the match is over: it would give the other hand away.'))}</p>"
    if live is not None and match.turn is not None:
        text = thought_html(visit, match.game, match.turn, match.seats[match.turn].agent, live, None)
    elif known and (thought := said[known[-1]]) is not None:
        text = thought_of(visit, match, known[-1], thought)
    return (
        f'<h2 class="subtitle">{escape(say("What the agent thought"))}</h2><div class="thought">{text}</div>'
        f'<div class="plot-box">{curves_html(visit, match, said, tab.ply, engine)}</div>'
        f'<label class="switch"><input type="checkbox" data-do="heat"{" checked" if heat else ""}>'
        f"{escape(say('Heat map'))}</label>" + (f"<p><small>{escape(warm)}</small></p>" if warm else "")
    )


def moves(visit: Visit, tab: TabState) -> str:
    """The actions so far, each a button that leads behind it."""
    match = tab.table.match
    at = len(match.actions) if tab.ply is None else tab.ply
    first = "start" if at else "start here"
    items = [f'<button type="button" data-ply="0" class="{first}">{escape(visit.say("start"))}</button>']
    items += [
        f'<button type="button" data-ply="{ply + 1}" class="seat{mover}{" here" if ply + 1 == at else ""}">'
        f"{escape(visit.spoken(name))}</button>"
        for ply, (mover, name) in enumerate(zip(match.movers, tab.names(), strict=True))
    ]
    return "".join(items)


def ways(visit: Visit, tab: TabState) -> str:
    """The way back to the present, and from which seat to look where both may be looked from."""
    found = control("present", visit.say("To the present"), "last_page") if tab.ply is not None else ""
    if tab.table.hidden_information and len(tab.seats) == 2:
        found += "".join(
            control(
                f"seat{seat}",
                visit.say("As {side} sees it", side=side(tab.table.game, seat)),
                pressed=seat == tab.seat,
            )
            for seat in tab.seats
        )
    return found
