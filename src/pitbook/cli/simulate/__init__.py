"""`pitbook simulate` and `pitbook session`: play at scale, and a bankroll's odds."""
