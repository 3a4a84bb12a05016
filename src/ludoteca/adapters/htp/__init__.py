"""The Hex Text Protocol: any agent as an HTP engine."""
