"""Work on what visitors send, in a process with limits: no input can stop the page, whatever it makes the work cost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import sys

NICE = 10


async def run_limited(module: str, seconds: int, memory: int, data: bytes, wall_seconds: float) -> bytes | None:
    """What ``python -m module`` writes after reading `data`; None if it took too much time or memory, or failed.

    The module calls `limit_process` first. seconds: of processor time. memory: bytes besides what Python takes.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", module, str(seconds), str(memory),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        cwd="/", close_fds=True,
    )  # fmt: skip
    try:
        async with asyncio.timeout(wall_seconds):
            answer, _ = await process.communicate(data)
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return answer if process.returncode == 0 else None


def limit_process() -> None:
    """Sets the limits of this process, as its arguments say. The kernel ends a process that takes more."""
    seconds, memory = map(int, sys.argv[1:])
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


def write_and_exit(answer: bytes) -> None:
    """Writes the answer and ends the process at once: freeing millions of objects takes a while."""
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
    os._exit(0)
