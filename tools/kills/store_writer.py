"""A process that keeps writing to the machine-wide store, killed at random moments: often in a transaction.

``python -m tools.kills.store_writer STORE`` saves the same matches again and again, each time with one more action, and
prints the number of actions after each commit.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from ludoteca.play.match import Match
from ludoteca.play.store import Store
from tools.kills.processes import Failed, Killer, started, wait_for_end
from tools.kills.runs import check_store

MATCHES = 40
"""Saved in one transaction."""
ACTIONS = 150
SELDOM = 10
"""Its kills are spread over the whole campaign: pauses are so many times longer."""


class StoreWriters:
    """One such process after another, beside what else uses the store, until the quota is spent."""

    def __init__(self, store: Path, killer: Killer) -> None:
        self._store, self._killer = store, killer
        self._hurry = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            while "store" in self._killer.left:
                self._once()
        except BaseException as error:
            self._error = error

    def _once(self) -> None:
        self._hurry.wait(SELDOM * self._killer.pause())
        process = subprocess.Popen(
            [sys.executable, "-m", "tools.kills.store_writer", str(self._store)],
            stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
        )  # fmt: skip
        started(process.pid)
        assert process.stdout is not None
        tag = process.stdout.readline().strip()  # it holds the store now
        time.sleep(self._killer.pause())
        self._killer.kill(process.pid, "store")
        said = process.stdout.read().split()
        process.wait()
        wait_for_end({process.pid})
        check_store(self._store)
        with Store(self._store) as store:
            run = store.people_run("terminal").id
            kept = [store.people.find(run, f"{tag}-{number}") for number in range(MATCHES)]
        lengths = {len(found[1].actions) for found in kept if found is not None}
        if any(found is None for found in kept) or len(lengths) != 1 or min(lengths) < int(said[-1] if said else 0):
            raise Failed(f"saved up to {said[-1:]} actions, found {lengths}")

    def close(self) -> None:
        """Spends the rest of its quota. Raises Failed."""
        self._hurry.set()
        self._thread.join()
        if self._error is not None:
            raise self._error


def main(path: str) -> None:
    """Write until killed."""
    tag = f"writer{os.getpid()}-{os.urandom(4).hex()}"
    with Store(path) as store:
        run = store.people_run("terminal").id
        match = Match.of_spec("hex:size=19", 1)
        for number in range(MATCHES):
            store.people.open(run, match.record(), f"{tag}-{number}")
        print(tag, flush=True)
        for count in range(1, ACTIONS):
            assert match.turn is not None
            match.play(match.view(match.turn).legal()[count % 7])
            record = match.record()
            store.people.save_all(run, [(f"{tag}-{number}", record, record.to_json()) for number in range(MATCHES)])
            print(count, flush=True)
        signal.pause()


if __name__ == "__main__":
    main(sys.argv[1])
