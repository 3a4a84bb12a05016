"""Agents in subprocesses: the fork server, the wire protocol, and the players that use them."""
