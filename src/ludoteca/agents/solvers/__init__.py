"""Solvers: what proves the value of a position, and of all starts of a game."""
