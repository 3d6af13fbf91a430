"""The dealer's school: questions made from a sheet, answered by the engine, explained by clauses.

Not public; docs/python.md lists what is.
"""
