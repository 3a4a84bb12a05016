"""The page under load, and what a first visit costs."""
