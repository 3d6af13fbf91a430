"""The answers in docs/ledger.md, from an example event."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

from docs.examples import Block, blocks, pitbook

FILE = Path(__file__).parent / "ledger.md"
# Text that differs each time and does not justify an update.
_CHANGING = re.compile(
    r"(?P<time>\d{4}-\d\d-\d\dT[\d:.]+\+00:00)|(?P<hour>\b\d\d:\d\d:\d\d\b)"
    r"|(?P<hash>\b[0-9a-f]{16,}\b)|(?P<version>pitbook \d+\.[\w.]+)"
)


def ledger() -> str:
    """The page with current answers; unchanged if only times and hashes differ."""
    text = FILE.read_text(encoding="utf-8")
    updated = text
    with TemporaryDirectory() as folder:
        answers = [
            (block, _answer(block, folder)) for block in blocks(text) if block.kind == "console"
        ]
    for block, current_answer in reversed(answers):
        updated = updated[: block.start] + current_answer + updated[block.end :]
    return text if _mask_changing_text(text) == _mask_changing_text(updated) else updated


def _answer(block: Block, folder: str) -> str:
    """A command and its output, in the folder shared by all commands."""
    command = block.body.splitlines()[0]
    lines = pitbook(*shlex.split(command.removeprefix("$ pitbook ")), folder=folder).splitlines()
    copy(Path(folder, "pitbook-data", "checkpoints.jsonl"), Path(folder, "copy.jsonl"))
    if limit := re.fullmatch(r"first (\d+)", block.mark or ""):
        lines = [*lines[: int(limit[1])], "..."]
    return "\n".join([command, *lines]) + "\n"


def _mask_changing_text(text: str) -> str:
    return _CHANGING.sub(lambda match: f"<{match.lastgroup}>", text)
