"""What a sheet compiles to changes only where somebody means it."""

from __future__ import annotations

from tests.rules.families.described import GOLDEN, described


def test_every_bundled_sheet_compiles_to_the_game_that_is_on_record() -> None:
    """To accept a change, run `python -m tests.rules.families.described`; read the diff."""
    assert described().splitlines() == GOLDEN.read_text(encoding="utf-8").splitlines()
