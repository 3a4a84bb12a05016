"""The same with threads."""

import threading
import time


class Bomb:
    def __init__(self, me):
        pass

    def play(self, board):
        while True:
            threading.Thread(target=time.sleep, args=[1000], daemon=True).start()
