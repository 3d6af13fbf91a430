"""The families page shows this folder: every code block there is part of a file here."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs.examples import blocks

FOLDER = Path(__file__).parent
PAGE = (FOLDER.parents[1] / "docs" / "families.md").read_text(encoding="utf-8")
CODE = [block.body for block in blocks(PAGE)]
SHOWN_CODE = [code for code in CODE if ">>>" not in code and "entry-points" not in code]
FILES = [*FOLDER.glob("*.py"), *FOLDER.glob("*.toml")]


@pytest.mark.parametrize("code", SHOWN_CODE)
def test_shown_code_is_current(code: str) -> None:
    assert any(code in path.read_text(encoding="utf-8") for path in FILES), code


def test_the_page_shows_code() -> None:
    assert len(SHOWN_CODE) >= 10
