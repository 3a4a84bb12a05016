"""Benches of the league."""
