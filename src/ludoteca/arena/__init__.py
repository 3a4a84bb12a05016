"""Matches between agents, and what is learnt from them."""

from ludoteca.arena.match import Match, agent_seed, play_out

__all__ = ["Match", "agent_seed", "play_out"]
