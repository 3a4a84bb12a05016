"""Kittens."""
