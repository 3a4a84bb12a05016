"""What the seed documents claim about their players, measured; docs/seeds shows the figures."""
