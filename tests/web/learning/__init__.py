"""Tests of networks that visitors train."""
