"""A rule sheet in words."""
