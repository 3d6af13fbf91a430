"""Two who hurry to write to one stream would be in each other's way for ever: one steps aside."""

from __future__ import annotations

import secrets
import time

__all__ = ["step_aside"]


def step_aside(tried: int, *, at_least: int = 0) -> None:
    """A moment, by chance and longer each time."""
    time.sleep(secrets.randbelow(1 + 2 ** (at_least + min(tried, 7 - at_least // 2))) / 1_000)
