"""What a house writes for its papers alone: procedures in steps, notices, who files the game.

None of it decides a round, so none of it is in the rules' hash.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from pitbook.sheets.values import (
    DESCRIPTIVE,
    Order,
    Rule,
    TomlTable,
    Words,
    describes,
    if_said,
)

# What holds where a sheet does not state the procedure: an assumption, by its general clause.
GENERAL_PROCEDURES = {
    "late_bet": "GEN-18",
    "malfunction": "GEN-19",
    "mispaid": "GEN-20",
    "cheating": "GEN-21",
}


class Procedure(Rule):
    """What the dealer does, step by step, in the house's own words."""

    steps: Annotated[Order[Words], Field(min_length=1, max_length=40)] = Field(
        description="One sentence each, in the dealer's order.", json_schema_extra=DESCRIPTIVE
    )


class Procedures(TomlTable):
    """The dealer's procedures that no rule of play depends on."""

    inspection: Procedure | None = Field(default=None, description="How new cards are inspected.")
    shuffle: Procedure | None = Field(default=None, description="How the cards are shuffled.")
    cut: Procedure | None = Field(default=None, description="How the cards are cut.")
    burn: Procedure | None = Field(default=None, description="Which cards are burnt, and when.")
    signals: Procedure | None = Field(default=None, description="Hand signals of players.")
    discard: Procedure | None = Field(default=None, description="Where cards go after a hand.")
    folded: Procedure | None = if_said("How a folded hand and its wagers are collected.")
    late_bet: Procedure | None = if_said(
        "A wager placed or changed after betting has closed; left out: GEN-18."
    )
    malfunction: Procedure | None = if_said(
        "A shuffler that fails during a round; left out: GEN-19."
    )
    mispaid: Procedure | None = if_said("A hand that was paid wrongly; left out: GEN-20.")
    cheating: Procedure | None = if_said("Suspected cheating; left out: GEN-21.")


class Notice(Rule):
    """What is posted at the table or announced, in the house's own words."""

    text: Words = describes(description="The notice, as it is posted.")


class Filing(TomlTable):
    """Who files the game, and under which rights; printed on papers."""

    sponsor: Words | None = describes(default=None, description="The licensee that sponsors it.")
    rights: Words | None = describes(default=None, description="The line on intellectual property.")
    version: Words | None = describes(
        default=None, description="The version on papers; left out: the effective date."
    )
