"""The Dominoes player of cases, against a repaired rendering of its document's loops and against what they mean."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import pytest

import ludoteca
from ludoteca import _core
from ludoteca.agents.dominoes.cases import Known, Lay, Search, Tile
from ludoteca.errors import InvalidAgent, InvalidOption
from ludoteca.games.dominoes.game import Dominoes
from ludoteca.games.dominoes.tiles import numbers, tile_of
from ludoteca.play.match import play_out
from ludoteca.protocols import Decision, Limit
from tests.agents.dominoes.reference import least_repair, play_tile
from tests.strength import match_score

pytestmark = pytest.mark.no_sanitize

SPECS = [
    "dominoes",
    "dominoes:variant=block",
    "dominoes:pips=4,hand=5",
    "dominoes:pips=9,hand=10",
    "dominoes:start=seat",
]


def make(spec: str) -> Dominoes:
    return cast(Dominoes, ludoteca.game(spec))


OURS = "cases:reading=ours"


def ask(view: _core.DominoesView, agent: str = OURS) -> Decision:
    decision = ludoteca.agent(agent)(view.game, view.seat, 0).act(view, Limit())
    assert isinstance(decision, Decision)
    return decision


def positions(spec: str, matches: int) -> Iterator[_core.DominoesView]:
    """What the seats on turn see in random matches where they have a choice and a tile lies."""
    game = make(spec)
    for seed in range(matches):
        state, chance = game.deal(seed), random.Random(seed)
        while (seat := state.turn) is not None:
            view = state.view(seat)
            if len(view.legal()) > 1 and view.ends:
                yield view
            state.apply(chance.choice(state.legal()))


def after(names: str, seed: int) -> _core.DominoesView:
    """What the seat on turn sees in double-six after these actions."""
    game = make("dominoes")
    state = game.deal(seed)
    for name in names.split():
        state.apply(game.parse_action(name))
    assert state.turn is not None
    return state.view(state.turn)


def probabilities(view: _core.DominoesView) -> dict[tuple[int, int], float]:
    """Of each unseen tile, to be the other's: nothing where it has shown to lack a number, else the same for all."""
    lacks, held = view.lacks[1 - view.seat], view.counts[1 - view.seat]
    unseen = [numbers(tile) for tile in view.unseen]
    possible = [pair for pair in unseen if not set(pair) & set(lacks)]
    return {pair: held / len(possible) if pair in possible else 0.0 for pair in unseen}


def own_counts(view: _core.DominoesView) -> dict[int, int]:
    return {n: sum(n in numbers(tile) for tile in view.hand) for n in range(view.game.pips + 1)}


@pytest.mark.parametrize("spec", SPECS)
def test_decides_as_the_document_does_with_the_least_repair(spec: str) -> None:
    met: Counter[str] = Counter()
    for view in positions(spec, matches=40):
        assert view.ends is not None
        hand = [numbers(tile) for tile in view.hand]
        tile, side = least_repair(hand, probabilities(view), own_counts(view), list(view.ends))
        if view.ends[0] == view.ends[1]:
            side = 0  # both sides are the same
        decision = ask(view, "cases")
        assert decision.action == 2 * tile_of(*tile) + side, decision.explanation
        assert not decision.scores or decision.scores[decision.action] == max(decision.scores.values())
        met["last resort" if "found nothing" in decision.explanation else "found"] += 1
        met["both ends"] += set(tile) == set(view.ends) and tile[0] != tile[1]
    assert met["found"] > 30 and met["both ends"] > 0
    assert met["last resort"] > 0 or "pips=9" in spec


def test_by_hand_as_the_document_has_it() -> None:
    """Seat 0 has 1-1 3-1 5-0 5-3 6-0 6-1; the ends are 4 and 6; seat 1, which lacks 6, has nine of 17 tiles."""
    decision = ask(after("6-6 draw draw draw 6-4@left", seed=25), "cases")
    # The other cannot hold a 6, so the document finds no "worst play" there, and has no tile for the other end.
    assert not decision.scores and "found nothing" in decision.explanation
    view = after("2-2 5-2 2-1@right", seed=4)  # the ends are 5 and 1; 5-1 and 6-5 fit at the weaker one
    decision = ask(view, "cases")
    assert {view.game.action_name(action) for action in decision.scores} == {"5-1@left", "6-5@left"}
    assert view.game.action_name(decision.action) == "6-5@left"  # where ours leaves the 1, for three own tiles
    assert view.game.action_name(ask(view).action) == "5-1@left"
    assert "leaves 6: 1 of its tiles" in decision.explanation and " 1.3 " in decision.explanation


@pytest.mark.parametrize("spec", SPECS)
def test_decides_as_our_reading_of_the_document_does(spec: str) -> None:
    compared = 0
    for view in positions(spec, matches=40):
        assert view.ends is not None
        hand = {numbers(tile) for tile in view.hand}
        tile, side = play_tile(hand, probabilities(view), own_counts(view), list(view.ends))
        if view.ends[0] == view.ends[1]:
            side = 0  # both sides are the same
        assert ask(view).action == 2 * tile_of(*tile) + side
        compared += 1
    assert compared > 30


def test_every_case_is_met() -> None:
    """The comparison above is worth something only if all cases lie within it."""
    starts = ("both ends are", "its tiles fit only", "fewer of its", "as many of its", "the other cannot play")
    met = Counter(
        start for view in positions("dominoes", 40) for start in starts if ask(view).explanation.startswith(start)
    )
    assert set(met) == set(starts)
    assert min(met.values()) > 5


def test_by_hand() -> None:
    """Seat 0 has 1-1 3-1 5-0 5-3 6-0 6-1; the ends are 4 and 6; seat 1 has nine tiles and lacks 6."""
    view = after("6-6 draw draw draw 6-4@left", seed=25)
    decision = ask(view)
    assert decision.explanation.startswith("its tiles fit only at the 6; it leaves 1: 2 of its tiles")
    assert " 2.1 " in decision.explanation, "the expected number of the opponent's tiles"
    # Unseen without a 6 are 17 tiles: with 0, 0-0 1-0 2-0 3-0 4-0; with 1, 1-0 2-1 4-1 5-1; and the other holds nine.
    names = {view.game.action_name(action): score for action, score in decision.scores.items()}
    assert len(view.unseen) == 20
    assert names == {
        "6-0@right": pytest.approx(1 - 5 * (9 / 17) / 10),
        "6-1@right": pytest.approx(2 - 4 * (9 / 17) / 10),
    }
    assert (decision.value, decision.depth, decision.nodes) == (None, 2, 2)


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_at_the_end_that_fewer_own_tiles_have(spec: str) -> None:
    tried = kept = 0
    for view in positions(spec, matches=20):
        assert view.ends is not None
        counts, likely = own_counts(view), probabilities(view)
        left, right = (counts[end] for end in view.ends)
        if left == right or not left or not right:
            continue
        decision = ask(view)
        weaker = int(right < left)
        if any(p for pair, p in likely.items() if view.ends[weaker] in pair):
            assert decision.action % 2 == weaker
            tried += 1
        else:
            assert decision.action % 2 == 1 - weaker
            kept += 1
    assert tried > 20
    assert kept or spec == "dominoes:pips=9,hand=10"


def test_of_equally_many_own_tiles_the_least_likely_of_the_other_decides() -> None:
    broken = 0
    for view in positions("dominoes", matches=60):
        assert view.ends is not None
        decision, counts, likely = ask(view), own_counts(view), probabilities(view)
        end = view.ends[decision.action % 2]
        chosen = sum(numbers(decision.action // 2)) - end
        for action in decision.scores:
            number = sum(numbers(action // 2)) - end
            if counts[number] == counts[chosen]:
                mine = sum(p for pair, p in likely.items() if chosen in pair)
                theirs = sum(p for pair, p in likely.items() if number in pair)
                assert mine <= theirs + 1e-9
                broken += mine < theirs - 1e-9
    assert broken > 20


def test_the_first_tile() -> None:
    view = make("dominoes:start=seat").deal(0).view(0)
    decision = ask(view)
    assert set(decision.scores) == set(view.legal())
    assert decision.explanation.startswith("it lays the first tile; it leaves ")
    counts = own_counts(view)

    def kept(tile: int) -> int:
        return sum(counts[number] - 1 for number in numbers(tile))

    assert kept(decision.action // 2) == max(kept(tile) for tile in view.hand)


def test_forced_actions_at_once() -> None:
    drawing = after("6-6 draw", seed=25)
    assert ask(drawing).action == drawing.game.draw_action
    only = after("", seed=25)
    assert ask(only).action == only.game.parse_action("6-6")
    assert ask(only).explanation.startswith("it is the only legal action")


@pytest.mark.parametrize("agent", ["cases", OURS])
@pytest.mark.parametrize("spec", [*SPECS, "dominoes:pips=4,hand=7", "dominoes:hand=14"])
def test_it_plays_whole_matches(spec: str, agent: str) -> None:
    game = make(spec)
    for seed in range(20):
        match = ludoteca.Match(game, seed)
        for _ in play_out(match, {seat: ludoteca.agent(agent)(game, seat, 0) for seat in (0, 1)}, Limit()):
            pass
        assert match.turn is None


def test_two_plies_are_the_default_and_the_scores_themselves() -> None:
    for view in positions("dominoes", matches=3):
        assert ask(view, "cases:depth=2") == ask(view, "cases") and ask(view, f"{OURS},depth=2") == ask(view)


KNOWN = Known(hand=((1, 0), (1, 1), (3, 2)), possible=((4, 2), (5, 3)), theirs=1, ends=(0, 2))
"""1-0 can be laid on the 0, 3-2 on the 2; the other has one of two tiles."""


@pytest.mark.parametrize(
    ("ours", "tile", "side", "value"),
    [
        (False, (1, 0), 0, -100.0),  # ends 1 and 2: 4-2 goes out
        # Or it has 5-3; we keep the 1, where it cannot play, and lay 3-2, which leaves a 3.
        (True, (1, 0), 0, 0.5 * -100 + 0.5 * (0 - 0.5 / 2)),
        (False, (3, 2), 1, -100.0),
        (True, (3, 2), 1, 0.5 * -100 + 0.5 * (1 - 0 / 2)),  # then 1-0, which leaves a 1 for the 1-1
    ],
)
def test_deeper_it_counts_the_worst_reply_or_the_mean(ours: bool, tile: Tile, side: int, value: float) -> None:
    assert Search(ours).value(KNOWN, Lay(tile, side), 4) == pytest.approx(value)


def test_deeper_it_sees_who_goes_out() -> None:
    last = replace(KNOWN, hand=((1, 0), (1, 1)), possible=((5, 4), (5, 3)), theirs=2)
    assert Search(False).value(last, Lay((1, 0), 0), 4) == 100.0  # nothing can answer it
    view = next(each for each in positions("dominoes", 9) if len(each.hand) == 2 and len(each.legal()) == 2)
    for agent in ("cases:depth=6", f"{OURS},depth=6"):
        decision = ask(view, agent)
        assert decision.depth == 6 and decision.action in view.legal()
        assert not decision.scores or "6 plies ahead" in decision.note


def test_options() -> None:
    with pytest.raises(InvalidOption, match="depth must be even"):
        ludoteca.agent("cases:depth=3")(make("dominoes"), 0, 0)
    with pytest.raises(InvalidOption, match="depth=10"):
        ludoteca.agent("cases:depth=10")(make("dominoes"), 0, 0)
    with pytest.raises(InvalidOption, match="reading=mine is none of document, ours"):
        ludoteca.agent("cases:reading=mine")(make("dominoes"), 0, 0)
    with pytest.raises(InvalidAgent, match="cases does not play hex"):
        ludoteca.agent("cases")(ludoteca.game("hex:size=3"), 0, 0)


def test_ours_beats_chance() -> None:
    assert match_score("dominoes", OURS, "random", 100) > 0.62  # measured: 68% of 4000 matches
