"""What the kernel reports about processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ludoteca.players.processes import linux

if sys.platform != "linux":
    pytest.skip("Linux only", allow_module_level=True)


def test_descendants_are_found_with_and_without_the_kernels_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import subprocess, sys; child = subprocess.Popen(['cat']); print(child.pid, flush=True); child.wait()"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None and parent.stdin is not None
        grandchild = int(parent.stdout.readline())
        for lists_children in {linux._LISTS_CHILDREN, False}:
            monkeypatch.setattr(linux, "_LISTS_CHILDREN", lists_children)
            assert linux.children(parent.pid) == {grandchild}
            assert parent.pid in linux.children(os.getpid())
            assert {parent.pid, grandchild} <= linux.descendants(os.getpid())
        parent.stdin.close()
    assert linux.children(parent.pid) == set()
