"""Self-play on Ray: a cluster of two nodes that loses an actor, then a node; training goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ray_cluster import needs_ray, run_on_cluster

pytest.importorskip("torch", reason="training needs the extra packages: pip install 'ludoteca[learn]'")

PROGRAM = """
import time

from ludoteca.learn.mmd import arguments as mmd, training as mmd_training
from ludoteca.learn.sources import spread
from ludoteca.learn.zero import arguments as zero, training as zero_training

def lose_an_actor():
    os.kill(processes("Actor")[0], signal.SIGKILL)

def lose_a_node():
    cluster.remove_node(second, allow_graceful=False)

def run(name, training, lose):
    # Everything that arrives is noted: nothing of it may be missing from what was learnt.
    arrived, seen, ask = 0, [], training.source.play

    def play():
        nonlocal arrived
        played = ask()
        if played is not None:
            arrived += sum(len(each[3]) for each in played) if isinstance(played, list) else played.mine.numel()
        return played

    def after_step(now):
        if not seen and now.updates > 3 and now.remote.actors == 2:
            seen.append((now.positions, dict(now.source.counts)))
            lose()
        return True

    training.source.play = play
    ended = training.run(after_step)
    (before, counts), remote = seen[0], training.remote
    kept, whole = all(remote.counts[key] >= counts[key] for key in counts), arrived == training.positions > before
    until = time.monotonic() + 60
    # Ray may tell of the loss after the last position, and then the next actor has not been started either.
    while remote.begun < 3 and time.monotonic() < until:
        ask()
    print("trained", name, ended, whole, kept, remote.lost, remote.begun)
    training.save(Path(sys.argv[1]) / name)
    for actor, _ in remote._running.values():
        remote._ray.kill(actor)

evaluation = dict(evaluate_against="", evaluate_every=10**9)
run("mmd", mmd_training.Training(
    mmd.Arguments(game="kittens:deck=bomb1+safe2", positions=12_000, matches=16, width=16, **evaluation),
    spread(cluster.address, 2)), lose_an_actor)
run("zero", zero_training.Training(
    zero.Arguments(game="hex:size=3", positions=1_500, matches=8, blocks=1, width=8, start=50, batch=32, **evaluation),
    spread(cluster.address, 2)), lose_a_node)
"""


@needs_ray
def test_training_goes_on_whatever_the_cluster_loses(tmp_path: Path) -> None:
    from ludoteca.learn.mmd.training import Training as MMDTraining
    from ludoteca.learn.zero.training import Training as ZeroTraining

    done = run_on_cluster(PROGRAM, str(tmp_path))
    told = [line for line in done.stdout.splitlines() if line.startswith("trained")]  # Ray prints a lot of its own
    assert told == ["trained mmd True True True 1 3", "trained zero True True True 1 3"], done.stdout + done.stderr
    for kind in (MMDTraining, ZeroTraining):  # the checkpoint goes on without a cluster
        again = kind.load(tmp_path / ("mmd" if kind is MMDTraining else "zero"))
        before = again.positions
        for _ in range(80):
            again.step()
        assert again.positions > before and again.begun == 3
