"""The minimax of Horses, against a plain-Python rendering of its document and against its stated formulas."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.horses.minimax import LEVELS
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games.horses.game import Horses
from ludoteca.protocols import Decision, Limit
from tests.agents.horses.reference import GameState, decide, evaluate_board
from tests.strength import match_score

STUCK = "W@e2/B@d3/-1@b3/+5@c1"  # on 5×5: after these actions white is stuck, and black can go on
STUCK_ACTIONS = ["c3", "c5", "a2", "b3", "c1", "a1"]
SPECS = [
    "horses",
    "horses:penalty=every",
    "horses:size=5",
    "horses:size=6,penalty=every",
    f"horses:size=5,layout={STUCK}",
    f"horses:size=5,penalty=every,layout={STUCK}",
    "horses:size=5,charge=stuck",
    f"horses:size=5,penalty=every,charge=stuck,layout={STUCK}",
]


def make(spec: str) -> Horses:
    return cast(Horses, ludoteca.game(spec))


def after(spec: str, names: Sequence[str], seed: int = 0) -> _core.HorsesView:
    """What the seat on turn sees after these actions."""
    game = make(spec)
    state = game.deal(seed)
    for name in names:
        state.apply(game.parse_action(name))
    assert state.turn is not None
    return state.view(state.turn)


def ask(view: _core.HorsesView, agent: str, limit: Limit | None = None) -> Decision:
    decision = ludoteca.agent(agent)(view.game, view.seat, 0).act(view, limit or Limit())
    assert isinstance(decision, Decision)
    return decision


def positions(spec: str, matches: int, *, left: int = 1000) -> Iterator[_core.HorsesView]:
    """What the seats on turn see in random matches, as soon as no more than `left` squares are left."""
    game = make(spec)
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if view.destroyed.count(False) <= left:
                yield view
            state.apply(chance.choice(state.legal()))


def same_as_the_document(view: _core.HorsesView, depth: int, mobility: float = 0.5) -> None:
    decision = ask(view, f"minimax:depth={depth},mobility={mobility}")
    scores, line = decide(view, depth, mobility)
    assert dict(decision.scores) == scores
    assert list(decision.scores) == view.legal()
    assert list(decision.line) == line
    assert decision.action == line[0]
    assert decision.depth == depth


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("spec", SPECS)
def test_decides_as_the_document_does(spec: str, depth: int) -> None:
    for view in positions(spec, matches=3):
        same_as_the_document(view, depth)


@pytest.mark.no_sanitize
@pytest.mark.parametrize("depth", [4, 5, 6])
@pytest.mark.parametrize("spec", SPECS)
def test_decides_as_the_document_does_at_the_depth_of_its_levels(spec: str, depth: int) -> None:
    views = [*positions(spec, matches=5, left=20), *list(positions(spec, matches=1))[:2]]
    assert len(views) > 20
    for view in views:
        same_as_the_document(view, depth)


@pytest.mark.parametrize("mobility", [0.0, 0.25, 3.0])
def test_another_weight_of_mobility_is_the_same_minimax(mobility: float) -> None:
    for view in positions("horses:size=6", matches=3):
        same_as_the_document(view, 3, mobility)


def test_the_compared_positions_reach_every_rule() -> None:
    """The comparisons above are worth something only if passes, paid and free ones, and ends lie within them."""
    met = set()
    for spec in SPECS:
        for view in positions(spec, matches=3, left=20):
            decision = ask(view, "minimax:depth=6")
            game = view.game
            if game.pass_action in decision.line:
                met.add(f"pass, {game.penalty}, paid before: {any(view.penalised)}")
            if len(decision.line) < 6:
                met.add("over before the depth")
            if list(decision.scores.values()).count(max(decision.scores.values())) > 1:
                met.add("a tie")
    assert met == {
        "pass, once, paid before: False",
        "pass, once, paid before: True",
        "pass, every, paid before: False",
        "pass, every, paid before: True",
        "over before the depth",
        "a tie",
    }


def test_the_documents_utility() -> None:
    """Utility = (score_me - score_other) + 0.5 × (moves_me - moves_other), counted by hand."""
    #   5  .  .  .  .  .
    #   4  .  .  .  .  .      White may take +3 at b3 (then a5 c5 d4 d2 c1 are free: 5 moves, its own square being
    #   3  . +3  .  .  .      destroyed) or go to c2 (a3 b4 d4 e3 e1: 5 moves, a1 being destroyed).
    #   2  .  .  .  .  .      Black, in the corner e5, has c4 and d3: 2 moves.
    #   1  W  .  .  .  .
    view = after("horses:size=5,layout=W@a1/B@e5/+3@b3", [])
    game = view.game
    scores = ask(view, "minimax:depth=1").scores
    assert {game.action_name(a): score for a, score in scores.items()} == {"b3": 3 + 0.5 * 3, "c2": 0 + 0.5 * 3}
    assert evaluate_board(GameState.seen(view), 0) == 0.5 * (2 - 2)
    assert ask(view, "minimax:depth=1,mobility=0").scores == {game.parse_action("b3"): 3, game.parse_action("c2"): 0}


def test_either_seat_looks_after_itself() -> None:
    """The document's machine is white; ours sits anywhere, so black gets the same utility turned round."""
    view = after("horses:size=5,layout=W@e5/B@a1/+3@b3", ["c4"])
    assert view.seat == 1
    scores = {view.game.action_name(a): score for a, score in ask(view, "minimax:depth=1").scores.items()}
    # White on c4 may go to a5 a3 b2 d2 e3, and to b2 and d2 whatever black does.
    assert scores == {"b3": 3 + 0.5 * (5 - 5), "c2": 0 + 0.5 * (5 - 5)}


@pytest.mark.parametrize(
    ("spec", "first", "second"),
    [
        # White has 5 points and black -1. White passes and pays; within four plies it passes again.
        (f"horses:size=5,layout={STUCK}", 5 - 4 + 1, 5 - 4 + 1),
        (f"horses:size=5,penalty=every,layout={STUCK}", 5 - 4 + 1, 5 - 4 - 4 + 1),
    ],
)
def test_the_penalty_is_simulated_by_the_rule_that_is_played(spec: str, first: int, second: int) -> None:
    view = after(spec, STUCK_ACTIONS)
    names = [view.game.pass_action]
    assert view.legal() == names
    assert ask(view, "minimax:depth=1,mobility=0").scores == {names[0]: first}
    assert ask(view, "minimax:depth=4,mobility=0").scores == {names[0]: second}
    assert ask(view, "minimax:depth=40").value == (1 if second > 0 else -1)
    # Before that, black sees it coming: its last action left white stuck.
    before = after(spec, STUCK_ACTIONS[:-1])
    chosen = before.game.parse_action(STUCK_ACTIONS[-1])
    assert ask(before, "minimax:depth=1,mobility=0").scores[chosen] == -(5 + 1)
    assert ask(before, "minimax:depth=2,mobility=0").scores[chosen] == -first
    assert ask(before, "minimax:depth=4,mobility=0").scores[chosen] == -second


def test_of_equal_actions_the_first_is_taken() -> None:
    view = after("horses:size=5,layout=W@c1/B@c5", [])
    decision = ask(view, "minimax:depth=1")
    names = {view.game.action_name(a): score for a, score in decision.scores.items()}
    assert names["b3"] == names["d3"] == max(names.values())
    assert view.game.action_name(decision.action) == "b3"
    assert decision.note.endswith("as good: d3")


@pytest.mark.parametrize(("level", "depth"), [("beginner", 2), ("amateur", 4), ("expert", 6)])
def test_the_levels_of_the_document(level: str, depth: int) -> None:
    assert LEVELS[level] == depth
    for view in list(positions("horses", matches=1))[:10]:
        by_level = ask(view, f"minimax:level={level}")
        assert by_level == ask(view, f"minimax:depth={depth}")
        assert by_level.depth == depth
        assert ask(view, f"minimax:level={level},depth=3") == ask(view, "minimax:depth=3")


def test_the_expert_is_the_default() -> None:
    view = after("horses", [])
    assert ask(view, "minimax") == ask(view, "minimax:level=expert,depth=0,mobility=0.5")


@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ("minimax:level=master", "level=master is none of beginner, amateur, expert"),
        ("minimax:depth=65", "depth=65 must be a whole number from 0 to 64"),
        ("minimax:depth=-1", "depth=-1 must be a whole number from 0 to 64"),
        ("minimax:mobility=-0.5", "mobility=-0.5 must be a number from 0 to 10"),
        ("minimax:mobility=nan", "mobility=nan must be a number from 0 to 10"),
        ("minimax:mobility=much", "mobility=much is not a number"),
    ],
)
def test_wrong_options(agent: str, complaint: str) -> None:
    with pytest.raises(InvalidOption, match=complaint):
        ludoteca.agent(agent)(make("horses"), 0, 0)


def test_it_plays_horses_only() -> None:
    with pytest.raises(InvalidAgent, match="minimax does not play hex"):
        ludoteca.agent("minimax")(ludoteca.game("hex:size=3"), 0, 0)


def test_it_looks_only_on_its_own_turn() -> None:
    game = make("horses")
    with pytest.raises(ValueError, match="only the seat on turn can choose"):
        ask(game.deal(0).view(1), "minimax")
    with pytest.raises(ValueError, match="depth must be 1 to 64"):
        _core.horses_minimax(game.deal(0).view(0), 0, 0.5).run()


@pytest.mark.parametrize("nodes", [20, 100, 1000, 5000, 20_000])
def test_short_of_nodes_it_decides_by_the_deepest_finished_look(nodes: int) -> None:
    for seed in range(5):
        view = after("horses", [], seed)
        decision = ask(view, "minimax:depth=40", Limit(nodes=nodes))
        assert decision.nodes == nodes  # all of them are used, none more
        assert 1 <= decision.depth < 40
        alone = ask(view, f"minimax:depth={decision.depth}")
        assert (decision.action, decision.scores, decision.line) == (alone.action, alone.scores, alone.line)
        assert decision.note.endswith("the limit left no time for 40 plies")


def test_more_nodes_look_deeper() -> None:
    view = after("horses", [])
    depths = [ask(view, "minimax:depth=40", Limit(nodes=nodes)).depth for nodes in (20, 200, 2000, 20_000)]
    assert depths == sorted(set(depths))


def test_a_limit_that_is_not_reached_changes_only_the_nodes() -> None:
    for view in positions("horses:size=5", matches=4):
        free, limited = ask(view, "minimax:depth=4"), ask(view, "minimax:depth=4", Limit(nodes=10**6))
        assert (free.action, free.scores, free.line, free.value) == (
            limited.action, limited.scores, limited.line, limited.value,
        )  # fmt: skip


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(seconds=0.0)])
def test_with_no_time_at_all_it_still_plays(limit: Limit) -> None:
    view = after("horses", [])
    decision = ask(view, "minimax", limit)
    assert decision.action == view.legal()[0]
    assert (decision.depth, decision.value, dict(decision.scores)) == (0, None, {})
    assert decision.note == "no time to look ahead: the first legal action"


def test_the_clock_stops_a_search_that_would_not_end() -> None:
    decision = ask(after("horses", []), "minimax:depth=64", Limit(seconds=0.02))
    assert 1 <= decision.depth < 64


def test_an_end_that_was_seen_is_the_value() -> None:
    """Where every line was followed to its end, the value is the result that best play by both seats gives."""

    def result(state: _core.HorsesState, seat: int) -> float:
        if state.turn is None:
            return state.returns()[seat]
        results = []
        for action in state.legal():
            child = state.copy()
            child.apply(action)
            results.append(result(child, seat))
        return max(results) if state.turn == seat else min(results)

    seen = set()
    layouts = ("horses:size=5", "horses:size=5,layout=W@a1/B@e5/+4@c3")  # in the second many are drawn
    for view in (view for spec in layouts for view in positions(spec, matches=12, left=9)):
        decision = ask(view, "minimax:depth=40")
        assert decision.value == result(view.sample(0), view.seat)
        assert decision.note.startswith("seen to the end: ")
        seen.add(decision.value)
    assert seen == {-1, 0, 1}


def test_an_estimated_value_has_the_sign_of_the_utility() -> None:
    seen = set()
    for view in positions("horses", matches=2, left=55):
        if len(view.legal()) > 1:
            decision = ask(view, "minimax:depth=2")
            utility = decision.scores[decision.action]
            assert decision.value is not None and -1 <= decision.value <= 1
            assert (decision.value > 0) == (utility > 0) and (decision.value < 0) == (utility < 0)
            seen.add(abs(decision.value) < 1)
    assert True in seen


def test_the_note_says_what_the_utility_is_made_of() -> None:
    view = after("horses:size=5,layout=W@a1/B@e5/+3@b3", [])
    assert ask(view, "minimax:depth=1").note == "1 ply ahead: points +3, moves +3, utility +4.5"
    note = ask(after(f"horses:size=5,layout={STUCK}", STUCK_ACTIONS), "minimax:depth=2").note
    assert "; this seat has to pass" in note
    note = ask(after(f"horses:size=5,layout={STUCK}", STUCK_ACTIONS[:-1]), "minimax:depth=2").note
    assert "; the other seat has to pass" in note


@pytest.mark.no_sanitize
def test_it_beats_chance() -> None:
    # measured: 97% of 4000 matches; less than 85% of 40 would be a broken search
    assert match_score("horses", "minimax:level=beginner", "random", 20) >= 0.85
