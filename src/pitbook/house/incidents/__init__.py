"""The incident log."""
