"""The result of each wager by event and kind of hand, and the dealer's lowest qualifying hand."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pitbook.hands.kinds import Ace, atoms, hand_kinds
from pitbook.hands.ranking import classes
from pitbook.money import Odds
from pitbook.rules.families.versus.sheet import (
    COMPARED,
    RANK_NAMES,
    WARS,
    Qualification,
    Settles,
    Versus,
    parse_result,
)
from pitbook.rules.settlement_lines import FOLDED, NOTHING, KindPay, pay_by_kind


def is_hand(name: str, cards: int) -> bool:
    """Whether a name is a hand of that size; four cards cannot be five high, for example."""
    covered = atoms(name, cards) or frozenset()
    return any(kind.fits & covered for kind in hand_kinds(cards))


def least_kind(name: str, cards: int) -> int:
    """The lowest kind covered by a pay table line."""
    covered = atoms(name, cards) or frozenset()
    return next(index for index, kind in enumerate(hand_kinds(cards)) if kind.fits & covered)


def least_rank(rule: Qualification, cards: int, ace: Ace) -> int:
    """The lowest class with which the dealer qualifies."""
    lowest_kind = least_kind(rule.qualifies, cards)
    kicker = RANK_NAMES.index(rule.kicker) if rule.kicker else 0
    return next(
        index
        for index, hand in enumerate(classes(cards, ace))
        if hand.kind > lowest_kind
        or (hand.kind == lowest_kind and max(hand.ranks[1:], default=0) >= kicker)
    )


# Outcomes of settlement lines for events without a pay table.
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
    """The result of a wager: its pay, the clause, and whether half is returned."""

    pay: KindPay
    clause: str
    half: bool = False


Results = tuple[tuple[WagerOutcome, ...], ...]  # By event, then by kind of the player's hand.


def results(sheet: Versus, pays: tuple[KindPay, ...] | None = None) -> dict[str, Results]:
    """The results of each wager of the main game; `pays` replaces the main pay table."""
    table, clause = pays or pay_by_kind(sheet, "main"), sheet.main.clause
    rules = {
        "ante": sheet.ante.settles,
        **{name: wager.settles for name, wager in sheet.wagers.items()},
    }
    return {wager: _results_by_event(rule, table, clause) for wager, rule in rules.items()}


def _results_by_event(rule: Settles, table: tuple[KindPay, ...], clause: str) -> Results:
    # A wager without "below" is compared even if the dealer does not qualify.
    below = COMPARED if rule.below is None else ("below",) * len(COMPARED)
    events = (*COMPARED, *below, *WARS, "fold")
    return tuple(_outcomes_for_event(rule, event, table, clause) for event in events)


def _outcomes_for_event(
    rule: Settles, event: str, table: tuple[KindPay, ...], clause: str
) -> tuple[WagerOutcome, ...]:
    result_text = rule.of(event)
    if result_text is None:
        return ()  # Wars do not occur.
    by_table, otherwise = parse_result(result_text)
    without_table = WagerOutcome(_pay(event, otherwise), rule.clause, otherwise == "half")
    if not by_table:
        return (without_table,) * len(table)
    return tuple(without_table if pay == NOTHING else WagerOutcome(pay, clause) for pay in table)


def _pay(event: str, otherwise: Odds | Literal["lose", "push", "half"]) -> KindPay:
    if isinstance(otherwise, Odds):
        return KindPay(OUTCOMES[event], "win", otherwise)
    if otherwise == "push":
        return KindPay(OUTCOMES[event], "push", None)
    if event == "fold":
        return FOLDED if otherwise == "lose" else KindPay("surrender", "lose", None)
    return NOTHING
