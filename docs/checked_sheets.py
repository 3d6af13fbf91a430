"""checked.json: hashes of the bundled files that passed every check, which need no second one."""

from __future__ import annotations

import json

from pitbook.sheets.library import BUNDLED, file_hash
from pitbook.sheets.load import load


def checked_sheets() -> str:
    """The text of checked.json; raises SheetInvalid if a bundled sheet has errors."""
    hashes = {}
    for path in sorted(BUNDLED.rglob("*.toml")):
        load(path)
        hashes[path.relative_to(BUNDLED).as_posix()] = file_hash(path)
    return json.dumps(hashes, indent=1) + "\n"
