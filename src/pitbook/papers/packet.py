"""Every paper that a sheet has, by the name of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitbook.papers.content import Paper
from pitbook.papers.rules.paper import rules
from pitbook.sheets.model import Sheet

__all__ = ["PAPERS"]

PAPERS: Mapping[str, Callable[[Sheet], Paper]] = {"rules": rules}
