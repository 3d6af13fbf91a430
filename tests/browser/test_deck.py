"""The shipped deck of cards is the output of its generator."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.browser.page_build import FRONTEND

DECK_FILE = FRONTEND / "src" / "parts" / "deck.svg"


def test_deck_file_matches_its_generator() -> None:
    completed = subprocess.run(
        [sys.executable, "-m", "deck"], cwd=FRONTEND, capture_output=True, check=True
    )
    assert completed.stdout.decode() == DECK_FILE.read_text(encoding="utf-8"), (
        "draw it anew: cd frontend && python -m deck > src/parts/deck.svg"
    )


def test_every_card_and_part_is_defined() -> None:
    text = DECK_FILE.read_text(encoding="utf-8")
    ids = set(re.findall(r'id="([^"]+)"', text))
    cards = {f"card-{rank}{suit}" for rank in "A23456789TJQK" for suit in "shdc"}
    assert ids >= cards | {f"{card}-large" for card in cards} | {"card-back"}
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert used <= ids
