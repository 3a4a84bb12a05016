"""Horses."""
