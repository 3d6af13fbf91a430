"""What streams are called in the book: tables of the house, those of practice, and the cage."""

from __future__ import annotations

__all__ = ["CAGE", "PRACTICE", "TABLE"]

TABLE, PRACTICE = "table/", "practice/"
CAGE = "cage"
