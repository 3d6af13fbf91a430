"""A hand against a dealer's: decisions looked up or counted, then both hands compared."""
