"""A demonstration: a scripted house with an evening and a charity night behind it."""
