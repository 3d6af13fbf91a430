"""A player's session: a bankroll, a pace, an end, and what becomes of the money."""
