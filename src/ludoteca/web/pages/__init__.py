"""The pages; each module of one has `register(app_state)`."""
