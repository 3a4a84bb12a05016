"""The agents that play Hex."""
