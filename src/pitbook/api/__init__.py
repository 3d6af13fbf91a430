"""What `import pitbook` offers: the commands' answers as values, under the commands' sentences.

The public names are those of `pitbook.__all__`; docs/python.md tells what they do. The modules
here, and all other modules of the package, may change tomorrow.
"""
