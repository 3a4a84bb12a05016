"""An agent in a seat, wherever it lives: in this process or in a child, behind one promise."""
