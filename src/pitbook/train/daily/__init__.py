"""The daily deal: the same ten hands for everybody of a house, one try each. Not public."""
