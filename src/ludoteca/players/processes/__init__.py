"""Agents in processes of their own: the fork server, the wire, and the players at its other end."""
