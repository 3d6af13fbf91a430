"""The only place with luck.

Not public; docs/python.md lists what is.
"""
