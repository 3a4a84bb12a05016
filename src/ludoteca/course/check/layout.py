"""Which neighbours a Hex player assumes. The wrong ones cost matches without any error."""

from __future__ import annotations

import time

from ludoteca.agents.files.submission import Submission
from ludoteca.agents.files.visible_files import python_files
from ludoteca.agents.hex.course import Layout
from ludoteca.course.check.neighbour_probe import FEWEST, LAYOUTS, Answer, Assumption, assumed_layout, questions
from ludoteca.course.check.neighbour_text import MIRRORED, Named, NeighbourText, neighbours_in
from ludoteca.course.check.probe import Played, Probe
from ludoteca.course.check.report import Finding, FindingVerdict
from ludoteca.games import game as game_of
from ludoteca.games.core_game import expect
from ludoteca.games.hex.game import Hex
from ludoteca.messages import Message, say, say_count
from ludoteca.players.faults import Fault

SPARRING = "mcts"
NODES = 150
"""Nodes of the opponent in the short matches: enough to punish a player with the wrong neighbours."""
SIZE = 5
ENOUGH = 5
"""Answers that a slow player gets more time for."""


def assumes_layout(probe: Probe, submission: Submission, until: float) -> Finding:
    """Which neighbour layout it assumes.

    It is found by questions on which the layouts disagree, then by matches on each, and by the tables in its text: a
    player may ask the board who has won, and yet search by neighbours of its own.
    """
    asking = until - max(0.0, until - time.monotonic()) * 0.6
    assumption = assumed_layout(_answers(probe, asking, until))
    matches = {layout: _matches(probe, layout, until) for layout in LAYOUTS}
    text = neighbours_in(submission.places, python_files(submission))
    details = (_counted(assumption), *(_quoted(each) for each in text.named))
    verdict, sentence = _judged(assumption, text, expect(probe.game, Hex))
    if verdict is FindingVerdict.bad:
        details += (say("Ask the board instead: board.get_neighbors(row, col) is right in every layout."),)
    return Finding(say("Neighbours"), verdict, sentence, details, _table(assumption, matches), needed=True)


def _judged(assumption: Assumption, text: NeighbourText, game: Hex) -> tuple[FindingVerdict, Message]:
    """What answers and text say together."""
    named = text.layouts
    others = sorted(named - {game.layout})
    if assumption.layout == game.layout or (assumption.layout in (None, "board") and named == {game.layout}):
        return FindingVerdict.good, say(
            "It assumes the layout {layout}, which {game} has.", layout=game.layout, game=game.spec
        )
    if assumption.layout not in (None, "board"):
        return FindingVerdict.bad, _wrong(str(assumption.layout), game)
    if len(named) == 1 and not (text.asks_board and assumption.layout is None):
        return FindingVerdict.bad, _wrong(others[0], game)
    if not text.named and (assumption.layout == "board" or (text.asks_board and not text.unclear)):
        return FindingVerdict.good, say("It asks the board which cells touch, so it plays every layout.")
    if assumption.layout is None and not text.named and not text.asks_board and not text.unclear and assumption.asked:
        return FindingVerdict.good, say("It does not look at which cells touch, so no layout is wrong for it.")
    if named:
        return FindingVerdict.unknown, say(
            "Its text names neighbours of {layouts}, and its play does not show which it uses; {game} has {layout}.",
            layouts=sorted(named), game=game.spec, layout=game.layout,
        )  # fmt: skip
    return FindingVerdict.unknown, say(
        "Its neighbours could not be found out: it does not play wins in one move, and its text names none."
    )


def _wrong(assumed: str, game: Hex) -> Message:
    if assumed == MIRRORED:
        return say(
            "It assumes a board that leans to the other side, with neighbours (row-1, col-1) and (row+1, col+1), but "
            "{game} has {layout}: it takes cells for neighbours that are none.",
            game=game.spec, layout=game.layout,
        )  # fmt: skip
    return say(
        "It assumes the layout {assumed}, but {game} has {layout}: it takes cells for neighbours that are none.",
        assumed=assumed, game=game.spec, layout=game.layout,
    )  # fmt: skip


def _quoted(named: Named) -> Message:
    layout = say("a board that leans to the other side") if named.layout == MIRRORED else named.layout
    return say("{file}, line {line}: neighbours of {layout}", file=named.file, line=named.line, layout=layout)


def _answers(probe: Probe, enough: float, until: float) -> list[Answer]:
    """Answers until the time `enough`; a slow player may take longer, until there are enough for a verdict."""
    found: list[Answer] = []
    late = 0
    for position, layout in questions(expect(probe.game, Hex).size):
        latest = enough if len(found) >= ENOUGH else max(until, probe.budget.last)
        if time.monotonic() > latest or late >= FEWEST:
            break
        try:
            decision = probe.ask(position.state(layout), probe.brief, (probe.brief.seconds or 30.0) + 1.0).decision
        except Fault:
            late += 1
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
