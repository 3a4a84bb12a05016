"""How fast the parts are, most of them side by side with peers."""
