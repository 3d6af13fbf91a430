"""One description of a game, and what every game needs beside it: plays, pays, limits, settlement.

Not public; docs/python.md lists what is.
"""
