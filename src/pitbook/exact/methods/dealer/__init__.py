"""One hand against the dealer's: with one decision (pairs), or on a board (boards)."""
