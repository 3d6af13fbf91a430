"""The page on families shows this folder: every piece of code there is a piece of a file here."""

from __future__ import annotations

from pathlib import Path

import pytest
from docs.examples import blocks

FOLDER = Path(__file__).parent
PAGE = (FOLDER.parents[1] / "docs" / "families.md").read_text(encoding="utf-8")
CODE = [one.body for one in blocks(PAGE)]
SHOWN = [one for one in CODE if ">>>" not in one and "entry-points" not in one]
FILES = [*FOLDER.glob("*.py"), *FOLDER.glob("*.toml")]


@pytest.mark.parametrize("shown", SHOWN)
def test_it_is_shown_as_it_is(shown: str) -> None:
    assert any(shown in path.read_text(encoding="utf-8") for path in FILES), shown


def test_something_is_shown() -> None:
    assert len(SHOWN) >= 10
