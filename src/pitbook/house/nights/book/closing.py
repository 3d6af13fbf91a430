"""A night closed again: the same drawer, slips and debts come to the same closing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pitbook.house.ledger.accounts import Account
from pitbook.house.nights.book import commands
from pitbook.house.nights.book.circumstances import Circumstances
from pitbook.house.nights.book.decide import decide
from pitbook.house.nights.book.decided import Decided
from pitbook.house.nights.book.facts import Fact, NightClosed
from pitbook.house.nights.book.state import NightState
from pitbook.money import Cents


def could_close(state: NightState, fact: Fact, holds: Mapping[Account, int]) -> bool:
    """Whether a fact closes a night as it must, given what the night itself has moved so far.

    What players won and lost is for the streams of its tables to say; where it had none, chips
    are where the cage left them.
    """
    if not isinstance(fact, NightClosed):
        return True
    wallets = _told(state, fact) if state.tables else _left(state, holds)
    standing = Circumstances(
        now=datetime.fromisoformat(fact.at),
        actor="",
        balance=lambda account: Cents(holds.get(account, 0)),
        balances=lambda _: wallets,
        draw=lambda _: 0,
    )
    answer = decide(state, commands.Close(), standing)
    return isinstance(answer, Decided) and answer.facts == (fact,)


def _told(state: NightState, fact: NightClosed) -> dict[Account, Cents]:
    """The chips that a closing tells of; only who bought some can have any."""
    bought = {slip.player for slip in state.slips if slip.what == "sold"}
    told = fact.expired
    return {state.till.wallet(player): told[player] for player in bought & told.keys()}


def _left(state: NightState, holds: Mapping[Account, int]) -> dict[Account, Cents]:
    return {one: Cents(held) for one, held in holds.items() if one.unit == state.till.unit}
