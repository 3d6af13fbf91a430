"""Charity nights: chips that live one day, games under the state's limits, and a statement.

Not public; docs/python.md lists what is.
"""
