"""Matches on the page: who sits at them, what each tab may show, and how they are saved."""
