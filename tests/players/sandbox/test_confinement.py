"""Any ordinary user can make a sandbox, not only the one whose number stands for unknown users."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ludoteca.players.sandbox.layers import check_layers

MAP_A_USER = """
import encodings.ascii  # Python may lie where only root reads
import os
from ludoteca.players.sandbox import confinement, syscalls
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(60123, 60123, 60123)
    os.setresuid(60123, 60123, 60123)
user = os.geteuid(), os.getegid()
pid = syscalls.clone(syscalls.NAMESPACES["user"])
if pid == 0:
    mapped = confinement.map_user()
    os._exit(0 if mapped == user == (os.geteuid(), os.getegid()) else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


def test_an_ordinary_user_keeps_its_number_in_a_user_namespace() -> None:
    if not all(layer.works for layer in check_layers() if layer.required):
        pytest.skip("no sandbox can be made here")
    subprocess.run([sys.executable, "-c", MAP_A_USER], check=True)
