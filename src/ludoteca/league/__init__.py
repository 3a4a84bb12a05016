"""A class's leaderboard that never sleeps: versions are handed in at any time, and the league plays on.

Students hand in versions; each is checked, stored and rated. `matchmaking` chooses who meets whom, `scheduler` plays it
for ever, `leaderboard` rates it, and everything is one file of `database`.
"""
