"""Rule sheets: a casino's rules as data, with a clause for every rule.

Not public; docs/python.md lists the public API.
"""
