"""Commands that play many matches: match, tournament, and the openings they start from."""
