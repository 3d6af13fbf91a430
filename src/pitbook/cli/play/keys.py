"""Answers at the table: single keys on a terminal, lines from anywhere else."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from pitbook.cli.play.terminal_table import GoHome, KeySource

CTRL_C, CTRL_D = "\x03", "\x04"


def keyboard(out: Console) -> KeySource:
    """The keyboard where there is one, else standard input line by line."""
    return _Terminal(out) if sys.stdin.isatty() and out.is_terminal else _Lines(out)


class _Lines:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        text = sys.stdin.readline()
        if not text:
            raise GoHome
        self.out.print(text.rstrip("\n"))
        return text.strip()

    def key(self, prompt: str) -> str:
        return self.line(prompt)[:1].lower()


class _Terminal:
    def __init__(self, out: Console) -> None:
        self.out = out

    def line(self, prompt: str) -> str:
        try:
            return input(prompt)
        except EOFError:
            raise GoHome from None

    def key(self, prompt: str) -> str:
        self.out.print(prompt, end="")
        sys.stdout.flush()
        pressed = typer.getchar()
        if pressed in (CTRL_C, CTRL_D):
            raise GoHome
        shown = "" if pressed in "\r\n" else pressed
        self.out.print(shown)
        return shown[:1].lower()
