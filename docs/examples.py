"""What documents show of Pitbook's answers, written anew from what it answers."""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pitbook.cli import main

FILE, SECOND = "three-rivers-stud.toml", "harbour-three.toml"
FENCE = re.compile(
    r"(?:<!-- (?P<mark>[\w ]+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```\n", re.DOTALL
)


class Block(NamedTuple):
    """A code block: `mark` is the comment above it; start and end are its body's."""

    kind: str
    mark: str | None
    body: str
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    """The code blocks of a Markdown text."""
    return [
        Block(one["kind"], one["mark"], one["body"], *one.span("body"))
        for one in FENCE.finditer(text)
    ]


def refreshed(text: str) -> str:
    """The text with every answer that it shows as the answer is now."""
    for block, body in reversed(list(_answers(blocks(text)))):
        text = text[: block.start] + body + text[block.end :]
    return text


def _answers(found: list[Block]) -> Iterator[tuple[Block, str]]:
    """Blocks that show an answer, with the answer.

    - console: a command behind a $ and what it prints; marked "first N", only so many lines
    - marked "whole": the sheet that the blocks marked "step" make together
    - marked "check": what the check says of the whole sheet
    - after a diff, which is a mistake in the sheet: what the check says of that
    - marked "second": another whole sheet, whose check and mistake are marked so as well
    """
    whole = "\n".join(one.body for one in found if one.mark == "step")
    second = "".join(one.body for one in found if one.mark == "second")
    before = None
    for block in found:
        if block.kind == "console":
            yield block, transcript(block)
        elif block.mark == "whole":
            yield block, whole
        elif block.mark == "check":
            yield block, check(whole)
        elif block.mark == "second check":
            yield block, check(second, SECOND)
        elif before is not None and before.kind == "diff":
            of = (second, SECOND) if before.mark == "second mistake" else (whole, FILE)
            yield block, check(patched(of[0], before.body), of[1])
        before = block


def transcript(block: Block) -> str:
    """A console block as it is when its command runs now."""
    command = block.body.splitlines()[0]
    lines = pitbook(*shlex.split(command.removeprefix("$ pitbook "))).splitlines()
    shown = re.fullmatch(r"first (\d+)", block.mark or "")
    if shown:
        lines = [*lines[: int(shown[1])], "..."]
    return "\n".join([command, *lines]) + "\n"


def check(sheet: str, name: str = FILE) -> str:
    """What `pitbook sheets check` says of a sheet in a file of that name."""
    with TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(sheet, encoding="utf-8")
        return pitbook("sheets", "check", name, folder=folder)


def pitbook(*arguments: str, folder: str | None = None) -> str:
    """What a command prints on a terminal of 80 columns without colour."""
    told = io.BytesIO()
    out = io.TextIOWrapper(told, encoding="utf-8", write_through=True)
    with _terminal(folder or "."), redirect_stdout(out), suppress(SystemExit):
        main(arguments)
    return told.getvalue().decode()


@contextmanager
def _terminal(folder: str) -> Iterator[None]:
    """A terminal in that folder, of a user who has named no house and no sheets."""
    here, kept = Path.cwd(), dict(os.environ)
    for name in kept:
        if name.startswith("PITBOOK"):
            del os.environ[name]
    os.environ.update({"COLUMNS": "80", "NO_COLOR": "1"})
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        os.environ.clear()
        os.environ.update(kept)


def patched(text: str, diff: str) -> str:
    """The text with each run of - lines, which it has once, replaced by the + lines after it."""
    for taken, given in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", diff, re.MULTILINE):
        before, after = (re.sub(r"^[-+]", "", run, flags=re.MULTILINE) for run in (taken, given))
        assert f"\n{text}".count(f"\n{before}") == 1, before
        text = f"\n{text}".replace(f"\n{before}", f"\n{after}")[1:]
    return text
