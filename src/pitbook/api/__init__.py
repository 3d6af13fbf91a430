"""The functions of `import pitbook`: every command's answer as a value.

Not public: import these names from `pitbook`. docs/python.md lists them.
"""
