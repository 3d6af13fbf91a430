"""Update the command outputs that documents show."""

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
    """A code block: `mark` is the comment above it; start and end are the positions of its body."""

    kind: str
    mark: str | None
    body: str
    start: int
    end: int


def blocks(text: str) -> list[Block]:
    """The code blocks of a Markdown text."""
    return [
        Block(match["kind"], match["mark"], match["body"], *match.span("body"))
        for match in FENCE.finditer(text)
    ]


def refresh_answers(text: str) -> str:
    """The text with every shown answer updated."""
    for block, body in reversed(list(_current_answers(blocks(text)))):
        text = text[: block.start] + body + text[block.end :]
    return text


def _current_answers(code_blocks: list[Block]) -> Iterator[tuple[Block, str]]:
    """Blocks that show an answer, with the current answer.

    - console: a command after a $ and its output; marked "first N", only its first lines
    - marked "whole": the sheet that the blocks marked "step" form together
    - marked "check": the check of the whole sheet
    - after a diff, which makes a mistake in the sheet: the check of that
    - marked "second": another whole sheet, whose check and mistake are marked alike
    """
    whole_sheet = "\n".join(block.body for block in code_blocks if block.mark == "step")
    second_sheet = "".join(block.body for block in code_blocks if block.mark == "second")
    previous = None
    for block in code_blocks:
        if block.kind == "console":
            yield block, transcript(block)
        elif block.mark == "whole":
            yield block, whole_sheet
        elif block.mark == "check":
            yield block, check(whole_sheet)
        elif block.mark == "second check":
            yield block, check(second_sheet, SECOND)
        elif previous is not None and previous.kind == "diff":
            sheet_and_name = (
                (second_sheet, SECOND) if previous.mark == "second mistake" else (whole_sheet, FILE)
            )
            yield block, check(apply_diff(sheet_and_name[0], previous.body), sheet_and_name[1])
        previous = block


def transcript(block: Block) -> str:
    """A console block with the command's current output."""
    command = block.body.splitlines()[0]
    lines = pitbook(*shlex.split(command.removeprefix("$ pitbook "))).splitlines()
    limit = re.fullmatch(r"first (\d+)", block.mark or "")
    if limit:
        lines = [*lines[: int(limit[1])], "..."]
    return "\n".join([command, *lines]) + "\n"


def check(sheet: str, name: str = FILE) -> str:
    """The output of `pitbook sheets check` for a sheet in a file of that name."""
    with TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(sheet, encoding="utf-8")
        return pitbook("sheets", "check", name, folder=folder)


def pitbook(*arguments: str, folder: str | None = None) -> str:
    """A command's output on a terminal of 80 columns without color."""
    output = io.BytesIO()
    stdout = io.TextIOWrapper(output, encoding="utf-8", write_through=True)
    with _terminal(folder or "."), redirect_stdout(stdout), suppress(SystemExit):
        main(arguments)
    return output.getvalue().decode()


@contextmanager
def _terminal(folder: str) -> Iterator[None]:
    """A terminal in that folder, without Pitbook settings in the environment."""
    folder_before, environment = Path.cwd(), dict(os.environ)
    for name in environment:
        if name.startswith("PITBOOK"):
            del os.environ[name]
    os.environ.update({"COLUMNS": "80", "NO_COLOR": "1"})
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(folder_before)
        os.environ.clear()
        os.environ.update(environment)


def apply_diff(text: str, diff: str) -> str:
    """The text with each run of - lines, which occurs once, replaced by the + lines after it."""
    for removed, added in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", diff, re.MULTILINE):
        old_text, new_text = (
            re.sub(r"^[-+]", "", run, flags=re.MULTILINE) for run in (removed, added)
        )
        assert f"\n{text}".count(f"\n{old_text}") == 1, old_text
        text = f"\n{text}".replace(f"\n{old_text}", f"\n{new_text}")[1:]
    return text
