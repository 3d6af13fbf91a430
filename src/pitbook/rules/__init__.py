"""The rules of a game: its description, its families, its rounds and their settlement."""
