"""Agents for reviews."""

from __future__ import annotations

import zlib

from ludoteca import Decision, Game, Limit, View


class Watcher:
    """Plays the first legal action; its note is the view that it was shown."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        pass

    def act(self, view: View, limit: Limit) -> Decision:
        return Decision(view.legal()[0], value=0.0, note=f"{view.seat} {zlib.crc32(bytes(view))}")


class Doubter:
    """Plays the last legal action and is always a little ahead; its note is how many nodes it was given."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        pass

    def act(self, view: View, limit: Limit) -> Decision:
        return Decision(view.legal()[-1], value=0.25, note=str(limit.nodes))


class Stubborn:
    """Always plays action 0, legal or not."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        pass

    def act(self, view: View, limit: Limit) -> int:
        return 0
