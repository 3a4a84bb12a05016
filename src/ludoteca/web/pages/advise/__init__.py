"""The page that follows a match at a real table and gives advice."""
