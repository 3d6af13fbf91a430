"""`ladder`: own cards and a board, paid by a pay table alone; solved class by class of cards."""
