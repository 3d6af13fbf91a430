"""The functions of `import pitbook`: each returns the result of a command as a value.

Not public: import these names from `pitbook`. docs/python.md lists them.
"""
