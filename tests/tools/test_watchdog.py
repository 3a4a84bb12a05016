"""An interrupted run of the tests leaves nothing behind: no worker, server, browser or process that they started."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from tests.watchdog import processes_with

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # seconds; a busy machine is slow, but it gets there
BROWSER = shutil.which("chromium") is not None and shutil.which("chromedriver") is not None
SMALL = """
import signal, subprocess, sys
from pathlib import Path

def test_waits({fixtures}):
    code = "print(flush=True); import signal; signal.pause()"
    stray = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    stray.stdout.readline()
    with Path({fifo!r}).open("w") as ready:
        print("ready", file=ready, flush=True)
        signal.pause()
"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("how", "fixtures", "least"),
    [
        # pytest, its worker, the server, the stray; the driver and its browser
        (signal.SIGINT, "address, browser" if BROWSER else "address", 4 + 2 * BROWSER),
        # pytest, its worker and the stray: the watchdog makes no difference between what it ends
        (signal.SIGKILL, "", 3),
    ],
)
def test_an_interrupted_run_leaves_no_process(how: signal.Signals, fixtures: str, least: int, tmp_path: Path) -> None:
    fifo, small = tmp_path / "ready", tmp_path / "test_small.py"
    os.mkfifo(fifo)
    small.write_text(SMALL.format(fifo=str(fifo), fixtures=fixtures))
    mark = uuid.uuid4().hex
    run = subprocess.Popen(
        [
            sys.executable, "-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", "-p", "tests.conftest",
            "-p", "tests.web.conftest", "--rootdir", str(ROOT), "--basetemp", str(tmp_path / "base"), str(small),
        ],
        cwd=ROOT, env=os.environ | {"MARK": mark}, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    ready, end_of_run = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), os.pidfd_open(run.pid)
    assert ready in select.select([ready, end_of_run], [], [])[0], "the run ended before its test was ready"
    started = {number: os.pidfd_open(number) for number in processes_with(f"MARK={mark}")}
    assert len(started) >= least
    run.send_signal(how)
    run.wait()
    end = time.monotonic() + PATIENCE
    for number, handle in started.items():
        ended, _, _ = select.select([handle], [], [], max(0.0, end - time.monotonic()))
        assert ended, Path(f"/proc/{number}/cmdline").read_bytes()
        os.close(handle)
    os.close(ready)
    os.close(end_of_run)
    assert processes_with(f"MARK={mark}") == []
