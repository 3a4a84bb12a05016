"""Courses: a check of one submission, a tournament of a folder of them, and the site that it leaves."""
