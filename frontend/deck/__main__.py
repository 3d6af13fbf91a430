"""All faces and the back as one file of symbols, 200 by 280 units each: `card-As`, `card-As-large`.

    python -m deck > src/parts/deck.svg

Ranks are outlines, so that a card needs no font; they are of Besley (OFL-1.1), in `outlines.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from deck.courts import TURNED, half, sash
from deck.inks import INK, PAPER, pip

SUITS, RANKS, COURT = "shdc", "A23456789TJQK", "JQK"
OUTLINES = json.loads((Path(__file__).parent / "outlines.json").read_text(encoding="utf-8"))
SHAPES = {
    "h": "M0 47C-9 31-47 8-47-18C-47-36-34-46-21-46C-10-46-3-39 0-29C3-39 10-46 21-46"
    "C34-46 47-36 47-18C47 8 9 31 0 47Z",
    "d": "M0-50Q14-21 38 0Q14 21 0 50Q-14 21-38 0Q-14-21 0-50Z",
    "s": "M0-50C8-31 46-10 46 15C46 30 35 39 23 39C14 39 7 34 3 27C4 37 8 45 16 50H-16"
    "C-8 45-4 37-3 27C-7 34-14 39-23 39C-35 39-46 30-46 15C-46-10-8-31 0-50Z",
    "c": "M0-48C13-48 22-38 22-26C22-19 19-13 14-9C17-11 21-12 25-12C37-12 47-2 47 11C47 24 37 33 "
    "25 33C16 33 8 28 4 21C5 35 9 44 17 50H-17C-9 44-5 35-4 21C-8 28-16 33-25 33C-37 33-47 24-47 11"
    "C-47-2-37-12-25-12C-21-12-17-11-14-9C-19-13-22-19-22-26C-22-38-13-48 0-48Z",
}
Spots = list[tuple[float, float]]
ENDS: Spots = [(-1, -1), (1, -1), (-1, 1), (1, 1)]
MIDDLE: Spots = [(-1, 0), (1, 0)]
THIRDS: Spots = [(-1, -1 / 3), (1, -1 / 3), (-1, 1 / 3), (1, 1 / 3)]
SPOTS: dict[str, Spots] = {
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": ENDS,
    "5": [*ENDS, (0, 0)],
    "6": [*ENDS, *MIDDLE],
    "7": [*ENDS, *MIDDLE, (0, -0.5)],
    "8": [*ENDS, *MIDDLE, (0, -0.5), (0, 0.5)],
    "9": [*ENDS, *THIRDS, (0, 0)],
    "T": [*ENDS, *THIRDS, (0, -2 / 3), (0, 2 / 3)],
}
SHEET = (
    f'<rect x="1" y="1" width="198" height="278" rx="13" fill="{PAPER}" '
    'stroke="var(--card-border)" stroke-width="2"/>'
)
CLIPS = (
    '<clipPath id="clip-half"><path d="M-60-118H60V-16.08L-60 16.08Z"/></clipPath>'
    '<clipPath id="clip-bust"><rect x="7" y="7" width="186" height="266" rx="9"/></clipPath>'
    '<clipPath id="clip-box"><rect x="-60" y="-118" width="120" height="236" rx="3"/></clipPath>'
    '<clipPath id="clip-rim"><rect x="13" y="13" width="174" height="254" rx="7"/></clipPath>'
)


def drawn() -> Iterator[str]:
    """The file, line by line."""
    yield '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
    yield "<!-- Drawn by frontend/deck; ranks outlined from Besley, OFL-1.1. -->"
    yield f"<defs>{CLIPS}"
    yield from (f'<path id="pip-{suit}" d="{SHAPES[suit]}"/>' for suit in SUITS)
    yield from (half(rank, suit) for rank in COURT for suit in SUITS)
    yield from map(sash, SUITS)
    yield "</defs>"
    for rank in RANKS:
        for suit in SUITS:
            yield _symbol(f"card-{rank}{suit}", _standard(rank, suit))
            yield _symbol(f"card-{rank}{suit}-large", _large(rank, suit))
    yield _symbol("card-back", _back())
    yield "</svg>"


def _symbol(name: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 200 280">{SHEET}{inside}</symbol>'


def _standard(rank: str, suit: str) -> str:
    corner = f'<path d="{OUTLINES["standard"][rank]}"/>{pip(suit, 23, 62, 0.25)}'
    corners = f'{corner}<g transform="rotate(180 100 140)">{corner}</g>'
    body = _court(rank, suit) if rank in COURT else _pips(rank, suit)
    return f'<g fill="var(--suit)">{body}{corners}</g>'


def _pips(rank: str, suit: str) -> str:
    if rank == "A":
        return _great_spade() if suit == "s" else pip(suit, 100, 140, 1.02)
    size = 0.5 if rank in "23" else 0.42
    return "".join(
        pip(suit, 100 + x * 34, round(140 + y * 88, 1), size, turned=y > 0) for x, y in SPOTS[rank]
    )


def _great_spade() -> str:
    """An ace of spades carries the house's ornament."""
    scrolls = (
        "M100 92C108 110 138 127 138 150C138 165 121 167 112 158"
        "M100 92C92 110 62 127 62 150C62 165 79 167 88 158"
    )
    ornament = f'<path d="{scrolls}" fill="none" stroke="{PAPER}" stroke-width="2.2"/>'
    return pip("s", 100, 136, 1.18) + ornament + pip("d", 100, 141, 0.3, more=f' fill="{PAPER}"')


def _court(rank: str, suit: str) -> str:
    frame = '<rect x="-60" y="-118" width="120" height="236" rx="3"'
    side = 43 if TURNED[suit] else -43
    parts = f'<use href="#bust-{rank}{suit}"/><use href="#arm-{rank}{suit}"/>'
    figure = f'<g clip-path="url(#clip-half)">{parts}</g>{pip(suit, side, -97, 0.25)}'
    both = f'<g>{figure}</g><g transform="rotate(180)">{figure}</g><use href="#sash-{suit}"/>'
    ground = f'{frame} fill="var(--court-background)"/>'
    edge = f'{frame} fill="none" stroke="{INK}" stroke-width="2"/>'
    return f'<g transform="translate(100 140)">{ground}{both}{edge}</g>'


def _large(rank: str, suit: str) -> str:
    """Rank and suit above, one large figure below: for small screens and tired eyes."""
    index = f'<path d="{OUTLINES["large"][rank]}"/>'
    if rank in COURT:
        figure = (
            f'<g transform="translate(126 292) scale(1.56)"><use href="#bust-{rank}{suit}"/></g>'
        )
        body = f'<g clip-path="url(#clip-bust)">{figure}</g>'
        return f'<g fill="var(--suit)">{body}{index}{pip(suit, 42, 126, 0.5)}</g>'
    return f'<g fill="var(--suit)">{pip(suit, 122, 196, 1.18)}{index}{pip(suit, 42, 130, 0.56)}</g>'


def _back() -> str:
    """A river chart of contour lines round the house's mark."""
    ink, ground = "var(--card-back-line)", "var(--card-back)"
    contours = "".join(map(_contour, range(13)))
    frame = '<rect x="13" y="13" width="174" height="254" rx="7" fill="none"'
    diamond = "M100 108L124 140L100 172L76 140Z"
    mark = f'<path d="{diamond}" fill="{ground}" stroke="{ink}" stroke-width="3"/>'
    letter = f'<path d="{OUTLINES["mark"]}" fill="{ink}"/>'
    return (
        f'<g clip-path="url(#clip-rim)"><rect width="200" height="280" fill="{ground}"/>'
        f'<g fill="none" stroke="{ink}" stroke-width="1.7">{contours}</g>{mark}{letter}</g>'
        f'{frame} stroke="{ground}" stroke-width="2"/>'
        f'<rect x="18" y="18" width="164" height="244" rx="4" fill="none" '
        f'stroke="{ink}" stroke-width="1.6"/>'
    )


def _contour(number: int) -> str:
    out = 16 + number * 13.5
    up, side = out * 1.06, out * 0.78
    path = f"M100 {140 - up:.1f}L{100 + side:.1f} 140L100 {140 + up:.1f}L{100 - side:.1f} 140Z"
    return f'<path d="{path}"' + (' stroke-width="3.4"/>' if number % 3 == 0 else "/>")


if __name__ == "__main__":
    sys.stdout.write("\n".join(drawn()) + "\n")
