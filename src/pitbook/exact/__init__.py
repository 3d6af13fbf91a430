"""Exact figures: showdowns counted as integers, priced by the same rules as the table.

Not public; docs/python.md lists what is.
"""
