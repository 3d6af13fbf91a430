"""Papers: the documents that a casino files, posts and hands out, built from its rule sheet.

Not public; docs/python.md lists what is.
"""
