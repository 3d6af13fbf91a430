"""What each wager comes to, by event and kind of hand: looked up when a hand is settled."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitbook.money import Odds
from pitbook.rules.families.versus.result_text import COMPARED, WARS, told
from pitbook.rules.families.versus.sheet import Settles, Versus
from pitbook.rules.pricing import FOLDED, NOTHING, KindPay, pay_by_kind

# What a line of the settlement says of an event that needs no pay table.
OUTCOMES = {
    "lose": NOTHING.outcome,
    "tie": "tie",
    "win": "win",
    "below": "dealer-does-not-qualify",
    "war_lose": NOTHING.outcome,
    "war_tie": "war-tied",
    "war_win": "war-won",
    "fold": FOLDED.outcome,
}


class WagerOutcome(NamedTuple):
    """What a wager comes to: its pay, the clause that says so, whether half of it comes back."""

    pay: KindPay
    clause: str
    half: bool = False


Results = tuple[tuple[WagerOutcome, ...], ...]  # By event, then by kind of the player's hand.


def results(sheet: Versus, pays: tuple[KindPay, ...] | None = None) -> dict[str, Results]:
    """By wager of the main game, what it comes to; by other pays where some are tried."""
    table, clause = pays or pay_by_kind(sheet, "main"), sheet.main.clause
    rules = {"ante": sheet.ante.settles, **{one: w.settles for one, w in sheet.wagers.items()}}
    return {wager: _of(rule, table, clause) for wager, rule in rules.items()}


def _of(rule: Settles, table: tuple[KindPay, ...], clause: str) -> Results:
    # A wager of which "below" says nothing is compared all the same.
    below = COMPARED if rule.below is None else ("below",) * len(COMPARED)
    events = (*COMPARED, *below, *WARS, "fold")
    return tuple(_at(rule, event, table, clause) for event in events)


def _at(
    rule: Settles, event: str, table: tuple[KindPay, ...], clause: str
) -> tuple[WagerOutcome, ...]:
    said = rule.of(event)
    if said is None:
        return ()  # No war is ever fought.
    by_table, otherwise = told(said)
    plain = WagerOutcome(_pay(event, otherwise), rule.clause, otherwise == "half")
    if not by_table:
        return (plain,) * len(table)
    return tuple(plain if pay == NOTHING else WagerOutcome(pay, clause) for pay in table)


def _pay(event: str, otherwise: Odds | Literal["lose", "push", "half"]) -> KindPay:
    if isinstance(otherwise, Odds):
        return KindPay(OUTCOMES[event], "win", otherwise)
    if otherwise == "push":
        return KindPay(OUTCOMES[event], "push", None)
    if event == "fold":
        return FOLDED if otherwise == "lose" else KindPay("surrender", "lose", None)
    return NOTHING
