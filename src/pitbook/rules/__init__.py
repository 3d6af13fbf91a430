"""Games and rounds: actions, legal plays, payouts and limits. Not public API."""
