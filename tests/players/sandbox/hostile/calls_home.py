"""Connects to a socket at which an accomplice waits, outside of the sandbox."""

import socket

from attempts import all_refused


def call():
    with socket.socket(socket.AF_UNIX) as made:
        made.connect("\0@ABSTRACT@")


class Calls:
    def __init__(self, me):
        pass

    def play(self, board):
        all_refused(call)
