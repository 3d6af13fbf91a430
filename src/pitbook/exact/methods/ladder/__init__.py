"""Games with a player's hand and a board, paid only by a pay table."""
