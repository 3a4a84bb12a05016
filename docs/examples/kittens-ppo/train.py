"""Teaches sb3-contrib's MaskablePPO to play Kittens: python train.py [STEPS], which leaves kittens_ppo.zip here.

Every 2,048 steps it prints how far it is, and the mean reward (ep_rew_mean) of the last hundred matches.
"""

import sys

import gymnasium
from sb3_contrib import MaskablePPO

import ludoteca.adapters.gymnasium  # noqa: F401  registers the environments

env = gymnasium.make("ludoteca/Kittens-v0", opponent="random")
model = MaskablePPO("MlpPolicy", env, n_steps=256, seed=1, device="cpu", verbose=1)
model.learn(int(sys.argv[1]) if sys.argv[1:] else 100_000, log_interval=8)
model.save("kittens_ppo")
