"""The pages, one file each; each has `register(house)`."""
