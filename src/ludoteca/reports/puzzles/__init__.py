"""Puzzles with one proven answer: those that come with the package, and what makes and checks them."""
