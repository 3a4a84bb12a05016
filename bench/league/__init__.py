"""The league: its page under load, its matches, its memory."""
