"""An agent of ours behind the Hex Text Protocol."""
