"""Which neighbours a Hex player assumes. The wrong ones cost matches without any error."""

from __future__ import annotations

import time

from ludoteca.agents.hex.course import Layout
from ludoteca.course.check.neighbour_probe import FEWEST, LAYOUTS, Answer, Assumption, assumed_layout, questions
from ludoteca.course.check.probe import Played, Probe
from ludoteca.course.check.report import Finding, Verdict
from ludoteca.games import game as game_of
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import Message, say, say_count
from ludoteca.players.faults import Fault

__all__ = ["assumes_layout"]

SPARRING = "mcts"
NODES = 150
"""Nodes of the opponent in the short matches: enough to punish a player with the wrong neighbours."""
SIZE = 5


def assumes_layout(probe: Probe, until: float) -> Finding:
    """Which neighbour layout it assumes: by questions on which the layouts disagree, then by matches on each."""
    game = expect(probe.game, Hex)
    asking = until - max(0.0, until - time.monotonic()) * 0.6
    assumption = assumed_layout(_answers(probe, asking, until))
    matches = {layout: _matches(probe, layout, until) for layout in LAYOUTS}
    table = _table(assumption, matches)
    title, layout = say("Neighbours"), game.layout
    if assumption.layout is None:
        text = say("Its neighbours could not be found out: it does not play wins in one move, or it had no time to.")
        return Finding(title, Verdict.unknown, text, (_counted(assumption),), table)
    if assumption.layout == "board":
        text = say("It asks the board which cells touch, so it plays every layout.")
        return Finding(title, Verdict.good, text, (_counted(assumption),), table)
    if assumption.layout == layout:
        text = say("It assumes the layout {layout}, which {game} has.", layout=layout, game=probe.game.spec)
        return Finding(title, Verdict.good, text, (_counted(assumption),), table)
    text = say(
        "It assumes the layout {assumed}, but {game} has {layout}: it takes cells for neighbours that are none.",
        assumed=assumption.layout,
        game=probe.game.spec,
        layout=layout,
    )
    advice = say("Ask the board instead: board.get_neighbors(row, col) is right in every layout.")
    return Finding(title, Verdict.bad, text, (_counted(assumption), advice), table)


def _answers(probe: Probe, enough: float, until: float) -> list[Answer]:
    """Answers until the time `enough`; until `until` if there are too few of them for a verdict."""
    found: list[Answer] = []
    for position, layout in questions(expect(probe.game, Hex).size):
        if time.monotonic() > (enough if len(found) >= FEWEST else until):
            break
        try:
            decision, _ = probe.ask(position.state(layout), probe.brief, (probe.brief.seconds or 30.0) + 1.0)
        except Fault:
            continue
        found.append(Answer(position, layout, decision.action))
    return found


def _matches(probe: Probe, layout: Layout, until: float) -> list[Played]:
    game = game_of(f"hex:size={SIZE},layout={layout}")
    share = time.monotonic() + max(0.0, until - time.monotonic()) / (len(LAYOUTS) - LAYOUTS.index(layout))
    played = []
    for seat in (0, 1):
        if time.monotonic() < share:
            played.append(probe.play(game, seat, SPARRING, probe.brief, share, nodes=NODES))
    return [each for each in played if each.finished]


def _counted(assumption: Assumption) -> Message:
    best = max(assumption.fits.values(), default=0)
    return say_count(
        "{count} question on which the layouts disagree; {best} of the answers fit this.",
        "{count} questions on which the layouts disagree; {best} of the answers fit this.",
        assumption.asked,
        best=best,
    )


def _table(assumption: Assumption, matches: dict[Layout, list[Played]]) -> tuple[tuple[str, ...], ...]:
    head = (say("layout"), say("answers that fit"), say("matches won"))
    rows = []
    for layout in LAYOUTS:
        won = sum(each.score == 1 for each in matches[layout])
        rows.append((layout, f"{assumption.fits[layout]}/{assumption.asked}", f"{won}/{len(matches[layout])}"))
    board = (say("the board's"), f"{assumption.fits['board']}/{assumption.asked}", "")
    return (head, *rows, board)
