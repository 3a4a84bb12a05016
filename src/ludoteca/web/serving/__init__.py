"""The web server: what it lets in, how it starts, and how it stays quick."""
