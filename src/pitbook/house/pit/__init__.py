"""The pit: disabled games and players, reports, and the floor view."""
