"""Networks that visitors train in the page: one process at a time, a queue, and what is kept of them."""
