"""Transfers are valid or refused with a message."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from tests.house.ledger.kit import (
    ANN,
    BOB,
    CASH,
    GUEST,
    HELD,
    HOUSE,
    ISSUED,
    RACK,
    case_ids,
    refusal_of,
)

from pitbook.errors import LedgerError
from pitbook.house.ledger.accounts import (
    MAY_OWE,
    NORMAL,
    Account,
    AccountKind,
    Transfer,
    balance_changes,
    move,
)
from pitbook.money import CENTS_MAX

# What a transfer is for, who is debited, who is credited, and what that does to both.
MOVES = [
    ("buy-in", CASH, ANN, +1, +1),
    ("cash-out", ANN, CASH, -1, -1),
    ("guest chips", ISSUED, GUEST, +1, +1),
    ("wager", ANN, HELD, -1, +1),
    ("lost", HELD, RACK, -1, +1),
    ("returned", HELD, ANN, -1, +1),
    ("win", RACK, ANN, -1, +1),
    ("fill", HOUSE, RACK, -1, +1),
    ("credit", RACK, HOUSE, -1, +1),
    ("house funds", CASH, HOUSE, +1, +1),
    ("entry fee", ANN, Account("usd", "sales", "night-1"), -1, +1),
    ("prize", Account("usd", "prizes", "night-1"), BOB, -1, +1),
]


@pytest.mark.parametrize(("why", "debit", "credit", "down", "up"), MOVES, ids=[m[0] for m in MOVES])
def test_balance_changes_of_a_transfer(
    why: str, debit: Account, credit: Account, down: int, up: int
) -> None:
    for cents in (1, 1_000, CENTS_MAX):
        transfer = move(debit, credit, cents, why)
        assert transfer == Transfer(debit, credit, transfer.amount, why)
        assert transfer.amount == cents
        assert balance_changes(transfer) == ((debit, down * cents), (credit, up * cents))


def test_every_kind_has_a_normal_side_and_only_the_house_may_owe() -> None:
    assert set(NORMAL) == set(get_args(AccountKind))
    assert {kind for kind, side in NORMAL.items() if side == "debit"} == {"box", "cash", "issued"}
    assert {kind for kind, side in NORMAL.items() if side == "credit"} == set(NORMAL) - {
        "box",
        "cash",
        "issued",
    }
    assert frozenset({"house"}) == MAY_OWE
    assert CASH.normal == "debit"
    assert ANN.normal == "credit"


def test_account_text_round_trips() -> None:
    assert str(ANN) == "wallet:ann"
    assert str(CASH) == "cash"
    assert str(HELD) == "held:table-1:ann"


@pytest.mark.parametrize(
    "unit",
    ["usd", "play", "event-chip:a", "event-chip:2026.gala-1", "tournament:" + "a" * 63],
    ids=case_ids(),
)
def test_units_are_separate(unit: str) -> None:
    assert move(Account(unit, "cash"), Account(unit, "house"), 1, "").debit.unit == unit


WRONG: list[tuple[str, Any, Any, Any, str]] = [
    ("kind", Account("usd", "purse", "ann"), CASH, 1, 'There is no account type "purse".'),  # type: ignore[arg-type]
    ("kind of the other", CASH, Account("usd", ""), 1, 'There is no account type "".'),  # type: ignore[arg-type]
    *(
        (
            f"unit {unit!r}",
            Account(unit, "cash"),
            ANN,
            1,
            f'"{unit}" is not a currency unit. Examples: usd, play.',
        )
        for unit in (
            *("", "USD", "eur", "usd ", "play\n", "event-chip", "event-chip:", "tournament:A"),
            *("tournament:-a", "tournament:" + "a" * 64, "event-chip:é", "xusd", "playx"),
        )
    ),
    ("other unit", ANN, GUEST, 1, "usd cannot be moved to an account in play."),
    ("itself", ANN, ANN, 1, "Money cannot be moved from wallet:ann to itself."),
    *(
        (
            f"name {name!r:.8}",
            Account("usd", "wallet", name),
            CASH,
            1,
            f'"{name!r}" is not a valid account name.',
        )
        for name in ("\0", "a\nb", "\x1f", "\x7f", "\ud800", "\udfff", "a" * 201)
    ),
    *(
        (
            f"amount {amount!r}",
            ANN,
            CASH,
            amount,
            f"{amount!r} is not a valid amount. Use 1 to 1000000000000000 cents.",
        )
        for amount in (0, -1, CENTS_MAX + 1, 1.0, "1", None, True)
    ),
]


@pytest.mark.parametrize(
    ("debit", "credit", "amount", "message"), [w[1:] for w in WRONG], ids=case_ids()
)
def test_refused(debit: Account, credit: Account, amount: Any, message: str) -> None:
    assert refusal_of(move, debit, credit, amount, "why") == (LedgerError, message)


def test_both_accounts_are_checked() -> None:
    assert refusal_of(move, CASH, Account("usd", "wallet", "\0"), 1, "")[1].endswith(
        "is not a valid account name."
    )
    assert refusal_of(move, CASH, Account("dm", "wallet"), 1, "")[1].startswith(
        '"dm" is not a currency unit'
    )


@pytest.mark.parametrize(
    "name", ["", "ann", "Ann Ö. Łuć", " ", "a" * 200, "a:b:c", "\x80"], ids=case_ids()
)
def test_account_names_are_validated(name: str) -> None:
    assert move(CASH, Account("usd", "wallet", name), 1, "").credit.name == name
