"""One match from its first action to its stored record."""
