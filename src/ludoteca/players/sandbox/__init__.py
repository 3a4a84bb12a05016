"""The third kind of player: a child that can do nothing but think. See docs/sandbox.md."""
