"""``ludoteca advise``: advice for a match at a real table."""
