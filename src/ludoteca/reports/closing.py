"""How a review ends: three sentences for a learner, about where the match turned, what was better, what to practise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ludoteca.agents.reasons import is_proof, skill_missed
from ludoteca.messages import Message, say, say_count
from ludoteca.play.match import Match
from ludoteca.protocols import Seat
from ludoteca.reports.chance import percent
from ludoteca.reports.review import ReviewedAction

AHEAD = 0.3
"""The value from which a player is ahead, so that a mistake gives away a lead."""


def closing(
    match: Match, actions: Sequence[ReviewedAction], names: Sequence[str], you: Seat | None = None
) -> list[Message]:
    """Where the match turned, what was better there and why, and what to practise; or what was done well.

    names: by seat what the player who sits there at the end is called. you: the seat of the person
    who reads it, at the end. Actions count for who played them, wherever they sat. A verdict that is not sure is not
    used. Empty if nothing is known about any action.
    """
    if not any(each.lost is not None for each in actions):
        return []
    return _Closing(match, actions, names, you).sentences()


@dataclass(frozen=True)
class _Closing:
    match: Match
    actions: Sequence[ReviewedAction]
    names: Sequence[str]
    you: Seat | None

    def sentences(self) -> list[Message]:
        mistakes = [each for each in self.actions if each.is_mistake]
        own = [each for each in mistakes if each.player == self.you] if self.you is not None else mistakes
        worst = _worst(own) or _worst(mistakes)
        first = say("No single move decided the match.")
        if worst is not None and worst.is_turning_point:
            first = self._turned(worst)
        second = self._agreement() if worst is None else self._better(worst)
        return [first, second, self._to_practise(own, worst)]

    def _turned(self, worst: ReviewedAction) -> Message:
        number, action = worst.ply + 1, self.match.game.action_name(worst.action)
        is_you, name, fell = worst.player == self.you, self.names[worst.player], self._chances(worst)
        if fell is None:
            if is_you:
                return say("The match turned at move {number}, when you played {action}.", number=number, action=action)
            return say(
                "The match turned at move {number}, when {name} played {action}.",
                number=number, name=name, action=action,
            )  # fmt: skip
        before, after = fell
        if is_you:
            return say(
                "The match turned at move {number}: you played {action}, and your chance to win fell from {before}% to "
                "{after}%.",
                number=number, action=action, before=before, after=after,
            )  # fmt: skip
        return say(
            "The match turned at move {number}: {name} played {action}, whose chance to win fell from {before}% to "
            "{after}%.",
            number=number, name=name, action=action, before=before, after=after,
        )  # fmt: skip

    def _chances(self, worst: ReviewedAction) -> tuple[int, int] | None:
        """The chance to win in percent before and after an action; None where no matches say what the values mean."""
        before, after = worst.best_chance, worst.chance
        if before is None or after is None or percent(before) <= percent(after):
            return None
        return percent(before), percent(after)

    def _better(self, worst: ReviewedAction) -> Message:
        game, best = self.match.game, worst.best
        played, better = game.action_name(worst.action), game.action_name(best.action)
        why = sorted(best.reasons, key=is_proof)  # stable: a learner gains more from what can be seen on the board
        if not why:
            return say(
                "At move {number}, {better} was better than {played}.",
                number=worst.ply + 1, better=better, played=played,
            )  # fmt: skip
        return say(
            "At move {number}, {better} was better than {played}: {reason}.",
            number=worst.ply + 1, better=better, played=played, reason=why[0].text,
        )  # fmt: skip

    def _agreement(self) -> Message:
        """How often the reader, or else both players, chose as the engine."""
        judged = [each for each in self.actions if self.you in (None, each.player)]
        same = sum(each.action == each.best.action for each in judged)
        if self.you is None:
            return say(
                "Both played what the engine would have played in {same} of {all} moves.", same=same, all=len(judged)
            )
        return say("You played what the engine would have played in {same} of {all} moves.", same=same, all=len(judged))

    def _to_practise(self, own: Sequence[ReviewedAction], worst: ReviewedAction | None) -> Message:
        if own and worst is not None:
            player = worst.player
            what = self._skill([each for each in own if each.player == player])
            if player == self.you:
                return say("One thing to practise: {what}.", what=what)
            return say("What {name} missed most: {what}.", name=self.names[player], what=what)
        if self.you is None:
            return say("Neither player made a mistake that the engine is sure of.")
        found = sum(each.is_only_move for each in self.actions if each.player == self.you)
        if found:
            return say_count(
                "Well done: you found the only good move {count} time, and made no clear mistake.",
                "Well done: you found the only good move {count} times, and made no clear mistake.", found,
            )  # fmt: skip
        return say("Well done: you made no mistake that the engine is sure of.")

    def _skill(self, mistakes: Sequence[ReviewedAction]) -> str:
        """What would have avoided the most, by what was lost."""
        lost: dict[str, float] = defaultdict(float)
        for each in mistakes:
            view = self.match.before(each.ply).view(each.seat)
            skill = skill_missed(view, each.action, each.best)
            if skill is None:
                ahead = each.best.value is not None and each.best.value >= AHEAD
                skill = (
                    say("care when ahead: look twice before you give a lead away")
                    if ahead
                    else say("the other's best answer: look for it before each move")
                )
            lost[skill] += each.lost or 0.0
        return max(lost, key=lost.__getitem__)


def _worst(mistakes: Sequence[ReviewedAction]) -> ReviewedAction | None:
    return max(mistakes, key=lambda each: each.lost or 0.0, default=None)
