"""Any game, by going through its cards: slow and obvious, the judge of every other method.

It asks a description for what is said there (`reaches`, `may`, `read`, `price`) and shares no code
with the fast methods. Deals that differ in suits alone are looked at once where no ranking tells
suits apart; where a family reads cards in a way of its own, they are dealt one after the other.
"""

from __future__ import annotations

from pitbook.exact.methods.plain.outcomes import main_figures, round_figures, wager_figures
from pitbook.exact.methods.plain.solving import DEALS_MAX, Plain

__all__ = ["DEALS_MAX", "Plain", "main_figures", "round_figures", "wager_figures"]
