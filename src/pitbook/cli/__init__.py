"""The command line: reads what was asked, answers, and says no in one sentence."""

from pitbook.cli.app import main

__all__ = ["main"]
