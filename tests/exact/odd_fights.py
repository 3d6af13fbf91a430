"""Odd games against a dealer's hand: shipped sheets with lines drawn at random, as far as valid."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from tests.exact.fights import CARIBBEAN, CASINO, CRAZY, FOUR, TCP, ULTIMATE, UTH
from tests.sheets.samples import text_of

from pitbook.sheets.load import examine
from pitbook.sheets.model import Sheet

__all__ = ["odd_fight"]

SHEETS = (TCP, ULTIMATE, CRAZY, CARIBBEAN, FOUR, UTH, CASINO)
ENDS = ('"1:1"', '"push"', '"lose"', '"2:1"', '"3:2"')
LEAST = (
    *("high-card-Q", "high-card-A", "pair-2", "pair-9", "pair", "three-of-a-kind"),
    *("straight", "high-card-A-K", "flush"),
)
Bend = Callable[[str, Random], str]


def odd_fight(number: int) -> Sheet:
    """A sheet by its number: several lines changed at once, until the checks have no error."""
    luck = Random(f"odd fight {number}")
    sheet_id = SHEETS[number % len(SHEETS)]
    while True:
        text = text_of(sheet_id)
        for bend in luck.sample(BENDS, luck.randrange(1, 5)):
            text = bend(text, luck)
        found = examine(text, "odd.toml", thorough=False).sheet
        if found is not None and text != text_of(sheet_id):
            return found


def _pays(text: str, luck: Random) -> str:
    """Another price for a third of all lines that have one."""

    def other(found: re.Match[str]) -> str:
        if luck.random() < 0.7:
            return found[0]
        return (
            f'{found[1]} = "{luck.choice((0, 1, 2, 3, 7, 25, 400)) or 1}:{luck.choice((1, 1, 2))}"'
        )

    return re.sub(r'(?m)^([a-z0-9A-Z-]+) = "\d+:\d+"', other, text)


def _ends(text: str, luck: Random) -> str:
    """Another end of some wagers: ties, wins, losses, a dealer who does not qualify."""

    def other(found: re.Match[str]) -> str:
        return f"{found[1]} = {luck.choice(ENDS)}" if luck.random() < 0.3 else found[0]

    return re.sub(r'(?m)^(win|tie|lose|below|fold) = ".*"', other, text)


def _below(text: str, luck: Random) -> str:
    """What a wager comes to where the dealer does not qualify, put in or left out."""
    if luck.random() < 0.5:
        return re.sub(r"(?m)^below = .*\n", "", text, count=1)
    return re.sub(
        r"(?m)^(tie = .*)\n(?!below)", rf"\1\nbelow = {luck.choice(ENDS)}\n", text, count=1
    )


def _qualifies(text: str, luck: Random) -> str:
    return re.sub(r'qualifies = ".*"', f'qualifies = "{luck.choice(LEAST)}"', text)


def _times(text: str, luck: Random) -> str:
    def other(found: re.Match[str]) -> str:
        return f"times = {sorted(luck.sample(range(1, 6), luck.randrange(1, 4)))}"

    return re.sub(r"times = \[.*\]", other, text)


def _aces(text: str, luck: Random) -> str:
    return re.sub(r'(ace_in_straights = \{ is = )"[a-z-]+"', r'\1"high"', text)


def _ties(text: str, luck: Random) -> str:
    said = luck.choice(("smallest-bet", "largest-bet", "fold"))
    return re.sub(r'(ties = \{ is = )"[a-z-]+"', rf'\1"{said}"', text)


def _cap(text: str, luck: Random) -> str:
    per, most = luck.choice(("hand", "bet", "round")), luck.choice((20, 60, 200, 2000))
    cap = f'[[limits]]\nper = "{per}"\npays_max = "{most}"\nclause = "GEN-12"\n'
    return re.sub(r"\[\[limits\]\]\n(.+\n)+|\[uncapped\]\n(.+\n)+", cap, text, count=1)


def _cards(text: str, luck: Random) -> str:
    """One card more or fewer for one of both sides."""
    side = luck.choice(("player", "dealer"))
    return re.sub(
        rf"(?m)^{side} = (\d)$",
        lambda found: f"{side} = {int(found[1]) + luck.choice((-1, 1))}",
        text,
    )


BENDS: tuple[Bend, ...] = (*(_pays, _ends, _below, _qualifies, _times, _aces, _ties, _cap, _cards),)
