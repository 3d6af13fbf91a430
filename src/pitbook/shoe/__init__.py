"""The only place with luck."""
