"""The agents that play Horses."""
