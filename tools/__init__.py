"""What keeps the source in order; nothing of it is installed."""
