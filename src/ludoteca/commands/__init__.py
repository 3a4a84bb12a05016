"""The commands of the arena, a small module for each kind; `cli` hangs them on the command line."""
