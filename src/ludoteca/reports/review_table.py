"""A review as a table, the same in terminal and notebook."""

from __future__ import annotations

from ludoteca.catalogues import SOURCE, Language
from ludoteca.games import game as game_of
from ludoteca.games.side_names import side
from ludoteca.messages import Speaker, say, say_as
from ludoteca.protocols import Game
from ludoteca.reports.review import Review, ReviewedAction
from ludoteca.reports.tables import Table

__all__ = ["review_table"]


def review_table(review: Review, language: Language = SOURCE) -> Table:
    """A row for each action: what the position was worth, what it gave away, and what was better."""
    speaker, game = Speaker(language), game_of(review.record.game)
    headings = [
        say_as("column", "move"), say("side"), say("played"), say("value"), say("lost"), say("better"), say("line"),
    ]  # fmt: skip
    rows = [_row(each, game, speaker) for each in review.actions]
    words = frozenset([headings[1], headings[2], *headings[5:]])
    return Table("", headings, rows, words=words, name="played", spare=("line",))


def _row(each: ReviewedAction, game: Game, speaker: Speaker) -> list[str]:
    def name(action: int) -> str:
        return speaker.translate(game.action_name(action))

    best = each.best
    differs = each.action != best.action
    mark = " ‼" if each.is_turning_point else ""
    proven = "*" if best.proven else ""
    return [
        str(each.ply + 1),
        speaker.translate(side(game, each.seat)),
        name(each.action) + mark,
        "" if best.value is None else f"{best.value:+z.2f}{proven}",
        "" if each.lost is None else f"{each.lost:.2f}" if each.lost else "",
        name(best.action) if differs else "",
        " ".join(name(action) for action in best.line[:6]) if differs else "",
    ]
