"""One hand against the dealer's: with one decision (pairs) or with a board (boards)."""
