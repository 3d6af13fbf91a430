"""The HTTP server: access control, settings, rate limits, and routes that belong to no slice.

Not public; docs/python.md lists what is.
"""
