"""OpenSpiel both ways: its games and players here, and our games there."""
