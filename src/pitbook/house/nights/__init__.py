"""Charity nights: one-day chips, games under state limits, and statements.

Not public; docs/python.md lists what is.
"""
