"""Measurements: speed beside peers, strength, the claims of the seed documents, and the page under load."""
