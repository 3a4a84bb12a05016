"""Counts in a thread, also when it is not asked."""

import threading

from attempts import first_free


class Counts:
    def __init__(self, me):
        self.count = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            self.count += 1

    def play(self, board):
        return first_free(board)
