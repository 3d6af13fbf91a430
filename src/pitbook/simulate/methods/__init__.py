"""Ways to play a plan, each with a predicate over the game: the first that fits is taken."""
