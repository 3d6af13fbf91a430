"""The ledger: double entry in whole cents, an append-only journal, one hash chain per stream.

Not public; docs/python.md lists what is.
"""
