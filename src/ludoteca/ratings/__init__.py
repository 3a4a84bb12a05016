"""How strong agents are: pure functions of results."""
