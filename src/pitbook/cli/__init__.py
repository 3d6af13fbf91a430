"""The command line: parses arguments, prints answers, and reports errors in one sentence."""

from pitbook.cli.app import main as main
