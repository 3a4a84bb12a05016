"""The static site that a course's tournament leaves."""
