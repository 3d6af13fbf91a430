"""Rule sheets: a casino's pages as data, with a clause beside every line.

Not public; docs/python.md lists what is.
"""
