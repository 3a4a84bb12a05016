"""Agents at work for the page: the queue they wait in, reviews, the engine's curve, the list of opponents."""
