"""Files of sheets as a person names them."""

from __future__ import annotations

from pathlib import Path

from pitbook.sheets.library import BUNDLED


def label(path: Path) -> str:
    """A bundled sheet's file from its venue on; any other as it was given."""
    return path.relative_to(BUNDLED).as_posix() if path.is_relative_to(BUNDLED) else str(path)
