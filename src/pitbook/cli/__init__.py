"""The command line: reads what was asked, answers, and says no in one sentence.

Not public; docs/python.md lists what is.
"""

from pitbook.cli.app import main

__all__ = ["main"]
