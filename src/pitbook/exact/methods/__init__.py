"""Methods for exact figures, one for each structure of game."""
