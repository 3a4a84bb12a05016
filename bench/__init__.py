"""Speed, measured side by side with peers in one run and printed as ratios; ``make bench`` runs it all."""
