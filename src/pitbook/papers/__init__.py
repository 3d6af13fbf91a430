"""Papers: what a house files, posts and hands out, made from its sheet and from nothing else.

Not public; docs/python.md lists what is.
"""
