"""The school's books: what each dealer was asked and answered, tests, results and certificates.

Not public; docs/python.md lists what is.
"""
