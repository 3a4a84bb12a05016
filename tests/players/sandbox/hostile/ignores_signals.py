"""Ignores every signal that can be ignored, and every exception."""

import contextlib
import signal
import time


class Stays:
    def __init__(self, me):
        for number in signal.valid_signals():
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN)

    def play(self, board):
        while True:
            with contextlib.suppress(BaseException):
                time.sleep(1000)
