"""Exact figures: house edge, best play, advice and strategies, in integers and fractions.

Not public: docs/python.md lists the public functions.
"""
