"""Work on what visitors send, in a process with limits: no input can stop the page, whatever it makes the work cost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import sys
from types import TracebackType

NICE = 10
OUT_OF_MEMORY = 75
"""The exit status of a process that had no more memory."""


class LimitedProcessFailed(Exception):
    """A process failed although it stayed within its limits: our own fault."""


async def run_limited(module: str, seconds: int, memory: int, data: bytes, wall_seconds: float) -> bytes | None:
    """What ``python -m module`` writes after reading `data`; None if it took too much time or memory, or was killed.

    Raises LimitedProcessFailed, with what it wrote last, if it failed by itself. The module calls `limit_process`
    first. seconds: of processor time. memory: bytes besides what Python takes.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", module, str(seconds), str(memory),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        cwd="/", close_fds=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(wall_seconds):
            answer, errors = await process.communicate(data)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode is not None and process.returncode > 0 and process.returncode != OUT_OF_MEMORY:
        raise LimitedProcessFailed(errors[-2000:].decode(errors="replace"))
    return answer if process.returncode == 0 else None


def limit_process() -> None:
    """Sets the limits of this process, as its arguments say. The kernel ends a process that takes more."""
    seconds, memory = map(int, sys.argv[1:])
    sys.excepthook = _exit_without_memory
    with open("/proc/self/statm", encoding="ascii") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    os.nice(NICE)
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    for kind, most in (
        (resource.RLIMIT_CPU, limit),
        (resource.RLIMIT_AS, taken + memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def _exit_without_memory(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, MemoryError):
        os._exit(OUT_OF_MEMORY)
    sys.__excepthook__(kind, error, trace)


def write_and_exit(answer: bytes) -> None:
    """Writes the answer and ends the process at once: freeing millions of objects takes a while."""
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    os._exit(0)
