"""Commands that read stored matches: show, export, replay, review, convert."""
