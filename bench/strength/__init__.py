"""How strong agents are: pairs of matches, ladders, crosstables, and whether the intervals hold what they say."""
