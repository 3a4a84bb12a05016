"""Teaches sb3-contrib's MaskablePPO to play Kittens: python train.py [STEPS], which leaves kittens_ppo.zip here."""

import sys

import gymnasium
from sb3_contrib import MaskablePPO

import ludoteca.adapters.gymnasium  # noqa: F401  registers the environments

env = gymnasium.make("ludoteca/Kittens-v0", opponent="random")
model = MaskablePPO("MlpPolicy", env, n_steps=256, seed=1, device="cpu")
model.learn(int(sys.argv[1]) if sys.argv[1:] else 100_000)
model.save("kittens_ppo")
