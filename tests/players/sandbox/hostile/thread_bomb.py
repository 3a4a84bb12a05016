"""The same with threads."""

import threading
import time


class Bomb:
    def __init__(self, me):
        pass

    def play(self, board):
        for _ in range(200):
            threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
        raise RuntimeError("ESCAPED: it started two hundred threads")
