"""Stakes and cards as commands take them: dollars, W=D pairs, cards in one text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

from pitbook.cards import Card, cards
from pitbook.cli.common.language import worded
from pitbook.errors import CardError, MoneyError, PitbookError
from pitbook.money import Cents, dollars
from pitbook.text import say, sentence_of

Ante: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ante",
        metavar="D",
        help="The ante (or Bet) in the sheet's money: caps apply at that stake. Left out, no caps.",
    ),
]
Staked: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--ante",
        metavar="D",
        help="The ante (or Bet) in the sheet's money; left out, the smallest.",
    ),
]
Strategy: TypeAlias = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="best, never-3x, always-1x, ... or a rule file; with :0.05, as often wrong.",
    ),
]
Sides: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--side", metavar="W=D", help="A side wager and its stake in the sheet's money."),
]
Purse: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--purse",
        metavar="D",
        help="What the player has left beside the wagers made, in the sheet's money. Else enough.",
    ),
]


def ante_of(text: str | None) -> Cents | None:
    """The ante in cents, where one is given."""
    return None if text is None else _dollars(text, "--ante")


def purse_of(text: str | None) -> Cents | None:
    """What a player has left in cents, where it is told."""
    return None if text is None else _dollars(text, "--purse")


def sides_of(texts: Sequence[str] | None) -> dict[str, Cents]:
    """Stakes by side wager, from texts like "stax=5"."""
    stakes: dict[str, Cents] = {}
    for text in texts or ():
        wager, equals, amount = text.partition("=")
        if not equals:
            no_stake = worded(say("cli.no-stake", text=text))
            raise typer.BadParameter(no_stake, param_hint="--side")
        if wager in stakes:
            raise PitbookError(say("cli.side-twice", wager=wager))
        stakes[wager] = _dollars(amount, f"--side {wager}")
    return stakes


def cards_of(text: str, option: str) -> tuple[Card, ...]:
    """The cards of an option."""
    try:
        return cards(text)
    except CardError as error:
        raise CardError(say("cli.option", option=option, why=sentence_of(error))) from None


def _dollars(text: str, option: str) -> Cents:
    try:
        return dollars(text)
    except MoneyError as error:
        raise MoneyError(say("cli.option", option=option, why=sentence_of(error))) from None
