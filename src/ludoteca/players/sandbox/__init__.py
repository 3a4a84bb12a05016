"""Confines a process so that it can compute and nothing else. See docs/sandbox.md."""
