"""The live table: commands in, facts to the ledger, versioned events out.

Not public; docs/python.md lists what is.
"""
