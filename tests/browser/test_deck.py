"""The deck that the page ships is the one that our own drawing gives."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.browser.built import FRONTEND

DRAWN = FRONTEND / "src" / "parts" / "deck.svg"


def test_the_deck_is_as_it_is_drawn() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "deck"], cwd=FRONTEND, capture_output=True, check=True
    )
    assert ran.stdout.decode() == DRAWN.read_text(encoding="utf-8"), (
        "draw it anew: cd frontend && python -m deck > src/parts/deck.svg"
    )


def test_every_card_has_both_faces_and_every_part_is_there() -> None:
    text = DRAWN.read_text(encoding="utf-8")
    ids = set(re.findall(r'id="([^"]+)"', text))
    cards = {f"card-{rank}{suit}" for rank in "A23456789TJQK" for suit in "shdc"}
    assert ids >= cards | {f"{card}-large" for card in cards} | {"card-back"}
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert used <= ids
