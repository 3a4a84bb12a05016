"""The agents that play Dominoes."""
