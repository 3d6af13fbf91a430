"""Shuffles, deals and proofs: the only place with randomness.

Not public; docs/python.md lists the public names.
"""
