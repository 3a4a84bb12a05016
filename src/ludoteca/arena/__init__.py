"""Many matches: series, tournaments, runs and those who play them."""
