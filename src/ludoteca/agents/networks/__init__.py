"""Networks: their files, asked for a policy and a value, and the agents that search with them."""
