"""The answers that docs/ledger.md shows, from an evening that is made for it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from docs.examples import Block, blocks, pitbook

FILE = Path(__file__).parent / "ledger.md"
# What is another one each time, and no reason to write the page anew.
_OTHER = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT[\d:.]+\+00:00)|(?P<hour>\b\d\d:\d\d:\d\d\b)"
    r"|(?P<hash>\b[0-9a-f]{16,}\b)|(?P<version>pitbook \d+\.[\w.]+)"
)


def ledger() -> str:
    """The page with its answers as they are now; as it is, where only hours and hashes differ."""
    text = FILE.read_text(encoding="utf-8")
    made = text
    with TemporaryDirectory() as folder:
        answers = [(one, _answer(one, folder)) for one in blocks(text) if one.kind == "console"]
    for block, answer in reversed(answers):
        made = made[: block.start] + answer + made[block.end :]
    return text if _masked(text) == _masked(made) else made


def _answer(block: Block, folder: str) -> str:
    """A command and what it prints, in the folder of all commands before it."""
    command = block.body.splitlines()[0]
    lines = pitbook(*shlex.split(command.removeprefix("$ pitbook ")), folder=folder).splitlines()
    copy(Path(folder, "pitbook-data", "checkpoints.jsonl"), Path(folder, "copy.jsonl"))
    if shown := re.fullmatch(r"first (\d+)", block.mark or ""):
        lines = [*lines[: int(shown[1])], "..."]
    return "\n".join([command, *lines]) + "\n"


def _masked(text: str) -> str:
    return _OTHER.sub(lambda found: f"<{found.lastgroup}>", text)
