"""What train.py has learnt, as an agent: `ppo_player.PPO` in the folder that holds this file and kittens_ppo.zip."""

from functools import cache

import numpy as np


@cache
def load(model):
    """The network lives for all matches, unlike an agent; PyTorch is read in only where it plays."""
    from sb3_contrib import MaskablePPO

    return MaskablePPO.load(model, device="cpu")


class PPO:
    """Plays the action that the policy thinks best."""

    games = frozenset({"kittens"})

    def __init__(self, game, seat, seed, model: str = "kittens_ppo.zip"):
        self.model = load(model)

    def act(self, view, limit):
        """The likeliest legal action."""
        mask = np.zeros(view.game.num_actions, bool)
        mask[view.legal()] = True
        action, _ = self.model.predict(view.tensor(), action_masks=mask, deterministic=True)
        return int(action)
