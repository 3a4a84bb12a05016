"""Leduc poker for Ludoteca: `betting` and `game` are the rules, `picture` draws them, `odds` is an agent."""
