"""The command line in a process of its own for each command, but read in only once.

Reading it in takes a second, most commands a tenth of that, and there are a hundred of them. So a process that has
read everything in and has done nothing else forks each one, which gets its words, environment, input and outputs as a
shell would give them. Tests that send signals or sit at a terminal start the command line as a shell does.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["pytest", "tests.preloaded_commands"])
MEASURED_AT_IMPORT = ("ludoteca.terminal.games_and_agents", "ludoteca.terminal.playing.command")
"""They ask for the width of the terminal when they are read in, and it is another one each time."""


def run(*arguments: str, answer: str = "", columns: int = 100, without: str = "") -> subprocess.CompletedProcess[str]:
    """What ``ludoteca`` with these arguments does when `answer` is typed, as `subprocess.run` returns it.

    without: a package that is treated as not installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("input", "output", "errors")]
        files[0].write_text(answer)
        environment = os.environ | {"COLUMNS": str(columns)}
        process = _forks.Process(target=_command, args=(arguments, environment, [str(file) for file in files], without))
        process.start()
        process.join()
        output, errors = (file.read_text() for file in files[1:])
    return subprocess.CompletedProcess(arguments, process.exitcode or 0, output, errors)


def _command(arguments: tuple[str, ...], environment: dict[str, str], files: list[str], without: str) -> None:
    assert "tests.preloaded_commands" in sys.modules, "it cannot be imported, and the fork server is silent about it"
    os.environ.clear()
    os.environ.update(environment)
    for number, file in enumerate(files):
        handle = os.open(file, os.O_RDWR | os.O_CREAT)
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    sys.argv = ["ludoteca", *arguments]
    for module in MEASURED_AT_IMPORT:
        sys.modules.pop(module, None)
    if without:
        assert without not in sys.modules, f"{without} has been read in already"
        sys.modules[without] = None  # type: ignore[assignment]
    from ludoteca.cli import main

    try:
        main()
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
