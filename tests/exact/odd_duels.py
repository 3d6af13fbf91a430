"""Random variants of games against a dealer's hand: shipped sheets with changed lines, if valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.exact.duels import CARIBBEAN, CASINO, CRAZY, FOUR, TCP, ULTIMATE, UTH
from tests.sheets.samples import text_of

from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet

__all__ = ["random_dealer_sheet"]

SHEETS = (TCP, ULTIMATE, CRAZY, CARIBBEAN, FOUR, UTH, CASINO)
ENDS = ('"1:1"', '"push"', '"lose"', '"2:1"', '"3:2"')
LEAST = (
    *("high-card-Q", "high-card-A", "pair-2", "pair-9", "pair", "three-of-a-kind"),
    *("straight", "high-card-A-K", "flush"),
)
TextChange = Callable[[str, Random], str]


def random_dealer_sheet(number: int) -> Sheet:
    """A sheet by its number: several changes at once, repeated until it has no errors."""
    rng = Random(f"odd fight {number}")
    sheet_id = SHEETS[number % len(SHEETS)]
    while True:
        text = text_of(sheet_id)
        for change in rng.sample(CHANGES, rng.randrange(1, 5)):
            text = change(text, rng)
        sheet = examine(text, "odd.toml", thorough=False).sheet
        if sheet is not None and text != text_of(sheet_id):
            return sheet


def _change_pays(text: str, rng: Random) -> str:
    """Change about a third of the odds."""

    def change_pay(match: re.Match[str]) -> str:
        if rng.random() < 0.7:
            return match[0]
        return f'{match[1]} = "{rng.choice((0, 1, 2, 3, 7, 25, 400)) or 1}:{rng.choice((1, 1, 2))}"'

    return re.sub(r'(?m)^([a-z0-9A-Z-]+) = "\d+:\d+"', change_pay, text)


def _change_ends(text: str, rng: Random) -> str:
    """Change some results: ties, wins, losses, a dealer who does not qualify."""

    def change_end(match: re.Match[str]) -> str:
        return f"{match[1]} = {rng.choice(ENDS)}" if rng.random() < 0.3 else match[0]

    return re.sub(r'(?m)^(win|tie|lose|below|fold) = ".*"', change_end, text)


def _toggle_unqualified(text: str, rng: Random) -> str:
    """Remove or add the result of a wager if the dealer does not qualify."""
    if rng.random() < 0.5:
        return re.sub(r"(?m)^below = .*\n", "", text, count=1)
    return re.sub(
        r"(?m)^(tie = .*)\n(?!below)", rf"\1\nbelow = {rng.choice(ENDS)}\n", text, count=1
    )


def _change_qualifier(text: str, rng: Random) -> str:
    return re.sub(r'qualifies = ".*"', f'qualifies = "{rng.choice(LEAST)}"', text)


def _change_times(text: str, rng: Random) -> str:
    def change_times(match: re.Match[str]) -> str:
        return f"times = {sorted(rng.sample(range(1, 6), rng.randrange(1, 4)))}"

    return re.sub(r"times = \[.*\]", change_times, text)


def _make_aces_high(text: str, rng: Random) -> str:
    return re.sub(r'(ace_in_straights = \{ is = )"[a-z-]+"', r'\1"high"', text)


def _change_ties(text: str, rng: Random) -> str:
    ties = rng.choice(("smallest-bet", "largest-bet", "fold"))
    return re.sub(r'(ties = \{ is = )"[a-z-]+"', rf'\1"{ties}"', text)


def _change_cap(text: str, rng: Random) -> str:
    per, pays_max = rng.choice(("hand", "bet", "round")), rng.choice((20, 60, 200, 2000))
    cap = f'[[limits]]\nper = "{per}"\npays_max = "{pays_max}"\nclause = "GEN-12"\n'
    return re.sub(r"\[\[limits\]\]\n(.+\n)+|\[uncapped\]\n(.+\n)+", cap, text, count=1)


def _change_hand_size(text: str, rng: Random) -> str:
    """One card more or fewer for one side."""
    side = rng.choice(("player", "dealer"))
    return re.sub(
        rf"(?m)^{side} = (\d)$",
        lambda match: f"{side} = {int(match[1]) + rng.choice((-1, 1))}",
        text,
    )


CHANGES: tuple[TextChange, ...] = (
    *(
        _change_pays,
        _change_ends,
        _toggle_unqualified,
        _change_qualifier,
        _change_times,
        _make_aces_high,
        _change_ties,
        _change_cap,
        _change_hand_size,
    ),
)
