"""``python -m bench [NAME …]``: the comparisons of speed with peers, all or those named, as one table."""

from __future__ import annotations

import importlib
import sys

from bench.measure import markdown

BENCHES = ["games", "adapters", "mcts", "arena", "ratings"]

if __name__ == "__main__":
    chosen = sys.argv[1:] or BENCHES
    for unknown in set(chosen) - set(BENCHES):
        raise SystemExit(f"no bench is called {unknown!r}; there are {', '.join(BENCHES)}")
    print(markdown([row for name in chosen for row in importlib.import_module(f"bench.speed.{name}").rows()]))
