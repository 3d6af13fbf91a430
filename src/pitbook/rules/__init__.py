"""Rules of a game: its description and families, and the engine that plays and settles rounds."""
