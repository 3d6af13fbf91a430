"""What a stream of the ledger says, as types: facts, and how they are written and read.

Not public; docs/python.md lists what is.
"""
