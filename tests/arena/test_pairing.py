from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from ludoteca.arena.pairing import bracket, gauntlet, round_robin, swiss


def test_in_a_round_robin_everybody_meets_everybody_once() -> None:
    for count in range(2, 12):
        met = [frozenset(pairing) for pairing in round_robin(count)]
        assert sorted(map(sorted, met)) == [list(pair) for pair in itertools.combinations(range(count), 2)]
        per_round = count // 2
        for start in range(0, len(met), per_round):
            assert len(frozenset().union(*met[start : start + per_round])) == 2 * per_round, (
                "somebody plays twice a round"
            )


def test_a_gauntlet_is_run_by_the_first() -> None:
    assert gauntlet(4) == [(0, 1), (0, 2), (0, 3)]


@given(st.integers(2, 14), st.data())
def test_in_a_swiss_tournament_no_agents_meet_twice_and_none_rests_twice(count: int, data: st.DataObject) -> None:
    """For as many rounds as are usual, whatever the results."""
    points, met, byes = [0.0] * count, set[frozenset[int]](), [0] * count
    for _ in range((count - 1).bit_length()):
        pairings, resting = swiss(points, met, byes)
        assert sorted([*itertools.chain(*pairings), *([] if resting is None else [resting])]) == list(range(count))
        for first, second in pairings:
            assert frozenset((first, second)) not in met
            met.add(frozenset((first, second)))
            score = data.draw(st.sampled_from([0.0, 0.5, 1.0]))
            points[first] += score
            points[second] += 1 - score
        if resting is not None:
            assert not byes[resting]
            byes[resting] += 1
            points[resting] += 1


def test_swiss_pairs_equals_and_repeats_only_when_it_must() -> None:
    assert swiss([2, 1, 1, 0], set(), [0] * 4) == ([(0, 1), (2, 3)], None)
    all_met = {frozenset(pair) for pair in itertools.combinations(range(4), 2)}
    assert swiss([3, 2, 1, 0], all_met, [0] * 4) == ([(0, 1), (2, 3)], None)
    all_but_one = all_met - {frozenset((0, 3))}
    assert swiss([3, 2, 1, 0], all_but_one, [0] * 4) == ([(0, 3), (1, 2)], None)
    assert swiss([1, 1, 0], set(), [0, 0, 1]) == ([(0, 2)], 1)
    assert swiss([3, 1, 2], set(), [1, 1, 1]) == ([(0, 2)], 1), "a second bye goes to the lowest again"


def test_a_bracket_keeps_the_best_apart_as_long_as_it_can() -> None:
    for count in range(1, 18):
        places = bracket(count)
        assert sorted(place for place in places if place is not None) == list(range(count))
        while len(places) > 1:
            pairs = list(zip(places[::2], places[1::2], strict=True))
            assert all(first is not None or second is not None for first, second in pairs)
            winners = [min(place for place in pair if place is not None) for pair in pairs]
            assert sorted(winners) == list(range(len(winners))), "the best of each pair are not the best of all"
            places = list(winners)
