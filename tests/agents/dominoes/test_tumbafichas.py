"""The minimax of Dominoes, against a plain-Python rendering of its document and against what the document states."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.dominoes.tumbafichas import growing_depth
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.play.match import play_out
from ludoteca.protocols import Decision, Limit
from tests.agents.dominoes.reference import Node, Search, lays, tiles

SPECS = [
    "dominoes",
    "dominoes:variant=block",
    "dominoes:start=seat",
    "dominoes:pips=3",
    "dominoes:pips=3,hand=4,variant=block",
    "dominoes:pips=4,hand=7",
    "dominoes:pips=4,hand=7,variant=block",
]
STUCK_OTHER = ("6-6", "draw", "draw", "draw", "6-4@left")
"""With seed 25: seat 0 has 1-1 3-1 5-0 5-3 6-0 6-1, seat 1 nine tiles, the ends are 4 and 6."""


def make(spec: str) -> Dominoes:
    return cast(Dominoes, ludoteca.game(spec))


def after(spec: str, names: Sequence[str], seed: int) -> _core.DominoesView:
    """What the seat on turn sees after these actions."""
    game = make(spec)
    state = game.deal(seed)
    for name in names:
        state.apply(game.parse_action(name))
    assert state.turn is not None
    return state.view(state.turn)


def ask(view: _core.DominoesView, agent: str = "tumbafichas", limit: Limit | None = None) -> Decision:
    decision = ludoteca.agent(agent)(view.game, view.seat, 0).act(view, limit or Limit())
    assert isinstance(decision, Decision)
    return decision


def positions(spec: str, matches: int, *, left: int = 100) -> Iterator[_core.DominoesView]:
    """What the seats on turn see in random matches where they have a choice and so few tiles can still be laid."""
    game = make(spec)
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            tiles_left = len(view.unseen) if game.variant == "draw" else sum(view.counts)
            if len(view.legal()) > 1 and tiles_left <= left:
                yield view
            state.apply(chance.choice(state.legal()))


def same_as_the_document(view: _core.DominoesView, depth: int, opponent: str) -> Decision:
    decision = ask(view, f"tumbafichas:depth={depth},opponent={opponent}")
    search = Search(view.game.pips, mean=opponent == "mean", drawing=view.game.variant == "draw")
    scores, line = search.decide(view, depth)
    assert dict(decision.scores) == scores
    assert list(decision.scores) == view.legal()
    assert list(decision.line) == line
    assert decision.action == line[0]
    assert decision.depth == depth
    return decision


@pytest.mark.parametrize("spec", [*SPECS, "dominoes:pips=9,hand=5"])
def test_decides_as_the_document_does(spec: str) -> None:
    for view in positions(spec, matches=3):
        for depth, opponent in itertools.product((1, 2, 3), ("min", "mean")):
            same_as_the_document(view, depth, opponent)


@pytest.mark.no_sanitize
@pytest.mark.parametrize("depth", [4, 5, 7, 20])
@pytest.mark.parametrize("spec", SPECS)
def test_decides_as_the_document_does_when_it_looks_far(spec: str, depth: int) -> None:
    views = list(positions(spec, matches=12, left=7 if depth > 5 else 12))
    assert len(views) > 5
    for view in itertools.islice(views, 12):
        same_as_the_document(view, depth, "min")
        same_as_the_document(view, depth, "mean")


def test_the_compared_positions_reach_every_rule() -> None:
    """The comparisons above are worth something only if all that can happen lies within them."""
    met = set()
    for spec in SPECS:
        game = make(spec)
        for view in positions(spec, matches=12, left=7):
            decision = ask(view, "tumbafichas:depth=7")
            value = decision.scores[decision.action]
            met.add({1000: "goes out", -1000: "the other goes out", 0: "nothing fits"}.get(int(value), "tiles count"))
            if game.draw_action in decision.line:
                met.add("a draw")
            if game.pass_action in decision.line:
                own = decision.line.index(game.pass_action) % 2 == 0
                met.add("own pass" if own else "the other's pass")
            if list(decision.scores.values()).count(value) > 1:
                met.add("a tie")
    assert met == {
        "goes out",
        "the other goes out",
        "nothing fits",
        "tiles count",
        "a draw",
        "own pass",
        "the other's pass",
        "a tie",
    }


def test_the_documents_conditions_are_our_rules() -> None:
    """Its b[0] … b[3]: a tile on every side where it fits, and once where both ends are equal."""
    for left, right in itertools.product(range(7), repeat=2):
        node = Node([], [], 7, [left, right], 1.0, [])
        for tile in [*tiles(6), *((high, low) for low, high in tiles(6))]:
            found = {side: child.ends for side, child in lays(node, tile)}
            expected = {}
            if left in tile:
                expected[0] = [sum(tile) - left, right]
            if right in tile and right != left:
                expected[1] = [left, sum(tile) - right]
            assert found == expected


def test_the_documents_number_of_hands() -> None:
    """Combinations of 7 in 21: what the depth limit spares it."""
    assert math.comb(21, 7) == 116_280
    view = after("dominoes", ["6-6"], seed=25)
    assert (len(view.unseen), view.counts) == (20, (6, 7))  # once the first tile lies, it is fewer
    start = make("dominoes:start=seat").deal(0).view(0)
    assert (len(start.unseen), start.counts[1]) == (21, 7)


def test_the_heuristic() -> None:
    """10 · (the other's tiles − own tiles) · probability, by hand."""
    view = after("dominoes", STUCK_OTHER, seed=25)
    game = view.game
    assert [game.action_name(each) for each in view.legal()] == ["6-0@right", "6-1@right"]
    # One ply: five own tiles against nine, no tile was revealed.
    assert list(ask(view, "tumbafichas:depth=1").scores.values()) == [10 * (9 - 5)] * 2
    # Two: eight; one of twenty unseen tiles is among the other's nine with probability 9/20.
    assert list(ask(view, "tumbafichas:depth=2").scores.values()) == [10 * (8 - 5) * 9 / 20] * 2
    assert list(ask(view, "tumbafichas:depth=2,opponent=mean").scores.values()) == pytest.approx([13.5, 13.5])
    # Three: after 6-0 (ends 4 and 0) the worst reply leaves us nothing that fits; the tile drawn then is laid at once,
    # so the hand keeps five, and the probability is one in as many tiles as fit.
    decision = ask(view, "tumbafichas:depth=3")
    assert decision.line[2] == game.draw_action
    node = Node.seen(view)
    node.ends = [4, 0]
    reply = tiles(6)[decision.line[1] // 2]
    left = [sum(reply) - 4, 0] if decision.line[1] % 2 == 0 else [4, sum(reply)]
    fit = [tile for tile in node.boneyard if tile not in (None, reply) and set(tile or ()) & set(left)]
    assert decision.scores[decision.action] == 10 * (8 - 5) * (1 / len(fit))


def test_no_more_than_the_unseen_tiles_are_the_others() -> None:
    """In its imagination it may draw what only the other can hold: then the probability is 0, and so is the value."""
    search = Search(3)
    node = Node([(0, 1), *[None] * 8, (3, 3)], [(0, 2), (2, 2)], 3, [0, 3], 1.0, [])
    assert [each.probability for each in search.after_reply(node)] == [0, 0]


@pytest.mark.parametrize(("unseen", "depth"), [(20, 4), (19, 5), (16, 8), (10, 14)])
def test_the_depth_grows_as_tiles_become_known(unseen: int, depth: int) -> None:
    views = [view for view in positions("dominoes", matches=60) if len(view.unseen) == unseen]
    for view in views[:3]:
        assert growing_depth(view) == depth
        assert ask(view) == ask(view, f"tumbafichas:depth={depth}")
    assert views


def test_the_growing_depth_at_the_edges() -> None:
    first = make("dominoes:start=seat").deal(0).view(0)
    assert growing_depth(first) == 7
    assert ask(first) == ask(first, "tumbafichas:depth=7")
    assert {growing_depth(view) for view in positions("dominoes:pips=9", matches=3) if view.boneyard > 20} == {4}


def test_worst_and_mean_differ() -> None:
    views = list(positions("dominoes", matches=6))
    lower = 0
    for view in views:
        worst, mean = ask(view, "tumbafichas:depth=4"), ask(view, "tumbafichas:depth=4,opponent=mean")
        for action in view.legal():
            assert worst.scores[action] <= mean.scores[action] + 1e-9
            lower += worst.scores[action] < mean.scores[action] - 1
    assert lower > 30


def test_forced_actions_at_once() -> None:
    drawing = after("dominoes", STUCK_OTHER[:2], seed=25)
    assert ask(drawing).action == drawing.game.draw_action
    only = after("dominoes", [], seed=25)
    assert ask(only).action == only.game.parse_action("6-6")
    assert ask(only).explanation.startswith("it is the only legal action")
    game = make("dominoes:variant=block")
    state, chance = game.deal(0), random.Random(0)
    while state.legal() != [game.pass_action]:
        state.apply(chance.choice(state.legal()))
    assert state.turn is not None
    passed = ask(state.view(state.turn))
    assert passed.action == game.pass_action
    assert passed.explanation == "no tile fits and none can be drawn: it passes"


def test_the_note_says_what_was_found() -> None:
    view = after("dominoes", STUCK_OTHER, seed=25)
    assert (
        ask(view, "tumbafichas:depth=1").note
        == "1 ply ahead: at worst 5 tiles against 9, value +40; as good: 6-1@right"
    )
    assert ask(view, "tumbafichas:depth=2").note.startswith("2 plies ahead: at worst 5 tiles against 8, value +13.5")
    assert ask(view, "tumbafichas:depth=3").note.startswith("3 plies ahead: at worst 5 tiles against 8, value ")
    assert ask(view, "tumbafichas:depth=2,opponent=mean").note.startswith(
        "2 plies ahead: +13.5 on average over all replies"
    )
    notes = [ask(view).note for spec in SPECS for view in positions(spec, matches=12, left=9)]
    for start in (
        "seen to the end: goes out first against every reply",
        "seen to the end: the opponent may go out first",
        "seen to the end: at worst nothing fits any more",
    ):
        assert any(note.startswith(start) for note in notes), start


@pytest.mark.parametrize("nodes", [30, 300, 3000, 30_000])
@pytest.mark.parametrize("opponent", ["min", "mean"])
def test_short_of_nodes_it_decides_by_the_deepest_finished_look(nodes: int, opponent: str) -> None:
    for view in itertools.islice(positions("dominoes", matches=5), 8):
        decision = ask(view, f"tumbafichas:depth=40,opponent={opponent}", Limit(nodes=nodes))
        if decision.note.startswith("seen to the end"):
            continue
        assert decision.nodes == nodes  # all of them are used, none more
        assert 1 <= decision.depth < 40
        alone = ask(view, f"tumbafichas:depth={decision.depth},opponent={opponent}")
        assert (decision.action, decision.scores, decision.line) == (alone.action, alone.scores, alone.line)
        assert decision.note.endswith("the limit left no time for 40 plies")


def test_more_nodes_look_deeper() -> None:
    view = after("dominoes", STUCK_OTHER, seed=25)
    depths = [ask(view, "tumbafichas:depth=40", Limit(nodes=nodes)).depth for nodes in (30, 300, 3000, 30_000)]
    assert depths == sorted(set(depths))


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_seen_to_the_end_stays_the_same(spec: str) -> None:
    ended = 0
    for view in positions(spec, matches=8, left=8):
        limited, free = ask(view, "tumbafichas:depth=64", Limit(nodes=10**6)), ask(view, "tumbafichas:depth=64")
        assert (limited.action, limited.scores, limited.line) == (free.action, free.scores, free.line)
        assert limited.depth < 64
        ended += 1
    assert ended


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=0.0)])
def test_with_no_time_at_all_it_still_plays(limit: Limit) -> None:
    view = after("dominoes", STUCK_OTHER, seed=25)
    decision = ask(view, "tumbafichas", limit)
    assert decision.action == view.legal()[0]
    assert (decision.depth, dict(decision.scores)) == (0, {})
    assert decision.note == "no time to look ahead: the first legal action"


def test_the_clock_stops_a_search_that_would_not_end() -> None:
    decision = ask(after("dominoes", STUCK_OTHER, seed=25), "tumbafichas:depth=64,opponent=mean", Limit(seconds=0.02))
    assert 1 <= decision.depth < 64


@pytest.mark.parametrize("spec", [*SPECS, "dominoes:blocked=draw,scoring=points", "dominoes:pips=9"])
def test_it_plays_whole_matches(spec: str) -> None:
    game = make(spec)
    for seed in range(5):
        match = ludoteca.Match(game, seed)
        agents = {
            seat: ludoteca.agent(each)(game, seat, 0)
            for seat, each in enumerate(("tumbafichas", "tumbafichas:depth=3,opponent=mean"))
        }
        for _ in play_out(match, agents, Limit()):
            pass
        assert match.turn is None


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ("tumbafichas:depth=65", "depth=65 must be a whole number from 0 to 64"),
        ("tumbafichas:depth=-1", "depth=-1 must be a whole number from 0 to 64"),
        ("tumbafichas:opponent=max", "opponent=max is none of min, mean"),
    ],
)
def test_wrong_options(agent: str, complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint):
        ludoteca.agent(agent)(make("dominoes"), 0, 0)


def test_it_plays_dominoes_only() -> None:
    with pytest.raises(InvalidAgent, match="tumbafichas does not play hex"):
        ludoteca.agent("tumbafichas")(ludoteca.game("hex:size=3"), 0, 0)


def test_the_core_looks_only_where_there_is_something_to_choose() -> None:
    view = after("dominoes", STUCK_OTHER, seed=25)
    with pytest.raises(ValueError, match="depth must be 1 to 64"):
        _core.dominoes_minimax(view, 65, False).run()
    with pytest.raises(ValueError, match="has no tile that fits"):
        _core.dominoes_minimax(after("dominoes", STUCK_OTHER[:2], seed=25), 4, False).run()
    game = make("dominoes")
    with pytest.raises(ValueError, match="not on turn"):
        _core.dominoes_minimax(game.deal(25).view(1), 4, False).run()
