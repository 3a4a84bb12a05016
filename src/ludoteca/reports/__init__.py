"""How results look: standings, tables, plots."""
