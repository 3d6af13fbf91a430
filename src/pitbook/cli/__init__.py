"""The command line: parses arguments, prints answers, and reports errors in one sentence."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from types import ModuleType


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 success, 1 a finding or a refusal, 2 misuse."""
    gc.set_threshold(200_000, 20, 50)  # Imported modules are never garbage.
    _skip_pydantic_plugins()
    from pitbook.cli.app import main as run  # noqa: PLC0415  Once imports are cheap.

    run(arguments)


def _skip_pydantic_plugins() -> None:
    """Start without Pydantic's plugins: to find that there are none takes 20 ms.

    Even with plugins disabled, their loader imports importlib.metadata and the email package.
    """
    if os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1") == "1":
        loader = ModuleType("pydantic.plugin._loader")
        vars(loader)["get_plugins"] = tuple
        sys.modules.setdefault(loader.__name__, loader)
