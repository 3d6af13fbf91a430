"""One simulated round: its luck, its cards, its plays, and the same round again."""
