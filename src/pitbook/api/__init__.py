"""What `import pitbook` offers: the commands' answers as values, under the commands' sentences.

Not public under this name: `pitbook.__all__` has the public ones, docs/python.md lists them.
"""
