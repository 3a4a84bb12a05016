"""The pages on which matches and runs are watched."""
