"""Which versions of different students share code: a hint for a person, never a verdict."""
