"""The command line: parses arguments, prints answers, and reports errors in one sentence.

Not public; docs/python.md lists the public names.
"""

from pitbook.cli.app import main

__all__ = ["main"]
