"""Ways to work out a game, each for a structure that it says itself; `chosen` takes the first."""
