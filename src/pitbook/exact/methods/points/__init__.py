"""`points`: a hand declared against the dealer's low or high hand, both counted in points."""
