"""Where Ludoteca keeps what it keeps between two starts."""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """The folder, by the XDG convention; it need not exist."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "ludoteca"
