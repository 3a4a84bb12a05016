"""The parts of a review as HTML: progress, the verdict on one action, the curve, and the list of moves."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ludoteca.games.details import details_of
from ludoteca.games.side_names import side
from ludoteca.play.match import Match
from ludoteca.protocols import Seat
from ludoteca.reports.chance import outlook, percent
from ludoteca.reports.closing import closing
from ludoteca.reports.review import ReviewedAction, mean_points_lost
from ludoteca.web.drawing.curves import draw_curves, key_line
from ludoteca.web.pages.frame import Visit
from ludoteca.web.pages.thoughts import capital, reasons_text
from ludoteca.web.tables.match_request import PERSON
from ludoteca.web.thinking.agent_titles import agent_title
from ludoteca.web.thinking.reviews import ReviewJob, review_curve

SMALL = 0.05
"""A loss below this is not mentioned."""
LINE = 6
"""Actions of the engine's line that are shown."""


def progress(visit: Visit, review: ReviewJob) -> str:
    """The progress of the review; empty once it is complete."""
    if review.failure:
        return f'<p class="trouble">{escape(visit.translated(review.failure))}</p>'
    if review.done:
        return ""
    done, total, agent = len(review.searches.decisions), review.searches.total, visit.agent(review.agent)
    text = visit.say("{agent} has looked at {done} of {total} positions …", agent=agent, done=done, total=total)
    text = capital(text)
    if done == total:
        text = visit.say("{agent} searches deeper where it is not sure …", agent=agent)
    leave = visit.say("You can leave this page: the review goes on for a while.")
    return (
        f'<p>{escape(text)}</p><div class="done"><i style="width:{100 * done / max(1, total):.0f}%"></i></div>'
        f"<p><small>{escape(leave)}</small></p>"
    )


def who(visit: Visit, match: Match, names: Sequence[str], seat: Seat, player: Seat) -> str:
    """A seat's side with the player who ended in the seat `player`: ``red (you)``."""
    name, colour = names[player], visit.translate(side(match.game, seat))
    if name == PERSON and list(names).count(PERSON) == 1:
        return visit.say("{side} (you)", side=colour)
    return f"{colour} ({visit.agent(name)})" if name and name != PERSON else colour


def verdict(visit: Visit, match: Match, names: Sequence[str], here: ReviewedAction | None, ply: int, agent: str) -> str:
    """The engine's verdict on one action, in sentences."""
    say, game, reviewer, agent = visit.say, match.game, agent, visit.agent(agent)
    if ply >= len(match.actions):
        return f"<p>{escape(say('The end of the match.'))}</p>"
    played = visit.spoken(game.action_name(match.actions[ply]))
    head = say(
        "Move {number}, {who}: {action}", number=ply + 1, action=played,
        who=who(visit, match, names, match.movers[ply], match.final_seat(ply)),
    )  # fmt: skip
    if here is None:
        return f"<p>{escape(head)}</p><p class='why'>{escape(say('The engine has not looked at this move yet.'))}</p>"
    sign = here.mark
    judged = [_judgement(visit, here)]
    judged.append(_prospects(visit, match, here, reviewer))
    better = ""
    if here.action != here.best.action:
        name = visit.spoken(game.action_name(here.best.action))
        line = " ".join(visit.spoken(game.action_name(action)) for action in here.best.line[:LINE])
        better = (
            f"<p class='why'>{escape(capital(say('{agent} would have played {action}.', agent=agent, action=name)))}"
        )
        better += f" {escape(say('Line'))}: <code>{escape(line)}</code></p>" if line else "</p>"
    note = reasons_text(visit, reviewer, here.best)
    reasons = " ".join(capital(each) for each in judged if each)
    return f"<p>{escape(head)}{f' <b>{sign}</b>' if sign else ''}</p><p class='why'>{escape(reasons)}</p>{better}" + (
        f'<p class="why note">{escape(note)}</p>' if note else ""
    )


def _prospects(visit: Visit, match: Match, here: ReviewedAction, reviewer: str) -> str:
    """Who was ahead before the action, and what it cost, as chances to win; without a number where there is none."""
    game, best = match.game, here.best
    before, after = here.best_chance, here.chance if here.lost else None
    if before is not None and after is not None and percent(after) < percent(before):
        return visit.say(
            "The chance of {side} to win fell from {before}% to {after}%.",
            side=side(game, here.seat), before=percent(before), after=percent(after),
        )  # fmt: skip
    return visit.translate(outlook(game, here.seat, reviewer, best))


def conclusion(visit: Visit, match: Match, names: Sequence[str], review: ReviewJob) -> str:
    """What to learn from the match, once the review is complete."""
    if not review.done:
        return ""
    people = [seat for seat, name in enumerate(names) if name == PERSON]
    you = people[0] if len(people) == 1 else None
    called = [
        agent_title(name) if name and name != PERSON else side(match.game, seat) for seat, name in enumerate(names)
    ]
    lines = closing(match, review.searches.actions, called, you)
    if not lines:
        return ""
    items = "".join(f"<li>{escape(capital(visit.note(each)))}</li>" for each in lines)
    return f'<h2 class="subtitle">{escape(visit.say("What to learn from it"))}</h2><ol class="learnt">{items}</ol>'


def _judgement(visit: Visit, each: ReviewedAction) -> str:
    say = visit.say
    if each.action == each.best.action:
        return say("The engine would have played the same.")
    if each.lost is None:
        return say("The engine cannot say how good it was.")
    if not each.sure:
        return say("The engine is not sure how good it was.")
    if each.is_turning_point:
        return say("A turning point: another move could have changed the result.")
    if each.is_mistake:
        return say("A mistake.")
    return say("Not quite the best.") if each.lost >= SMALL else say("As good as the best.")


def curve(visit: Visit, match: Match, review: ReviewJob, known: Sequence[ReviewedAction], ply: int) -> str:
    """The engine's curve with the turning points ringed."""
    title = visit.say("Who was ahead (up: {side})", side=side(match.game, 0))
    marks = [each.ply for each in known if each.is_turning_point]
    colours = details_of(match.game).seat_colours
    plot = draw_curves([review_curve(review, known)], ply, title=title, marks=marks, colours=colours)
    scale = visit.say("as {agent} sees it", agent=visit.agent(review.agent))
    return (
        f'<h2 class="subtitle">{escape(visit.say("Who was ahead"))}</h2><div class="plot-box">{plot}'
        f'<small>{escape(title)}</small><ul class="legend"><li>{key_line(0)} {escape(scale)}</li></ul></div>'
    )


def summary(visit: Visit, match: Match, names: Sequence[str], known: Sequence[ReviewedAction]) -> str:
    """The turning points as buttons, and each player's average loss."""
    say, game = visit.say, match.game
    points = "".join(
        f'<button type="button" data-ply="{each.ply}" class="seat{each.seat}">{each.ply + 1}. '
        f"{escape(visit.spoken(game.action_name(each.action)))} ??</button>"
        for each in known
        if each.is_turning_point
    )
    turning = f'<p>{escape(say("Turning points"))}:</p><div class="moves all">{points}</div>' if points else ""
    if not points and len(known) == len(match.actions) - match.opening:
        turning = f"<p>{escape(say('No single move decided the match.'))}</p>"
    lost = "<br>".join(escape(each) for each in _losses(visit, match, names, known))
    return turning + (f"<p><small>{lost}</small></p>" if lost else "")


def _losses(visit: Visit, match: Match, names: Sequence[str], known: Sequence[ReviewedAction]) -> list[str]:
    found = []
    for seat in (0, 1):
        points = mean_points_lost(known, seat)
        if points is not None:
            text = visit.say(
                "{side} lost {points:.0f} points in 100 per move.",
                side=who(visit, match, names, seat, seat), points=points,
            )  # fmt: skip
            found.append(capital(text))
    return found


def moves(visit: Visit, match: Match, known: Sequence[ReviewedAction], ply: int) -> str:
    """The actions with their marks, each a button that shows its verdict."""
    signs = {each.ply: f" <b>{each.mark}</b>" for each in known if each.mark}
    items = [
        f'<button type="button" data-ply="{at}" class="seat{mover}{" here" if at == ply else ""}">'
        f"{escape(visit.spoken(match.game.action_name(action)))}{signs.get(at, '')}</button>"
        for at, (mover, action) in enumerate(zip(match.movers, match.actions, strict=True))
    ]
    items.append(
        f'<button type="button" data-ply="{len(match.actions)}" class="{"here" if ply >= len(match.actions) else ""}">'
        f"{escape(visit.say('end'))}</button>"
    )
    return f'<h2 class="subtitle">{escape(visit.say("Moves"))}</h2><div class="moves">{"".join(items)}</div>'
