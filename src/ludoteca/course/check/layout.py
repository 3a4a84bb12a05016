"""The question of a check that costs matches silently: which neighbours a player believes in."""

from __future__ import annotations

import time

from ludoteca.agents.hex.course import Layout
from ludoteca.course.check.neighbour_probe import FEWEST, LAYOUTS, Answer, Belief, judge, questions
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
"""What the opponent of the short matches may use: enough to punish whoever sees the wrong neighbours."""
SIZE = 5


def assumes_layout(probe: Probe, until: float) -> Finding:
    """Which neighbour layout it assumes: by questions on which the layouts disagree, then by matches on each."""
    game = expect(probe.game, Hex)
    asking = until - max(0.0, until - time.monotonic()) * 0.6
    belief = judge(_answers(probe, asking, until))
    matches = {layout: _matches(probe, layout, until) for layout in LAYOUTS}
    table = _table(belief, matches)
    title, layout = say("Neighbours"), game.layout
    if belief.layout is None:
        text = say(
            "Nobody can say which neighbours it assumes: it does not take wins in one move, or it had no time to."
        )
        return Finding(title, Verdict.unknown, text, (_counted(belief),), table)
    if belief.layout == "board":
        text = say("It asks the board which cells touch, so it plays every layout.")
        return Finding(title, Verdict.good, text, (_counted(belief),), table)
    if belief.layout == layout:
        text = say("It assumes the layout {layout}, which {game} has.", layout=layout, game=probe.game.spec)
        return Finding(title, Verdict.good, text, (_counted(belief),), table)
    text = say(
        "It assumes the layout {assumed}, but {game} has {layout}: it takes cells for neighbours that are none.",
        assumed=belief.layout,
        game=probe.game.spec,
        layout=layout,
    )
    advice = say("Ask the board instead: board.get_neighbors(row, col) is right in every layout.")
    return Finding(title, Verdict.bad, text, (_counted(belief), advice), table)


def _answers(probe: Probe, enough: float, until: float) -> list[Answer]:
    """Asks until `enough`, and whoever answers slowly longer than that: what nobody can judge helps nobody."""
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


def _counted(belief: Belief) -> Message:
    best = max(belief.fits.values(), default=0)
    return say_count(
        "{count} question on which the layouts disagree; {best} of the answers fit this.",
        "{count} questions on which the layouts disagree; {best} of the answers fit this.",
        belief.asked,
        best=best,
    )


def _table(belief: Belief, matches: dict[Layout, list[Played]]) -> tuple[tuple[str, ...], ...]:
    head = (say("layout"), say("answers that fit"), say("matches won"))
    rows = []
    for layout in LAYOUTS:
        won = sum(each.score == 1 for each in matches[layout])
        rows.append((layout, f"{belief.fits[layout]}/{belief.asked}", f"{won}/{len(matches[layout])}"))
    board = (say("the board's"), f"{belief.fits['board']}/{belief.asked}", "")
    return (head, *rows, board)
