"""The process that plays a league: whom it pairs, what it plays and checks, and what it measures."""
