"""Names, accounts, sign-in, sessions, exclusions and players' own limits.

Not public; docs/python.md lists what is.

"""
