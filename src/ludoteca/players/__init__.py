"""Players: agents in seats, in this process, in a subprocess or in a sandbox, behind one interface."""
