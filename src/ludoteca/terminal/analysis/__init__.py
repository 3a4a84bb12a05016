"""``ludoteca analyze`` and ``ludoteca solve``."""
