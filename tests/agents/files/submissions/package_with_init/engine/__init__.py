from .brain import Brain

DEPTH = 2
