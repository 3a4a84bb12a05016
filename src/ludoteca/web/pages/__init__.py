"""The pages, one file each; each has `register(app_state)`."""
