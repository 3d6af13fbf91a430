"""Ways to work a game out exactly, each with a predicate: the first that fits is taken."""
