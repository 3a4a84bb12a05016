"""The commands of the command line: play, run matches, read stored matches, analyse."""
