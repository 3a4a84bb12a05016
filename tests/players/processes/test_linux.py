"""What the kernel reports about processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ludoteca.players.processes import linux

if sys.platform != "linux":
    pytest.skip("Linux only", allow_module_level=True)


def test_descendants_are_found_with_and_without_the_kernels_lists() -> None:
    program = "import subprocess, sys; child = subprocess.Popen(['cat']); print(child.pid, flush=True); child.wait()"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None and parent.stdin is not None
        grandchild = int(parent.stdout.readline())
        for children in (linux.children, linux._children_by_parent):
            assert children(parent.pid) == {grandchild}
            assert parent.pid in children(os.getpid())
        assert {parent.pid, grandchild} <= linux.descendants(os.getpid())
        parent.stdin.close()
    assert linux.children(parent.pid) == set()
