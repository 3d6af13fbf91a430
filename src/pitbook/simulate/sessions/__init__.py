"""Player sessions: a bankroll, a pace, an end, and the distribution of results."""
