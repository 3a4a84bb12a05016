"""The end of a league: its final, the grades, and an archive that replays years later."""
