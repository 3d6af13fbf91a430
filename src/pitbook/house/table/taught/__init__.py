"""How a game is taught: a round for example, and what is said beside it. Not public."""
