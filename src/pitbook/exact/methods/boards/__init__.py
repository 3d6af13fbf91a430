"""Two hole cards against a dealer's two, and five cards that both hands share."""
