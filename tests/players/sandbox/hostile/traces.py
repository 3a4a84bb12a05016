"""Attaches to its parent and to process 1, and looks for a process that it can signal."""

import os

from attempts import all_refused, call

SEIZE, ATTACH = 0x4206, 16
REFEREE = int("@PID@")


class Traces:
    def __init__(self, me):
        pass

    def play(self, board):
        def attach(how, process):
            return lambda: call("ptrace", how, process, 0, 0)

        def end(process):
            return lambda: os.kill(process, 0)  # asks only whether it could, for where it can

        all_refused(
            *(attach(how, process) for how in (SEIZE, ATTACH) for process in (1, 2, os.getppid(), REFEREE)),
            lambda: call("process_vm_readv", 1, 0, 0, 0, 0, 0),
            lambda: call("pidfd_open", REFEREE, 0),
            end(-1),
            end(2),
            end(REFEREE),
            lambda: call("ptrace", ATTACH, 1, 0, 0),
        )
