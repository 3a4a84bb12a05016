"""Needs a package that is not installed."""
import a_package_that_nobody_has


class SmartPlayer:
    def play(self, board):
        return a_package_that_nobody_has.solve(board)
