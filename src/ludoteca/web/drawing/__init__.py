"""What is drawn on pages: boards to click on, charts and curves."""
