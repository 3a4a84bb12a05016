"""The parts of the adviser's page as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import escape
from urllib.parse import urlencode

from ludoteca.games.details import details_of
from ludoteca.games.observed import Belief
from ludoteca.games.side_names import side
from ludoteca.protocols import Clickable, Decision, View
from ludoteca.reports.chance import chance_to_win, percent, without_search, your_outlook
from ludoteca.web.drawing.board import board, first_reason
from ludoteca.web.drawing.holdings import Cell, Chance, holdings_html
from ludoteca.web.pages.advise.advice import Advice
from ludoteca.web.pages.advise.followed import Followed, observer_of
from ludoteca.web.pages.edit.page import EDITORS
from ludoteca.web.pages.frame import Visit, control, icon
from ludoteca.web.pages.thoughts import capital, line_text, reasons_text, sentences

SURE = 1.96
"""Standard errors on each side of a 95% interval."""


def players(visit: Visit, followed: Followed) -> str:
    """Both players with their sides, the one on turn marked."""
    names = {followed.seat: visit.say("You"), 1 - followed.seat: visit.say("The other")}
    return "".join(
        f'<div class="player seat{seat}{" on-turn" if followed.turn == seat else ""}"><b>{escape(names[seat])}</b> '
        f"<small>{escape(visit.translate(side(followed.game, seat)))}</small></div>"
        for seat in sorted(names, key=lambda seat: seat != followed.seat)
    )


def ask(visit: Visit, followed: Followed, advice: Advice, trouble: str) -> str:
    """What to enter now, with the advice in short; trouble: why the last entry was refused."""
    head, news = _asked(visit, followed, advice)
    if trouble:
        news = f'<p class="trouble" role="alert">{escape(trouble)}</p>'
    elif followed.unfit is not None and followed.changing is None:
        unfit = visit.translated(followed.why_unfit or "")
        news = f'<p class="trouble">{escape(unfit)}</p>'
    return f"{head}{news}"


def _asked(visit: Visit, followed: Followed, advice: Advice) -> tuple[str, str]:
    """The line that says what to do, and the one below."""
    say, asked = visit.say, followed.question
    if asked is not None:
        have = f" ({len(followed.chosen)}/{asked.count})" if asked.count > 1 else ""
        return f"<p>{escape(visit.translate(asked.question))}{have}</p>", ""
    if followed.match is None:
        return "", ""
    last = followed.match.sentences[-1:]
    news = f'<p class="news">{escape(visit.translated(last[0]))}</p>' if last else ""
    if followed.tile is not None:
        return f"<p>{escape(say('At which end?'))}</p>", news
    if followed.changing is not None:
        number = followed.changing + 1
        before, instead = (
            say("What came before entry {number}?", number=number),
            say("Entry {number}: what happened?", number=number),
        )
        return f"<p>{escape(before if followed.inserting else instead)}</p>", news
    if followed.turn is None:
        return f'<p class="result">{escape(_result(visit, followed))}</p>', _why(visit, followed.match.view)
    if not followed.is_my_turn:
        whose = say("Your turn: what did you do?") if followed.turn == followed.seat else say("What did the other do?")
        return f"<p>{escape(whose)}</p>", news
    return _advised(visit, followed, advice)


def _advised(visit: Visit, followed: Followed, advice: Advice) -> tuple[str, str]:
    say, decision = visit.say, advice.decision
    now = f'<p class="news">{escape(say("Then enter what you did."))}</p>'
    bar = f'<div class="progress" style="--seconds:{advice.seconds:g}s"></div>' if advice.stage == "thinking" else ""
    if decision is not None:
        action = visit.spoken(followed.game.action_name(decision.action))
        assert followed.match is not None
        unsure = without_search(followed.match.view, decision)
        best = say("Without a search: {action}", action=action) if unsure else say("Best: {action}", action=action)
        head = f'<p class="hint">{escape(best)}{_short(visit, followed, advice)}</p>'
        why = sentences(visit.note(decision.reasons[0].text)) if decision.reasons else ""
        return head, (f'<p class="news">{escape(why)}</p>' if why else now) + bar
    if advice.failure:
        return f'<p class="trouble">{escape(advice.failure)}</p>', now
    if advice.stage == "busy":
        return f"<p>{escape(say('This computer is busy: matches come first. The advice follows.'))}</p>", now
    if advice.stage:
        return f"<p>{escape(say('{agent} is thinking …', agent=visit.agent(advice.agent)))}</p>", now + bar
    return f"<p>{escape(say('Your turn: what did you do?'))}</p>", ""


def _short(visit: Visit, followed: Followed, advice: Advice) -> str:
    """The chance to win in a few characters; empty if it is unknown."""
    assert advice.decision is not None
    chance = chance_to_win(followed.game, advice.agent, advice.decision)
    if chance is None:
        return ""
    return f" · {escape(visit.say('{percent}% to win', percent=percent(chance)))}"


def _result(visit: Visit, followed: Followed) -> str:
    assert followed.match is not None
    mine = followed.match.view.sample(0).returns()[followed.seat]
    return visit.say("You win!") if mine > 0 else visit.say("The other wins.") if mine < 0 else visit.say("A draw.")


def _why(visit: Visit, view: View) -> str:
    reasons = " ".join(capital(visit.translate(each)) for each in details_of(view.game).end_reasons(view))
    return f'<p class="why">{escape(reasons)}</p>'


def words(visit: Visit, followed: Followed, advice: Advice) -> str:
    """Buttons for what has no place in the picture and among the pieces, and for everything the visitor can do."""
    at, buttons = followed.at, []
    if followed.question is not None:
        buttons = [
            _word(f"answer:{each.text}", visit.spoken(each.label)) for each in followed.options() if each.item is None
        ]
        if followed.match is None and not followed.question.options:
            buttons.append(_text_form(visit, followed))
        elif followed.match is None and not followed.may_undo:
            buttons.append(_editor_link(visit, followed, visit.say("It has already begun")))
    else:
        drawn, hidden = _places(followed), details_of(followed.game).hidden_information
        best = None if advice.decision is None or not followed.is_my_turn else advice.decision.action
        for each in followed.choices():
            clicked = not each.mine and followed.tile is None and each.item is not None
            if clicked or (not hidden and each.action in drawn):
                continue
            star = each.mine and best is not None and each.action == best
            buttons.append(_word(f"enter:{at}:{each.text}", visit.spoken(each.label), best=star))
    if followed.pending is not None or followed.tile is not None or followed.changing is not None:
        buttons.append(control("cancel", visit.say("Cancel"), "close"))
    return "".join(buttons)


def _word(command: str, text: str, *, best: bool = False) -> str:
    star = '<span aria-hidden="true">★</span>&nbsp;' if best else ""
    look = "button best" if best else "button"
    return f'<button type="button" class="{look}" data-do="{escape(command, quote=True)}">{star}{escape(text)}</button>'


def _text_form(visit: Visit, followed: Followed) -> str:
    """A field for a part of the start that is written."""
    assert followed.question is not None
    label = escape(visit.translate(followed.question.question), quote=True)
    return (
        f'<form class="row written">{_editor_link(visit, followed, visit.say("Set it up with clicks"))}'
        f'<input aria-label="{label}" maxlength="1500" autocomplete="off" spellcheck="false">'
        f'<button class="button quiet">{escape(visit.say("Apply"))}</button></form>'
    )


def _editor_link(visit: Visit, followed: Followed, text: str) -> str:
    """The way to the page on which a position is set up; empty if no advice can start from one."""
    game = followed.game
    if game.name not in EDITORS or (details_of(game).hidden_information and not observer_of(game).begun_form()):
        return ""
    address = escape(f"/edit/{game.name}?{urlencode({'game': game.spec}, safe=':,=')}", quote=True)
    return f'<a class="button quiet" href="{address}">{escape(text)}</a>'


def list_form(visit: Visit) -> str:
    """A field in which a whole list is entered at once."""
    say = visit.say
    return (
        f"<summary>{escape(say('Enter a list'))}</summary><form><label>"
        f"{escape(say('All that happened so far, one after the other, separated by commas or lines:'))}"
        '<textarea rows="4" maxlength="12000" autocomplete="off" spellcheck="false"></textarea></label>'
        # Translators: a button: add what was typed to the list of events
        f'<button class="button">{escape(say("Enter"))}</button></form>'
    )


def _places(followed: Followed) -> set[int]:
    """The actions that have a place in the picture."""
    assert followed.match is not None
    view = followed.match.view
    return {area.action for area in view.game.click_areas(view)} if isinstance(view.game, Clickable) else set()


def picture(visit: Visit, followed: Followed, advice: Advice) -> str:
    """The board with what can be clicked, and the advised action."""
    if followed.match is None:
        return f'<p class="soft">{escape(visit.say("The table appears here once you have entered the start."))}</p>'
    legal = {each.action for each in followed.choices() if each.action is not None}
    decision = advice.decision if followed.is_my_turn else None
    return board(
        followed.match.view,
        playable=bool(legal),
        legal=legal,
        heat=(decision.scores or None) if decision else None,
        line=(decision.action,) if decision else (),
        reasons_of=first_reason(decision),
        language=visit.language,
        narrow=visit.narrow,
    )


def items(visit: Visit, followed: Followed, belief: Belief | None) -> str:
    """Every tile or kind of card: to click, and with the chance that the other holds it."""
    details = details_of(followed.game)
    places = {} if followed.match is None else followed.match.observer.places(followed.match.view)
    held = {} if belief is None else {each.item: each for each in belief.holdings}
    asked = followed.question
    if asked is not None:
        legal = {each.item for each in followed.options()}
        taken = {each.item for each in asked.options if each.text in followed.chosen}
    else:
        legal = {each.item for each in followed.choices() if not (each.mine and followed.tile is None)}
        taken = set()
    cells = []
    for each in observer_of(followed.game).items():
        item = each.item
        if item is None:
            continue
        where = visit.translate(places.get(item, ""))
        found = held.get(item)
        several = any(one.expected > one.chance for one in held.values())
        chance = None
        if found is not None:
            chance = Chance(found.chance, SURE * found.error, found.expected if several else None)
        cells.append(
            Cell(
                item, visit.translate(each.label), details.piece_svg(item), where, where, chance,
                item in legal or (item in taken and asked is not None and not asked.repeat), item in taken,
            )
        )  # fmt: skip
    return holdings_html(visit, cells)


def items_caption(visit: Visit, followed: Followed, belief: Belief | None) -> str:
    """What the pieces show: the other's hand, or what is to be clicked."""
    if followed.match is None:
        return escape(visit.say("Click what you hold"))
    title = visit.say("What the other probably holds")
    return escape(title if belief is None else f"{title} ({belief.count})")


def belief_note(visit: Visit, belief: Belief | None) -> str:
    """What the chances assume, and how exact they are if they were sampled."""
    if belief is None:
        return "&nbsp;"
    note = visit.translate(belief.assumption)
    if belief.exact:
        return escape(note)
    most = max((SURE * each.error for each in belief.holdings), default=0.0)
    return escape(f"{visit.say('Estimated: ± {points} points at most.', points=max(1, round(100 * most)))} {note}")


def advice_card(visit: Visit, followed: Followed, advice: Advice) -> str:
    """The best action with its reasons and the chance to win; the other actions folded away."""
    title = f'<h2 class="subtitle">{escape(visit.say("Advice"))}</h2>'
    decision = advice.decision if followed.is_my_turn else None
    if decision is None:
        return f'{title}<p class="soft">{escape(visit.say("At your turn the best action stands here."))}</p>'
    game = followed.game
    parts = [f"<p><b>{escape(visit.spoken(game.action_name(decision.action)))}</b></p>"]
    if decision.value is not None:
        parts.append(f"<p>{escape(sentences(visit.translated(your_outlook(game, advice.agent, decision))))}</p>")
    if why := reasons_text(visit, advice.agent, decision):
        parts.append(f'<p class="note">{escape(why)}</p>')
    if len(decision.line) > 1:
        parts.append(f"<p>{visit.say('Line')}: <code>{escape(line_text(visit, game, decision))}</code></p>")
    return f'{title}<div class="thought">{"".join(parts)}</div>{_others(visit, followed, advice, decision)}'


def _others(visit: Visit, followed: Followed, advice: Advice, decision: Decision) -> str:
    """The values of all actions, the best first."""
    scores: Mapping[int, float] = {each: score for each, score in decision.scores.items() if abs(score) <= 1}
    if len(scores) < 2:
        return ""
    rows = []
    for action in sorted(scores, key=lambda each: (each != decision.action, -scores[each])):
        judged = decision if action == decision.action else replace(decision, value=scores[action], proven=False)
        chance = chance_to_win(followed.game, advice.agent, judged)
        shown = visit.number(scores[action], "+.2f") if chance is None else f"{percent(chance)}%"
        share = 50 + 50 * scores[action] if chance is None else 100 * chance
        name = visit.spoken(followed.game.action_name(action))
        rows.append(
            f'<tr><td><code>{escape(name)}</code></td><td>{shown}</td><td><i class="share" '
            f'style="--share:{share:.0f}%"></i></td></tr>'
        )
    summary = escape(visit.say("Other actions"))
    note = f'<p class="soft">{escape(sentences(visit.note(decision.note)))}</p>' if decision.note else ""
    return (
        f'<details class="meaning" data-keep="others"><summary>{summary}</summary><table class="plain others">'
        f"{''.join(rows)}</table>{note}</details>"
    )


def controls(visit: Visit, followed: Followed, advice: Advice) -> str:
    """The buttons below everything."""
    say = visit.say
    think = (
        control("stop", say("Stop"), "stop", "m")
        if advice.stage
        else control("longer", say("Think longer"), "psychology", "?", enabled=followed.is_my_turn)
    )
    return (
        control("undo", say("Undo"), "undo", "u", enabled=followed.may_undo)
        + think
        + control("new", say("New match"), "add", "n", enabled=followed.may_undo)
    )


def entries(visit: Visit, followed: Followed) -> str:
    """Everything that was entered, the newest first, each with buttons to change and to remove it."""
    say = visit.say
    title = f'<h2 class="subtitle">{escape(say("What you entered"))}</h2>'
    if not followed.events:
        joined_later = followed.form and followed.form == observer_of(followed.game).begun_form()
        begun = "" if joined_later else say("Has it already begun? Enter all that happened as a list, below.")
        link = "" if followed.form else _editor_link(visit, followed, say("Set up the position"))
        return f'{title}<p class="soft">{escape(say("Nothing yet."))} {escape(begun)}</p>{link}'
    fitting = len(followed.events) if followed.unfit is None else followed.unfit.number
    spoken = list(followed.whole.sentences) if followed.whole is not None else []
    rows = []
    for number in reversed(range(len(followed.events))):
        text = (
            visit.translated(spoken[number])
            if number < min(fitting, len(spoken))
            else visit.spoken(followed.events[number])
        )
        look, note = "", ""
        if number == fitting:
            look, note = "unfit", f'<small class="trouble">{escape(visit.translated(followed.why_unfit or ""))}</small>'
        elif number > fitting:
            look = "after"
        if number == followed.changing:
            look += " here"
        rows.append(
            f'<li value="{number + 1}" class="{look.strip()}"><span>{number + 1}. <b>{escape(text)}</b>{note}</span>'
            + _tool(f"change:{number}", "edit", say("Change entry {number}", number=number + 1), number <= fitting)
            + _tool(f"insert:{number}", "playlist_add", say("Insert before entry {number}", number=number + 1),
                    number <= fitting)
            + _tool(f"remove:{number}", "delete", say("Remove entry {number}", number=number + 1), True)
            + "</li>"
        )  # fmt: skip
    return f'{title}<ol class="entries" reversed>{"".join(rows)}</ol>'


def _tool(command: str, sign: str, text: str, enabled: bool) -> str:
    off = "" if enabled else " disabled"
    name = escape(text, quote=True)
    return (
        f'<button type="button" class="control" data-do="{command}" title="{name}" aria-label="{name}"{off}>'
        f"{icon(sign)}</button>"
    )
