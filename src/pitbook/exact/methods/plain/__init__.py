"""Methods for any game, card by card."""
