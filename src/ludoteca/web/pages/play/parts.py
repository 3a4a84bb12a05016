"""The parts of a table's page as HTML, each with what the tab may show."""

from __future__ import annotations

import json
from html import escape
from itertools import groupby

from ludoteca.games.details import details_of
from ludoteca.games.side_names import aim, goal, side
from ludoteca.messages import say
from ludoteca.protocols import Clickable, Decision, Game, Seat, View
from ludoteca.web.drawing.board import actions_as_words, board, first_reason
from ludoteca.web.drawing.curves import Curve
from ludoteca.web.pages.frame import Visit, control, game_title, icon
from ludoteca.web.pages.match_links import position_address
from ludoteca.web.pages.play.ending import (
    another_opponent,
    copying,
    end_buttons,
    hands,
    link,
    outcome,
    player_name,
    result,
    why,
)
from ludoteca.web.pages.thoughts import capital, curves_html, thought_html, thought_of
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.tables.session import REACTIONS, Reaction, TableSession
from ludoteca.web.tables.tab_state import TabState
from ludoteca.web.tables.table import Table


def typing_form(visit: Visit, table: Table) -> str:
    """The field for a typed action, which opens when somebody starts to type, and a button for screen readers.

    Its example is the same in every match, since one from a hand would reveal it. See ``ludoteca.type`` in page.js.
    """
    game = table.game
    hint = escape(visit.say("Type a move, such as {example}", example=game.action_name(0)), quote=True)
    names = [game.action_name(action) for action in range(game.num_actions)]
    starts = "".join(sorted({name[0].lower() for each in names for name in (each, visit.translate(each))}))
    return (
        f'<button type="button" class="skip" data-type="{escape(starts, quote=True)}">'
        f"{escape(visit.say('Type a move'))}</button>"
        f'<input class="grow" placeholder="{hint}" aria-label="{hint}" autocomplete="off" maxlength="40" '
        f'autocapitalize="off" spellcheck="false"><button class="button" '
        f'aria-label="{escape(visit.say("Play"), quote=True)}">⏎</button>'
    )


def needs_few_words(game: Game) -> bool:
    """Whether hardly any action is played by a button of `action_buttons`: all others have a spot on the board."""
    return isinstance(game, Clickable) and not details_of(game).hidden_information


def picture(
    visit: Visit, view: View, *, playable: bool, waiting: bool, thought: Decision | None, before: Decision | None = None
) -> str:
    """The board, with the heat map, the line and the reasons of a decision about this position.

    waiting: a click plans an action. before: the decision that is shown in words, whose first reason is drawn if there
    is no other decision.
    """
    scores, line = (thought.scores or None, thought.line) if thought else (None, ())
    return board(
        view,
        playable=playable,
        waiting=waiting,
        heat=scores,
        line=line,
        reasons_of=thought or first_reason(before),
        language=visit.language,
        narrow=visit.narrow,
    )


def action_buttons(visit: Visit, view: View) -> str:
    """A button for each action without a spot in the picture, or for all actions when they are few."""
    names = {action: view.game.action_name(action) for action in actions_as_words(view)}
    return "".join(
        f'<button type="button" class="button" data-action="{action}" title="{escape(name, quote=True)}">'
        f"{escape(capital(visit.spoken(name)))}</button>"
        for action, name in names.items()
    )


def players(visit: Visit, tab: TabState, reaction: Reaction | None = None) -> str:
    """The players with the time that agents have used and people have left, after a heading for screen readers."""
    table = tab.table
    parts = [f'<h1 class="unseen">{escape(game_title(table.game, visit.language))}</h1>']
    match = table.match
    for seat, who in enumerate(table.names):
        label, exact = visit.agent(who), visit.exact(who)
        if who == PERSON:
            exact = ""
            label = visit.say("You") if seat == tab.you else person(visit, table, seat)
        spent = sum(
            turn.seconds
            for ply, turn in enumerate(match.turns)
            if turn.decision is not None and match.final_seat(ply) == seat
        )
        # Always there, so that the players keep their places when it begins.
        clock = "" if who == PERSON else f' <small class="spent">{visit.number(spent, ".1f")} s</small>'
        sign = reaction.sign if reaction is not None and reaction.seat == seat else ""
        shown = f'<span class="reaction" aria-hidden="true">{sign}</span>' if sign else ""
        here = " on-turn" if table.turn == seat else ""
        colour, what = visit.translate(side(table.game, seat)), visit.translate(aim(table.game, seat))
        parts.append(
            f'<div class="player seat{seat}{here}"{exact}>{shown}{person_clock(visit, table, seat)}'
            f"<b>{escape(label)}</b> <small>{escape(colour)}</small>{clock}"
            + (f' <small class="aim">{escape(what)}</small>' if what else "")
            + "</div>"
        )
    return "".join(parts)


def person(visit: Visit, table: Table, seat: Seat) -> str:
    """The label of a person other than the visitor."""
    waiting = table.invitation is not None and table.invitation.seat == seat and table.invitation.guest is None
    return visit.say("nobody yet") if waiting else table.nickname(seat) or visit.say("a person")


def person_clock(visit: Visit, table: Table, seat: Seat) -> str:
    """The time that a person has left, which the browser counts down; empty without a clock. See page.js."""
    left = table.seconds_left(seat)
    if left is None:
        return ""
    runs = " data-runs" if table.clock_runs and table.turn == seat else ""
    label = escape(visit.say("time left"), quote=True)
    return (
        f'<span class="clock" role="timer" aria-label="{label}" data-left="{left:.1f}"{runs}>{shown_time(left)}</span>'
    )


def shown_time(seconds: float) -> str:
    """Seconds as on a clock.

    >>> shown_time(59.94), shown_time(600), shown_time(90000)
    ('0:59', '10:00', '25:00:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def reaction_line(visit: Visit, session: TableSession, tab: TabState) -> str:
    """The last reaction for screen readers; empty when it is old."""
    reaction = session.shown_reaction
    if reaction is None:
        return ""
    who = visit.say("You") if reaction.seat == tab.you else player_name(visit, session.table, reaction.seat)
    return escape(f"{who}: {reaction.sign}")


def cover(visit: Visit, table: Table) -> str:
    """What hides the hands at a screen that two people share: it asks for the next player."""
    assert table.turn is not None
    name = player_name(visit, table, table.turn)
    passed, shown = visit.say("Pass the device to {player}", player=name), visit.say("Show my hand")
    return (
        f'<button type="button" class="control cover" data-do="uncover">{icon("visibility")}'
        f"<span><b>{escape(passed)}</b> <span>{escape(shown)}</span></span></button>"
    )


def rules(visit: Visit, game: Game) -> str:
    """The rules, to be unfolded over what stands beside the board, or over the board where nothing does."""
    text, summary = visit.translate(details_of(game).rules_text), escape(visit.say("Rules"))
    paragraphs = "".join(f"<p>{escape(each)}</p>" for each in text.split("\n\n") if each)
    more = f'<p><a href="/learn/{game.name}">{escape(visit.say("More about this game"))}</a></p>'
    return (
        f'<details class="rules" data-keep="rules"><summary class="control">{icon("menu_book")}<span>{summary}</span>'
        f'</summary><div class="card">{paragraphs}{more}</div></details>'
    )


def goals(visit: Visit, tab: TabState) -> str:
    """What the visitor's side has to do; where it is not theirs alone, what both have to do."""
    game = tab.table.game
    if tab.you is not None:
        return visit.translate(goal(game, tab.you))
    both = [(visit.translate(side(game, seat)), visit.translate(aim(game, seat))) for seat in (0, 1)]
    return " ".join(f"{capital(name)}: {what}." for name, what in both if what)


def last_moves(visit: Visit, tab: TabState) -> str:
    """What was played last; of an opponent everything since the visitor's turn."""
    table, match = tab.table, tab.table.match
    count = len(match.actions) if tab.ply is None else tab.ply
    if count <= match.opening:
        return ""
    mover, names = match.movers[count - 1], tab.action_names()
    first = count - 1
    while tab.you is not None and first > match.opening and match.movers[first - 1] == mover:
        first -= 1
    who = "" if mover == tab.you else capital(visit.translate(side(table.game, mover)))
    if who and (nickname := match.who(count - 1).nickname):
        who = nickname
    if who and len(table.person_seats) < 2:
        who = visit.agent(match.who(count - 1).agent) or who
    details, sentences = details_of(table.game), list[str]()
    for sentence, same in groupby(names[first:count], lambda name: details.move_sentence(name, who)):
        if sentence:
            times = len(list(same))
            sentences.append(capital(visit.translate(sentence)) + (f" (×{times})" if times > 1 else ""))
            continue
        actions = ", ".join(map(visit.spoken, same))
        sentences.append(
            capital(visit.say("{who} played {actions}.", who=who, actions=actions))
            if who
            else visit.say("You played {actions}.", actions=actions)
        )
    return " ".join(sentences)


def tab_title(visit: Visit, tab: TabState) -> str:
    """The title of the browser's tab: whose turn it is, or the result, then the game."""
    table = tab.table
    name = f"{game_title(table.game, visit.language)} · Ludoteca"
    if table.deleted:
        return name
    if table.turn is None:
        return f"{result(visit, tab)} · {name}"
    whose = visit.say("Your turn") if table.turn == tab.you else _to_play(visit, table, table.turn)
    return f"{whose} · {name}"


def status(
    visit: Visit,
    session: TableSession,
    tab: TabState,
    hint: str,
    elapsed: float = 0.0,
    rated: dict[str, object] | None = None,
) -> str:
    """What to do next, what the agent does, what failed or how it ended; and the last moves, at first the goal.

    elapsed: how many seconds the agent on turn had been thinking when the page first saw it. rated: the result that
    the browser keeps for the visitor's rating; see `ludoteca.web.pages.strength`.
    """
    table = session.table
    if table.deleted:
        return f'<p class="trouble">{escape(visit.say("This match was deleted."))}</p>'
    if table.turn is None:
        reasons = " ".join(why(visit, table))
        kept = f' data-result="{escape(json.dumps(rated), quote=True)}"' if rated else ""
        ended = f'<p class="result" data-outcome="{outcome(tab)}"{kept}>{escape(result(visit, tab))}</p>'
        return ended + (f'<p class="why">{escape(reasons)}</p>' if reasons else "")
    if question := draw_question(visit, tab):
        return question
    current = _current(visit, session, tab, hint, elapsed)
    if session.failure and tab.ply is None:
        return current  # its buttons take the place of the second line
    if offer := swap_offer(visit, tab):
        return f'{current}<p class="news explained">{escape(offer)}</p>'
    if moved := last_moves(visit, tab):
        return f'{current}<p class="news">{escape(moved)}</p>'
    return f'{current}<p class="news goal">{escape(goals(visit, tab))}</p>'


def draw_question(visit: Visit, tab: TabState) -> str:
    """The offer of a draw with its answers, for the player to whom it is made; for the other one that it was made."""
    offer = tab.table.draw_offer
    if offer is None or not tab.own_seats:
        return ""
    if 1 - offer not in tab.own_seats:
        return f"<p>{escape(visit.say('You offered a draw. Play on, or wait for the answer.'))}</p>"
    text = visit.say("{player} offers a draw.", player=player_name(visit, tab.table, offer))
    yes = control("accept_draw", visit.say("Accept"), "handshake")
    no = control("decline_draw", visit.say("Decline"), "close")
    return f'<div class="row with-button"><p class="grow">{escape(text)}</p>{yes}{no}</div>'


def swap_offer(visit: Visit, tab: TabState) -> str:
    """What the swap rule is, in the only turn in which it can be used."""
    swap = details_of(tab.table.game).swap
    if swap is None or swap not in tab.legal():
        return ""
    return visit.say(
        "Only now you may swap: instead of placing a stone, you take over the first one, mirrored along the long "
        "diagonal. Do it if that stone is strong."
    )


def _current(visit: Visit, session: TableSession, tab: TabState, hint: str, elapsed: float) -> str:
    table, say = session.table, visit.say
    turn = table.turn
    assert turn is not None
    agent = None if table.agent_on_turn is None else visit.agent(table.agent_on_turn.agent)
    if tab.ply is not None:
        return f"<p>{escape(say('This is an earlier position. Go to the end to play.'))}</p>"
    if tab.covered:
        return f"<p>{escape(visit.translate(tab.obstacle))}</p>"
    if session.failure:
        again = control("retry", say("Try again"), "refresh", "r")
        other = link(another_opponent(table), say("Choose another opponent"), "group")
        failed = escape(_failure(visit, session, tab, agent or ""))
        return f'<p class="trouble">{failed}</p><div class="row">{again}{other}</div>'
    if session.paused:
        return f"<p>{escape(say('Paused'))}</p>"
    if agent is not None:
        return _agent_at_work(visit, session, tab, agent, elapsed)
    if hint:
        return f'<p class="hint">{escape(hint)}</p>'
    whose = say("Your turn") if turn == tab.you else _to_play(visit, table, turn)
    view = tab.view() if turn in tab.own_seats else None
    task = "" if view is None else visit.translate(details_of(table.game).task(view))
    return f"<p>{escape(f'{whose}: {task}' if task else whose)}</p>"


def _failure(visit: Visit, session: TableSession, tab: TabState, agent: str) -> str:
    """Why the agent on turn could not play, in words."""
    if session.machine_is_busy:
        return visit.say(
            "{agent} did not answer in time, although it was asked twice: this computer is very busy.", agent=agent
        )
    if tab.hides_hands:  # an agent's error message may name what it holds in its hand
        why = visit.say("{agent} could not play. The reason is not shown, since it might reveal its hand.", agent=agent)
    else:
        why = visit.translated(session.failure)
    return visit.say("The agent failed. {why}", why=why)


def _to_play(visit: Visit, table: Table, turn: Seat) -> str:
    if name := table.nickname(turn):
        return visit.say("{player} to play", player=name)
    return capital(visit.say("{side} to play", side=side(table.game, turn)))


def _agent_at_work(visit: Visit, session: TableSession, tab: TabState, agent: str, elapsed: float) -> str:
    """What the agent on turn does; while it thinks, a progress bar and a button to stop it."""
    say, seconds = visit.say, session.table.match.limit.seconds or 0.0
    if session.stage == "thinking":
        theirs = bool(tab.own_seats) or not session.table.person_seats  # a spectator must not stop an agent
        stop = control("play_now", say("Play now"), "stop", "m") if session.stoppable and theirs else ""
        text = say("{agent} is thinking …", agent=agent)
        if session.hurried:
            stop, text = "", say("{agent} has not thought of anything yet; it plays as soon as it has.", agent=agent)
        bar = f'<div class="progress" style="--seconds:{seconds:g}s;--gone:{elapsed:.1f}s"></div>'
        return f'<div class="row with-button at-work"><p>{escape(text)}</p>{stop}</div>{bar}'
    if session.stage == "busy":
        full = say("Very busy: {agent} joins the queue as soon as there is room …", agent=agent)
        return f"<p>{escape(full)}</p>"
    if session.stage == "waiting":
        ahead = session.ahead
        busy = say("Busy; you are next")
        if ahead:
            busy = visit.say_count("Busy; {count} match ahead of you", "Busy; {count} matches ahead of you", ahead)
        return f"<p>{escape(busy)}</p>"
    return f"<p>{escape(_to_play(visit, session.table, session.table.turn or 0))}</p>"


def controls(visit: Visit, session: TableSession, tab: TabState, asked: str = "", engine: Curve | None = None) -> str:
    """The buttons below the board; asked: ``resign`` or ``react`` for the choice that is shown instead.

    engine: the engine's curve, if there is one.
    """
    table, say = session.table, visit.say
    if table.deleted:
        return control("new", say("New match"), "add", "n")
    persons = table.person_seats
    obstacle = visit.translate(table.undo_obstacle)
    if not (obstacle or persons or session.paused or table.over):
        obstacle = say("pause the match first")
    undo = control("undo", say("Undo"), "undo", "u", obstacle=obstacle)
    if asked == "react":
        signs = enumerate(zip(REACTIONS, REACTION_NAMES, strict=True))
        choices = [_reaction(which, sign, visit.translate(name)) for which, (sign, name) in signs]
        return "".join([*choices, control("cancel", say("Cancel"), "close")])
    # Translators: a button: send a sign such as applause to the other player
    react = control("react", say("React"), "add_reaction") if table.two_screens and tab.own_seats else ""
    if table.over:
        return end_buttons(visit, tab, react if obstacle else undo, engine)
    if asked == "resign":
        return (
            f"<b>{escape(say('Resign this match?'))}</b>"
            + control("confirm_resign", say("Yes, resign"), "flag")
            + control("cancel", say("No, play on"), "undo")
        )
    agents_play = not persons
    pause = (say("Continue"), "play_arrow") if session.paused else (say("Pause"), "pause")
    hidden = table.hidden_information  # the address would reveal the deal
    draw = ""
    if details_of(table.game).can_end_in_draw and len(persons) == 2:
        may = any(table.may_offer_draw(seat) for seat in tab.own_seats)
        draw = control("offer_draw", say("Offer a draw"), "handshake", enabled=may)
    help_buttons = [
        undo,
        control("hint", say("Hint"), "lightbulb", "?", enabled=not tab.obstacle and tab.may_ask_agents),
        control("swap", say("Swap sides"), "swap_horiz", "x", enabled=table.may_swap_sides),
    ]
    buttons = [
        *([react] if table.two_screens else help_buttons),
        draw,
        control("pause", *pause, "p")
        if agents_play
        else control("resign", say("Resign"), "flag", enabled=bool(tab.own_seats)),
        control("new", say("New match"), "add", "n"),
        control("share", say("Share"), "share")
        if hidden
        else copying(position_address(table.match, tab.ply), say("Share"), say("Link copied.")),
    ]
    return "".join(buttons)


REACTION_NAMES = (
    say("well played"), say("applause"), say("happy"), say("surprised"), say("thinking"), say("oops"),
)  # fmt: skip
"""How screen readers call the REACTIONS."""


def _reaction(which: int, sign: str, name: str) -> str:
    label = escape(name, quote=True)
    return (
        f'<button type="button" class="control sign" data-do="react{which}" title="{label}" aria-label="{label}">'
        f"{sign}</button>"
    )


def thought_card(
    visit: Visit,
    tab: TabState,
    heat: bool,
    live: Decision | None = None,
    *,
    heat_caption: str = "",
    engine: Curve | None = None,
) -> str:
    """The decision that belongs to the position shown, the curves, and the switch of the heat map.

    live: what the agent on turn thinks now, if it may be shown. heat_caption: a text about the heat map. engine: the
    engine's curve, if there is one.
    """
    match, say = tab.table.match, visit.say
    said = [tab.thought(at) for at in range(len(match.actions))]
    known = [at for at, thought in enumerate(said) if thought is not None and tab.ply in (None, at)]
    text = f"<p>{escape(_no_thought(visit, tab))}</p>"
    if tab.hides_hands:
        text = f"<p>{escape(say('Shown after the match: now it would reveal the other hand.'))}</p>"
    if live is not None and match.turn is not None:
        text = thought_html(visit, match.game, match.turn, match.seats[match.turn].agent, live, None)
    elif known and (thought := said[known[-1]]) is not None:
        text = thought_of(visit, match, known[-1], thought)
    return hands_at_end(visit, tab) + (
        f'<h2 class="subtitle">{escape(say("What the agent thought"))}</h2><div class="thought">{text}</div>'
        f'<div class="plot-box">{curves_html(visit, match, said, tab.ply, engine)}</div>'
        f'<label class="switch"><input type="checkbox" data-do="heat"{" checked" if heat else ""}>'
        f"{escape(say('Heat map'))}</label>" + (f"<p><small>{escape(heat_caption)}</small></p>" if heat_caption else "")
    )


def hands_at_end(visit: Visit, tab: TabState) -> str:
    """What was left in hidden hands; empty before the end, and in a game without hands."""
    left = "".join(f"<li>{escape(each)}</li>" for each in hands(visit, tab.table))
    title = escape(visit.say("In the hands at the end"))
    return f'<h2 class="subtitle">{title}</h2><ul class="hands">{left}</ul>' if left else ""


def _no_thought(visit: Visit, tab: TabState) -> str:
    if all(who.person for who in tab.table.match.seats):
        return visit.say("No agent plays here.")
    return visit.say("It has not moved yet.") if tab.ply is None else visit.say("Nothing to show for this move.")


def moves(visit: Visit, tab: TabState) -> str:
    """The actions so far, each a button that shows the position after it."""
    match = tab.table.match
    at = len(match.actions) if tab.ply is None else tab.ply
    first = "start" if at else "start here"
    # Translators: the position before the first move
    items = [f'<button type="button" data-ply="0" class="{first}">{escape(visit.say("start"))}</button>']
    items += [
        f'<button type="button" data-ply="{ply + 1}" class="seat{mover}{" here" if ply + 1 == at else ""}">'
        f"{escape(visit.spoken(name))}</button>"
        for ply, (mover, name) in enumerate(zip(match.movers, tab.action_names(), strict=True))
    ]
    return "".join(items)


def navigation(visit: Visit, tab: TabState) -> str:
    """The button to the latest position, and the choice of seat where both views may be shown."""
    found = control("latest", visit.say("To the latest move"), "last_page") if tab.ply is not None else ""
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
