"""The command line: parses arguments, prints answers, and reports errors in one sentence."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 success, 1 a finding or a refusal, 2 misuse."""
    gc.set_threshold(200_000, 20, 50)  # Imported modules are never garbage.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")  # The search for them takes 10 ms.
    from pitbook.cli.app import main as run  # noqa: PLC0415  Once imports are cheap.

    run(arguments)
