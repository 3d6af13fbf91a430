"""The papers of a packet by the names of their files, and the keys of their titles."""

from __future__ import annotations

TITLES = {
    "rules": "papers.rules.title",
    "report": "papers.report.title",
    "rack-card": "papers.rack.title",
    "sign": "papers.sign.title",
    "strategy-card": "papers.wallet.title",
    "dealer-card": "papers.dealer.title",
    "layout": "papers.layout.title",
}

FIGURED = ("report", "rack-card", "strategy-card")  # They wait for the figures of a report.
