"""``tumbafichas:variant=program``: the program behind the document, against a slow rendering in plain Python."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.dominoes import tumbafichas
from ludoteca.agents.dominoes.tumbafichas import growing_depth
from ludoteca.errors import InvalidOption
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.protocols import Decision, Limit
from tests.agents.dominoes.reference_program import BINOMIALS, Node, after_draw, after_reply, decide, draws_on_average
from tests.strength import match_score

PROGRAM = "tumbafichas:variant=program"


def positions(spec: str, matches: int, *, unseen: int = 100) -> Iterator[_core.DominoesView]:
    """What the seats on turn see in random matches where they have a choice and so few tiles are unseen."""
    game = cast(Dominoes, ludoteca.game(spec))
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if len(view.legal()) > 1 and len(view.unseen) <= unseen:
                yield view
            state.apply(chance.choice(state.legal()))


def ask(view: _core.DominoesView, agent: str = PROGRAM, limit: Limit | None = None) -> Decision:
    decision = ludoteca.agent(agent)(view.game, view.seat, 0).act(view, limit or Limit())
    assert isinstance(decision, Decision)
    return decision


@pytest.mark.parametrize(
    ("spec", "depth", "matches", "unseen"),
    [
        ("dominoes", 1, 3, 100),
        ("dominoes", 2, 2, 100),
        ("dominoes", 3, 6, 16),
        ("dominoes", 4, 8, 12),
        ("dominoes", 5, 12, 8),
        ("dominoes:start=seat,blocked=draw", 2, 2, 100),
        ("dominoes:pips=3", 20, 30, 5),
        ("dominoes:pips=4,hand=7", 6, 8, 6),
        ("dominoes:pips=9,hand=5", 1, 2, 100),
    ],
)
def test_decides_as_the_plain_program_does(spec: str, depth: int, matches: int, unseen: int) -> None:
    compared = 0
    for view in itertools.islice(positions(spec, matches, unseen=unseen), 12):
        decision = ask(view, f"{PROGRAM},depth={depth}")
        assert dict(decision.scores) == decide(view, depth)  # to the last bit
        assert decision.action == max(decision.scores, key=lambda each: (decision.scores[each], -each))
        assert decision.line == [decision.action]
        compared += 1
    assert compared > 4


def test_the_compared_positions_reach_all_that_is_new() -> None:
    """Nodes where the other draws first some tiles, and where we draw, at once or after some in vain."""
    met: set[str] = set()
    for view in positions("dominoes", 30):
        node = Node.seen(view)
        replies = after_reply(node)
        half = len(replies) // 2
        met.update({"drew"} if half and replies[0].theirs < replies[half].theirs else ())
        for drawn in after_draw(node):
            met.update({"we drew in vain"} if drawn.own > node.own else {"we drew"})
    assert met == {"drew", "we drew in vain", "we drew"}


def test_the_expected_number_of_draws_is_the_mean() -> None:
    for there, fitting in ((5, 1), (10, 3), (14, 6), (4, 4)):
        exact = (there + 1) / (fitting + 1)
        assert math.floor(exact - 1e-9) <= draws_on_average(there, fitting) <= math.floor(exact + 1e-9)
    assert draws_on_average(2, 5) == 0  # the boneyard is smaller than all that fits


def test_the_table_has_the_programs_mistake_and_no_other() -> None:
    wrong = {(n, k) for n in range(22) for k in range(n + 1) if BINOMIALS[n][k] != math.comb(n, k)}
    assert wrong == {(14, k) for k in range(10, 15)}
    assert BINOMIALS[14][10:15] == [1001364, 91, 14, 1, 0]


@pytest.mark.parametrize("theirs", [9, 10, 11, 12, 13, 14])
def test_it_asks_the_wrong_row_and_goes_on_where_that_divides_by_zero(theirs: int) -> None:
    """Fourteen tiles are unseen; with fourteen the other holds them all, and the program would end with an error."""
    game = cast(Dominoes, ludoteca.game("dominoes"))
    line = "4-4 4-3 3-3 3-2 2-2 2-6 6-1 1-1 1-5"
    view = game.deal_from(f"0: 6-6 5-5 6-5 6-0 5-0; 1: {theirs}; turn: 0; line: {line}", 1).view(0)
    assert (len(view.unseen), view.counts[1], view.boneyard) == (14, theirs, 14 - theirs)
    assert (BINOMIALS[14][theirs] == math.comb(14, theirs)) == (theirs < 10)
    for depth in (2, 3):
        assert dict(ask(view, f"{PROGRAM},depth={depth}").scores) == decide(view, depth)


def test_its_values_are_its_own() -> None:
    """Neither the document's minimum nor its mean has them: the other may draw first."""
    different = compared = 0
    for view in itertools.islice(positions("dominoes", 20, unseen=15), 40):
        values = [ask(view, f"{agent}depth=4").scores for agent in (f"{PROGRAM},", "tumbafichas:opponent=mean,")]
        compared += 1
        different += values[0] != values[1]
    assert different > 0.7 * compared


def test_the_depth_grows_and_a_limit_stops_it() -> None:
    view = next(positions("dominoes", 1))
    assert ask(view).depth == growing_depth(view) == 24 - len(view.unseen)
    late = next(positions("dominoes", 9, unseen=9))
    assert growing_depth(late) >= 15
    decision = ask(late, limit=Limit(nodes=500))
    assert decision.nodes <= 500 and 1 <= decision.depth < growing_depth(late)
    assert "the limit left no time" in decision.note
    assert dict(decision.scores) == dict(ask(late, f"{PROGRAM},depth={decision.depth}").scores)


def test_options() -> None:
    with pytest.raises(InvalidOption, match="always takes the mean"):
        ludoteca.agent(f"{PROGRAM},opponent=mean")(ludoteca.game("dominoes"), 0, 0)
    with pytest.raises(InvalidOption, match="plays only with drawing"):
        ludoteca.agent(PROGRAM)(ludoteca.game("dominoes:variant=block"), 0, 0)
    with pytest.raises(InvalidOption, match="variant=code is none of document, program"):
        ludoteca.agent("tumbafichas:variant=code")(ludoteca.game("dominoes"), 0, 0)


@pytest.mark.no_sanitize
def test_it_beats_chance() -> None:
    assert match_score("dominoes", f"{PROGRAM},depth=4", "random", 60) > 0.5


def test_a_decision_without_a_limit_is_bounded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Dominoes()
    view = game.deal_from("line: 6-4; 0: 6-6 6-5 5-4 4-4 4-3 3-3 2-1 1-1 1-0 0-0; 1: 4; turn: 0", 0).view(0)
    agent = ludoteca.agent(f"{PROGRAM},depth=8")(game, 0, 0)
    whole = agent.act(view, Limit())
    assert isinstance(whole, Decision) and whole.depth == 8 and "gave up" not in whole.note
    monkeypatch.setattr(tumbafichas, "MOST_NODES", whole.nodes + 64)
    assert agent.act(view, Limit()) == whole, "the bound changes no decision that stays below it"
    monkeypatch.setattr(tumbafichas, "MOST_NODES", whole.nodes // 2)
    cut = agent.act(view, Limit())
    assert isinstance(cut, Decision) and 1 <= cut.depth < 8 and cut.nodes <= whole.nodes
    assert f"it gave up looking 8 plies ahead after {whole.nodes // 2:,} nodes" in cut.note
    shallower = ludoteca.agent(f"{PROGRAM},depth={cut.depth}")(game, 0, 0).act(view, Limit())
    assert isinstance(shallower, Decision) and cut.scores == shallower.scores and cut.action == shallower.action
