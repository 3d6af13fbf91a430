"""The house on the network: who asks is known, what they may is listed, the rest is refused.

Not public; docs/python.md lists what is.
"""
