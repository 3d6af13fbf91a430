"""Own cards and a board, paid by a pay table alone."""
