"""Training for games with hidden hands by magnetic mirror descent: ludoteca train mmd."""
