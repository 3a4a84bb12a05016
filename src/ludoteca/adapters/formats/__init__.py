"""The formats in which matches are read and written."""
