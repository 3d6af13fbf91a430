"""What the deck is drawn with: each color is a token of the page's."""

from __future__ import annotations

INK = "var(--court-ink)"
GOLD = "var(--court-gold)"
PAPER = "var(--card-face)"
SKIN = "var(--court-skin)"
ROBE = "var(--robe)"
ROBE_ACCENT = "var(--robe-accent)"
LIP = "#b5402f"
PEN = f'stroke="{INK}" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"'


def fine(width: float = 1.4, ink: str = INK) -> str:
    """A line without an area."""
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'fill="none" stroke="{ink}" stroke-width="{width:g}" {ends}'


def shape(path: str, fill: str, more: str = "") -> str:
    """An area with its outline."""
    return f'<path d="{path}" fill="{fill}" {PEN}{more}/>'


def line(path: str, width: float = 1.4, ink: str = INK) -> str:
    """Lines alone."""
    return f'<path d="{path}" {fine(width, ink)}/>'


def dot(x: float, y: float, radius: float, fill: str, *, outlined: bool = False) -> str:
    """A bead, a jewel, the pupil of an eye."""
    pen = f" {PEN}" if outlined else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{pen}/>'


def pip(suit: str, x: float, y: float, size: float, *, turned: bool = False, more: str = "") -> str:
    """A suit's sign; one that is turned stands on its head."""
    scale = f"{size:g} -{size:g}" if turned else f"{size:g}"
    return f'<use href="#pip-{suit}" transform="translate({x:g} {y:g}) scale({scale})"{more}/>'
