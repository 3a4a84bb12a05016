"""The pages on which a finished match is replayed and reviewed."""
