"""A submission that remembers 2048 bits from one match to the next by names that the kernel has looked up.

No layer of the sandbox stops it: see "What two matches still share" in docs/sandbox.md. `test_layers_off` measures it.
"""

import os
import random
import time

BITS = random.Random(11).choices((False, True), k=2048)
FOLDER = "/usr/lib"


def seconds(name):
    """How long the kernel needs to find that there is no such file."""
    path = f"{FOLDER}/{name}-@RUN@"
    start = time.perf_counter_ns()
    os.access(path, os.F_OK)
    return time.perf_counter_ns() - start


def middle(numbers):
    return sorted(numbers)[len(numbers) // 2]


class Remembers:
    def __init__(self, me):
        pass

    def play(self, board):
        names = [os.urandom(8).hex() for _ in range(400)]
        unknown, known = middle([seconds(name) for name in names]), middle([seconds(name) for name in names])
        limit = (unknown + known) / 2
        if middle([seconds(f"seen-{number}") for number in range(63)]) < limit:
            right = sum((seconds(number) < limit) == bit for number, bit in enumerate(BITS))
            raise RuntimeError(f"it knows {right} of {len(BITS)} bits ({known} and {unknown} ns)")
        for number, bit in enumerate(BITS):
            if bit:
                seconds(number)
        raise RuntimeError("it knows nothing")
