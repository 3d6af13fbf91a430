"""A hand declared against the dealer's low or high hand, counted in points."""
