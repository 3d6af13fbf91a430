"""Who somebody is: one person, one name on record, whether or not there is an account.

Not public; docs/python.md lists what is.
"""
