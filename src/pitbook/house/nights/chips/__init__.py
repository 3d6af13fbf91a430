"""Chips and money of a night: the counter, the figures, the closing statement."""
