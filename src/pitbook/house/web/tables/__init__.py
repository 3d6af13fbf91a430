"""Tables and nights as a server holds them for the people who ask."""
