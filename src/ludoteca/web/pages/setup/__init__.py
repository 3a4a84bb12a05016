"""The page on which a match is set up."""
