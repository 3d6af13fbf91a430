"""Compiled games change only on purpose."""

from __future__ import annotations

from tests.rules.families.compiled_games import GOLDEN, describe_games


def test_every_bundled_sheet_compiles_to_its_golden_game() -> None:
    """To accept a change: `python -m tests.rules.families.compiled_games`, then review the diff."""
    assert describe_games().splitlines() == GOLDEN.read_text(encoding="utf-8").splitlines()
