"""The rules of the game: the page that a regulator signs, in the outline of a state's code."""
