"""Pairs are chosen for information, and nobody starves."""

from __future__ import annotations

import random
from collections import Counter

from bench.league.coverage import Setting, coverage
from ludoteca.league.playing.matchmaking import Contestants


def played(contestants: Contestants, count: int, seed: int = 1) -> list[tuple[int, int]]:
    rng, pairs = random.Random(seed), []
    for _ in range(count):
        pair = contestants.next_pair(rng)
        assert pair is not None
        contestants.give(*pair)
        contestants.finish(*pair)
        pairs.append(pair)
    return pairs


def field(*strengths: float, baselines: int = 1) -> Contestants:
    contestants = Contestants()
    for number, strength in enumerate(strengths):
        contestants.join(None if number < baselines else str(number), strength, 0.1)
    return contestants


def test_a_newcomer_plays_first_and_mostly_against_near_strengths() -> None:
    gaps = []
    for seed in range(20):
        contestants = field(-4.0, -2.0, 2.0, 6.0, 8.0)
        newcomer = contestants.join("new", 2.1)
        pairs = [pair for pair in played(contestants, 12, seed) if newcomer in pair]
        assert len(pairs) >= 6
        gaps += [abs(contestants.strength[sum(pair) - newcomer] - 2.1) for pair in pairs[:2]]
    assert sum(gap < 4 for gap in gaps) >= len(gaps) * 0.6  # by chance it would be 40%


def test_everybody_keeps_playing_however_well_they_are_known() -> None:
    contestants = field(*range(12))
    for row in range(12):
        contestants.variance[row] = 1e-6
    contestants.join("new", 5.0)
    counts = Counter(row for pair in played(contestants, 200) for row in pair)
    assert min(counts[row] for row in range(12)) >= 3


def test_versions_of_one_student_and_baselines_never_meet() -> None:
    contestants = Contestants()
    for owner in (None, None, "ana", "ana", "ben"):
        contestants.join(owner, 0.0)
    for first, second in played(contestants, 60):
        assert contestants.owners[first] != contestants.owners[second]


def test_a_dummy_that_loses_on_purpose_cannot_feed_its_friend() -> None:
    """A friend's dummy always offers a pair of the best information; still most pairs are with others."""
    contestants = field(*[1.0] * 10)
    dummy, friend = contestants.join("dummy", 1.0), contestants.join("friend", 1.0)
    pairs = [pair for pair in played(contestants, 150) if friend in pair]
    assert sum(dummy in pair for pair in pairs) <= len(pairs) / 4


def test_no_pair_where_none_may_meet() -> None:
    contestants = Contestants()
    contestants.join("ana", 0.0)
    contestants.join("ana", 0.0)
    assert contestants.next_pair(random.Random(1)) is None


def test_a_result_moves_both_estimates_towards_it() -> None:
    contestants = field(0.0, 0.0, 0.0)
    contestants.learn(1, 2, 2.0)
    assert contestants.strength[1] > 0 > contestants.strength[2]
    assert contestants.variance[1] < 0.1


def test_a_newcomer_is_not_given_all_pairs_before_its_first_result() -> None:
    contestants = field(*range(8))
    newcomer, rng = contestants.join("new", 3.0), random.Random(1)
    pairs = []
    for _ in range(40):
        pair = contestants.next_pair(rng)
        assert pair is not None
        contestants.give(*pair)
        pairs.append(pair)
    assert 6 <= sum(newcomer in pair for pair in pairs) <= 25


def test_intervals_hold_the_truth_although_the_league_chooses_its_pairs() -> None:
    """Versions come and go, and players are not transitive. `bench.league.coverage` measures whole leagues."""
    found = coverage(Setting(students=12, matches=40, versions=2, peculiarity=60.0), runs=6)
    assert 0.89 <= found.share <= 0.99 and found.versions > 100
