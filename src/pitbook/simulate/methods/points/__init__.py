"""One declaration, then points against a dealer's two hands."""
