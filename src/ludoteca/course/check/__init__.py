"""The check of one submission: whether it loads, moves legally and in time, and how strong it is."""
