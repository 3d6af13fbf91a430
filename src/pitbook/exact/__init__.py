"""Exact figures: showdowns counted as integers, priced by the same rules as the table."""
