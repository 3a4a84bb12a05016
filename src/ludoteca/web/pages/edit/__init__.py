"""The page on which a position is set up by hand."""
