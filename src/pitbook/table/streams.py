"""What the streams of tables are called in the book: those of the house, and those of practice."""

from __future__ import annotations

__all__ = ["PRACTICE", "TABLE"]

TABLE, PRACTICE = "table/", "practice/"
