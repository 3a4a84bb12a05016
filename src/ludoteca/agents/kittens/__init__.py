"""The agents that play Kittens."""
