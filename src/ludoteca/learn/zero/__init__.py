"""Training by self-play (Gumbel AlphaZero): ludoteca train zero."""
