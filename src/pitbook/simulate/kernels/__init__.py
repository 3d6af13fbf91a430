"""The loops that play rounds, in machine code; all that they read is arrays and whole numbers."""
