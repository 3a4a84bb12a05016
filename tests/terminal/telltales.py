"""An agent that would give its hidden hand away."""

from __future__ import annotations

from ludoteca.protocols import Decision, Game, Limit, Seat, View


class Telltale:
    """Plays the first legal action and tells its hand by all means."""

    def __init__(self, game: Game, seat: Seat, seed: int) -> None:
        self.game = game

    def act(self, view: View, limit: Limit) -> Decision:
        hand = " ".join(map(str, view.hand))  # type: ignore[attr-defined]  # of both games of hidden cards
        print("MYHAND", hand, flush=True)
        action = view.legal()[0]
        return Decision(
            action, value=0.4242, scores={action: 0.4242}, line=(action, action, action), note=f"MYHAND {hand}"
        )
