"""The round: frozen states, actions in, settlements out. It knows no game, no clock and no luck.

Not public; docs/python.md lists what is.
"""
