"""How strong and how fast the engine of each game is; docs/agents/engine-*.md show the figures."""
