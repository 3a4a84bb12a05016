from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from ludoteca.learn.dqn.replay import Replay, Transitions, Unfinished

ACTIONS = 3


def some(*actions: int) -> Transitions:
    count = len(actions)
    seen = np.array(actions, np.float32)[:, None]
    return Transitions(
        seen, np.array(actions), np.zeros(count, np.float32), seen, np.ones((count, ACTIONS), np.bool_),
        np.ones(count, np.float32),
    )  # fmt: skip


def test_the_oldest_are_forgotten_first() -> None:
    replay = Replay(4, 1, ACTIONS)
    replay.add(some(1, 2, 3))
    assert replay.count == 3
    replay.add(some(4, 5))
    assert replay.count == 4
    drawn = replay.sample(200, np.random.default_rng(1))
    assert set(drawn.action) == {2, 3, 4, 5}
    assert (drawn.seen[:, 0] == drawn.action).all()


def test_a_pickled_replay_goes_on_where_it_was() -> None:
    replay = Replay(4, 1, ACTIONS)
    replay.add(some(1, 2, 3))
    twin = pickle.loads(pickle.dumps(replay))
    assert len(pickle.dumps(Replay(100_000, 100, ACTIONS))) < 10_000  # empty room is not written
    for each in (replay, twin):
        each.add(some(4, 5))
    mine, its = (each.sample(50, np.random.default_rng(2)) for each in (replay, twin))
    assert all(np.array_equal(a, b) for a, b in zip(mine, its, strict=True))


def plainly(decisions: list[tuple[int, float]], result: float, steps: int, discount: float) -> list[tuple[float, ...]]:
    """(seen, action, reward, after, discount) of each transition of one match, as the definition says."""
    rewards = [reward for _, reward in decisions]
    rewards[-1] += result
    found: list[tuple[float, ...]] = []
    for at, (action, _) in enumerate(decisions):
        reward = sum(discount**k * value for k, value in enumerate(rewards[at : at + steps]))
        if at + steps < len(decisions):
            found.append((at + 1, action, reward, at + steps + 1, discount**steps))
        else:
            found.append((at + 1, action, reward, 0, 0))
    return found


@pytest.mark.parametrize("steps", [1, 2, 3, 5])
def test_transitions_are_those_of_the_definition(steps: int) -> None:
    chance, discount = random.Random(steps), 0.9
    unfinished = Unfinished(2, steps, discount, 1, ACTIONS)
    for length in range(1, 9):
        decisions = [(chance.randrange(ACTIONS), round(chance.uniform(-1, 1), 3)) for _ in range(length)]
        row = np.array([length % 2])
        done = []
        for at, (action, reward) in enumerate(decisions):
            seen, legal = np.full((1, 1), at + 1, np.float32), np.ones((1, ACTIONS), np.bool_)
            done.append(unfinished.decide(row, seen, legal, np.array([action]), np.array([reward], np.float32)))
        done += unfinished.end(row, np.array([1], np.float32))
        found = [
            (seen[0], action, reward, after[0], factor)
            for part in done
            for seen, action, reward, after, _, factor in zip(*part, strict=True)
        ]
        assert len(found) == length
        expected = plainly(decisions, 1.0, steps, discount)
        assert sorted(found) == [pytest.approx(each, abs=1e-6) for each in sorted(expected)]


def test_a_match_that_ends_before_the_learner_decided_leaves_nothing() -> None:
    unfinished = Unfinished(1, 2, 1.0, 1, ACTIONS)
    done = unfinished.end(np.array([0]), np.array([1], np.float32))
    assert sum(len(part.action) for part in done) == 0
    seen, legal = np.ones((1, 1), np.float32), np.ones((1, ACTIONS), np.bool_)
    unfinished.decide(np.array([0]), seen, legal, np.array([1]), np.zeros(1, np.float32))
    done = unfinished.end(np.array([0]), np.array([-1], np.float32))
    assert [float(reward) for part in done for reward in part.reward] == [-1]
