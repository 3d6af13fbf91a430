"""Live tables of a night: games of chance, and tournaments dealt at tables."""
