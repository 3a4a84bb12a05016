"""Kills parts of a running tournament, course and page at random moments, and compares with undisturbed runs."""
