"""Positions set up by hand, one file per kind of game."""
