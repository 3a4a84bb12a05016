"""The command line's commands: playing in a terminal, running the arena, reading what was played."""
