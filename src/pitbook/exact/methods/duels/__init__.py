"""What methods for a hand against a dealer's have in common: strengths, prices, what is kept."""
