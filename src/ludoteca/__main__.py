"""``python -m ludoteca``: the command line."""

from __future__ import annotations

from ludoteca.cli import main

if __name__ == "__main__":
    main()
