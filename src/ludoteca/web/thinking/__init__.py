"""Agents at work for the page: their queue, reviews, the engine's curve, and the list of opponents."""
