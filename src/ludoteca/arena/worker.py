"""A worker process, started by `LocalWorkers`: ``python -m ludoteca.arena.worker``.

It reads lines of JSON: first the setup, then fixtures. It writes the line ``+`` when it can play, then lines
``index seconds record``, where seconds is how long the match took, or ``! message`` when our own code failed. If the
setup names a folder ``live``, the match in progress is published there.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
import warnings
from contextlib import ExitStack
from pathlib import Path

from ludoteca.arena.plan import Fixture
from ludoteca.arena.referee import Referee
from ludoteca.errors import LudotecaError
from ludoteca.play.conditions import Conditions
from ludoteca.play.live_matches import LivePublisher
from ludoteca.players.admission import Admission
from ludoteca.players.pool import Unprotected
from ludoteca.players.processes.linux import hide_memory
from ludoteca.players.processes.wire import die_with_pipe


def main() -> None:
    """Play fixtures until the input ends."""
    die_with_pipe(int(sys.argv[1]))
    hide_memory()  # this process holds the deals
    out = os.fdopen(os.dup(1), "wb", buffering=0)  # a copy that agents cannot print to
    warnings.simplefilter("ignore", Unprotected)  # the parent process has warned already
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    index = -1
    try:
        setup = json.loads(sys.stdin.readline())
        sys.path[:] = setup["path"]
        with ExitStack() as stack:
            conditions = Conditions.from_json(setup["conditions"])
            referee = stack.enter_context(Referee(conditions, Admission.from_json(setup["admission"])))
            if setup["live"] is not None:
                stack.enter_context(LivePublisher(Path(setup["live"]), referee))
            out.write(b"+ \n")
            for line in sys.stdin:
                fixture = Fixture.from_json(line)
                index = fixture.index
                start = time.perf_counter()
                record = referee.play(fixture)
                out.write(f"{fixture.index} {time.perf_counter() - start:.6f} {record.to_json()}\n".encode())
    except LudotecaError as error:  # such as an agent whose file has changed: the message is enough
        out.write(f"! {index} {json.dumps(str(error))}\n".encode())
        raise SystemExit(1) from None
    except Exception:
        out.write(f"! {index} {json.dumps(traceback.format_exc())}\n".encode())
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
