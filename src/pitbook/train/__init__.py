"""Learning to play and to deal: the coach weighs every choice exactly, and drills repeat it.

Not public; docs/python.md lists what is.
"""
