"""A Ray cluster of two nodes for a test's program, which may lose a process or a node."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="Ray is not installed: pip install 'ludoteca[ray]'"
)
PATIENT = {"RAY_agent_register_timeout_ms": "300000"}
"""A part of Ray may take long to start on a busy machine; the others would give up after half a minute."""
CLUSTER = """
import os, signal, sys
from pathlib import Path
from ray.cluster_utils import Cluster

try:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
except Exception as error:  # Ray's own limit, which no setting raises
    print("Ray does not start:", error)
    sys.exit()

def read(path):
    try:
        return Path(path).read_text()
    except OSError:  # it has just ended
        return ""

def descendants(pid):
    for child in read(f"/proc/{pid}/task/{pid}/children").split():
        yield int(child)
        yield from descendants(int(child))

def processes(task):
    # Of the tasks or actors of this name that are running now.
    return [pid for pid in descendants(os.getpid()) if read(f"/proc/{pid}/cmdline").startswith(f"ray::{task}")]
"""


def run_on_cluster(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that has `cluster`, its node `second` and `processes`. Skips the test if Ray does not start."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"{CLUSTER}\n{program}\ncluster.shutdown()\n", *arguments],
        capture_output=True, text=True, check=False, timeout=600, env=os.environ | PATIENT,
    )  # fmt: skip
    if "Ray does not start:" in done.stdout:
        pytest.skip(done.stdout)
    return done
