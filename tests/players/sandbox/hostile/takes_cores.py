"""Wants every core of the machine and to go before others: by asking for it, and by threads that run side by side."""

import hashlib
import os
import threading
import time

from attempts import all_refused, call

DATA = bytes(1 << 22)


def many_cores():
    """Uses more CPU time than there is time; Python lets threads hash side by side."""
    started, computed = time.perf_counter(), time.process_time()
    threads = [threading.Thread(target=lambda: [hashlib.sha256(DATA) for _ in range(8)]) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    passed, used = time.perf_counter() - started, time.process_time() - computed
    if used <= 1.05 * passed + 0.02:
        raise OSError(f"one core: {used:.3f} s in {passed:.3f} s")


class Takes:
    def __init__(self, me):
        pass

    def play(self, board):
        mask = (b"\xff" * 128).ljust(128)
        all_refused(
            many_cores,
            lambda: os.nice(-1),
            lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
            lambda: call("sched_setaffinity", 0, len(mask), id(mask) + 32),
            lambda: os.sched_setaffinity(0, range(os.cpu_count())),
        )
