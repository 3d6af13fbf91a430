"""Every paper that a sheet has, by the name of its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pitbook.papers.cards.dealer import dealer_card
from pitbook.papers.cards.rack import rack_card
from pitbook.papers.cards.sign import sign
from pitbook.papers.cards.wallet import strategy_card
from pitbook.papers.content import Paper
from pitbook.papers.layout import layout
from pitbook.papers.report.paper import report
from pitbook.papers.rules.paper import rules
from pitbook.sheets.model import Sheet

PAPERS: Mapping[str, Callable[[Sheet], Paper]] = {
    "rules": rules,
    "report": report,
    "rack-card": rack_card,
    "sign": sign,
    "strategy-card": strategy_card,
    "dealer-card": dealer_card,
    "layout": layout,
}
