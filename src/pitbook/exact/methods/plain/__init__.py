"""Any game, card by card."""
