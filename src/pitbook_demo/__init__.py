"""A demonstration: a house with an evening and a charity night behind it, played by script."""
