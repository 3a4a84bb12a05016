"""A match on a Ray cluster that loses a node, and one that loses its head: ``python -m tools.kills --only ray``."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludoteca.play.store import Store
from tools.kills.processes import PATIENCE, Failed, started
from tools.kills.runs import KEYS, PLAYER, check_store, ludoteca

SOON_DEAD = {"RAY_health_check_period_ms": "1000", "RAY_health_check_failure_threshold": "2"}
"""A node that is silent for two seconds is lost; Ray would wait for fifteen."""
COUNT = 24


def lose_node() -> None:
    """One of two nodes is killed in the middle; Ray plays its matches on the other. Raises Failed."""
    with tempfile.TemporaryDirectory(prefix="ludoteca-kills-") as name:
        folder = Path(name)
        status, said = _play_on_cluster(
            folder, lambda cluster, second: cluster.remove_node(second, allow_graceful=False)
        )
        if status != 0:
            raise Failed(f"without a node the match ended with {status}: {said}")
        _check(folder)
    print("node lost: as undisturbed", flush=True)


def lose_head() -> None:
    """The head is killed in the middle; the command says so, and goes on with another cluster. Raises Failed."""
    with tempfile.TemporaryDirectory(prefix="ludoteca-kills-") as name:
        folder = Path(name)
        status, said = _play_on_cluster(
            folder, lambda cluster, second: cluster.remove_node(cluster.head_node, allow_graceful=False)
        )
        if status != 2 or "the same command goes on" not in said:
            raise Failed(f"without its head the match ended with {status}: {said}")
        kept = _count(folder)
        if not 0 < kept < COUNT:
            raise Failed(f"{kept} matches are kept")
        status, said = _play_on_cluster(folder, lambda cluster, second: None)
        if status != 0:
            raise Failed(f"with another cluster the match ended with {status}: {said}")
        _check(folder)
    print(f"head lost after {kept} of {COUNT} matches, continued on another cluster: as undisturbed", flush=True)


def _play_on_cluster(folder: Path, lose: Callable[[Any, Any], None]) -> tuple[int, str]:
    """Plays on a new cluster of two nodes that loses something in the middle. Returns its status and what it said."""
    os.environ |= SOON_DEAD
    from ray.cluster_utils import Cluster  # type: ignore[import-untyped, unused-ignore]

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    try:
        before = _count(folder)
        process = subprocess.Popen(
            [*_command(folder, "torn"), "--ray", cluster.address], cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        started(process.pid)
        end = time.monotonic() + PATIENCE
        while _count(folder) < before + 4 and process.poll() is None:
            if time.monotonic() > end:
                raise Failed("the cluster plays no match")
            time.sleep(0.1)
        lose(cluster, second)
        said, _ = process.communicate(timeout=2 * PATIENCE)
        return process.returncode, said
    finally:
        for node in list(cluster.list_all_nodes()):
            cluster.remove_node(node, allow_graceful=False)


def _command(folder: Path, store: str) -> list[str]:
    (folder / "rows.py").write_text(PLAYER.format(name="Rows", key=KEYS["Rows"], seconds=0.05))
    words = ["match", "hex:size=4", "./rows.py", "mcts:simulations=100", "-n", str(COUNT), "--limit", "100000n"]
    return ludoteca(*words, "--seed", "1", "--store", str(folder / f"{store}.sqlite"))


def _count(folder: Path) -> int:
    path = folder / "torn.sqlite"
    if not path.exists():
        return 0
    with Store(path) as store:
        return sum(store.count(run.id) for run in store.runs())


def _check(folder: Path) -> None:
    subprocess.run(_command(folder, "calm"), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    check_store(folder / "torn.sqlite")
    with Store(folder / "calm.sqlite") as calm, Store(folder / "torn.sqlite") as torn:
        one, two = ([record.without_clock() for record in store.records(1)] for store in (calm, torn))
        if one != two or len(two) != COUNT:
            raise Failed(f"other matches: {one} {two}")
