"""Puzzles: positions whose one right answer is proven."""
