"""A night as people read it: on a screen, on a slip and on paper."""
