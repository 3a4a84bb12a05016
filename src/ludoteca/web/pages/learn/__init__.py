"""The pages that explain games and agents."""
