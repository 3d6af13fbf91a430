"""All figures of a report as one document, stored by the sheet's hash."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import comb, prod
from pathlib import Path
from typing import Any

from pitbook.errors import PitbookError
from pitbook.exact.compare import edge_of, with_pays
from pitbook.exact.jit import cache_folder
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer.common import SEEN
from pitbook.exact.sheet_figures import math_document, wager_figures
from pitbook.exact.strategies import follow, simpler_strategies, strategy_lines
from pitbook.money import Cents, Odds, money
from pitbook.papers.simulation import by_seats, confirm
from pitbook.papers.strategies import card_document, strategy_document
from pitbook.sheets.digest import digest
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.pay_tables import pays_of
from pitbook.text import Sentence, say

SUITED = " suited"  # Behind the ranks of a hand.
DECKS = (1, 2, 4, 6, 8)
ANTES = (1, 2, 5, 10, 20, 50, 100)  # Times the smallest.


def by_ante(sheet: Sheet) -> list[dict[str, Any]]:
    """The main game's edge at some antes with every cap, one seat in play; nothing without caps."""
    if not sheet.limits:
        return []
    found = []
    for ante in _stakes(sheet.main_wager):
        with suppress(PitbookError):  # Too large to work out anew for every ante.
            found.append({"ante": money(ante), "edge": str(edge_of(sheet, "main", ante))})
    return found


def _stakes(stake: Stake) -> list[Cents]:
    """All that may be wagered where they are few, else some of them."""
    every = range(stake.min, stake.max + 1, stake.step)
    if len(every) <= len(ANTES):
        return [Cents(one) for one in every]
    some = [Cents(stake.min * times) for times in ANTES if stake.min * times < stake.max]
    return [one for one in some if not one % stake.step] + [stake.max]


def by_decks(sheet: Sheet) -> list[dict[str, Any]]:
    """Every wager's edge with other numbers of decks, where the game has several."""
    if sheet.deck.decks == 1:
        return []
    found = []
    for decks in sorted({*DECKS, sheet.deck.decks}):
        with suppress(PitbookError):  # Fewer decks may not hold what the table pays for.
            other = change_sheet(sheet, {"deck.decks": decks})
            edges = {name: str(edge_of(other, name)) for name in ("main", *sheet.side)}
            found.append({"decks": decks, "edges": edges})
    return found


def sensitivity(sheet: Sheet) -> dict[str, dict[str, str]]:
    """By wager and line, the change of the edge by one to one more, best play worked out anew."""
    return {
        wager: {
            line: str(_edge(_one_more(sheet, wager, line, pay), wager) - _edge(sheet, wager))
            for line, pay in pays_of(sheet, wager).items()
            if isinstance(pay, Odds)
        }
        for wager in ("main", *sheet.side)
    }


def _one_more(sheet: Sheet, wager: str, line: str, pay: Odds) -> Sheet:
    more = Odds(pay.to + pay.one, pay.one)
    return with_pays(sheet, wager, {**pays_of(sheet, wager), line: more})


def _edge(sheet: Sheet, wager: str) -> Fraction:
    """The edge without caching: no one asks for such a pay table again."""
    if wager != "main":
        return edge_of(sheet, wager)
    game, method = choose_method(sheet)
    return -method.expected(game, None)


PACKAGE = Path(__file__).parents[1]
SOURCES = ("exact", "hands", "rules", "simulate")  # Stored figures of other code are not used.
OWN_SOURCES = ("figures.py", "simulation.py", "strategies.py")

SIMULATION_STEPS = tuple(f"simulation {percent}%" for percent in range(0, 100, 10))
STEPS = ("mathematics", "strategy", "limits", "sensitivity", "seats", *SIMULATION_STEPS)

HearStep = Callable[[str], None]  # Called as each step begins.


def report_figures(
    sheet: Sheet, hear: HearStep = lambda _: None, *, rounds: int | None = None
) -> dict[str, Any]:
    """Every figure of a sheet's report, from disk if stored there.

    With `rounds`, a stored simulation of fewer rounds is continued to that number.
    """
    text = _stored_text(sheet)
    document = _compute(sheet, hear, rounds) if text is None else json.loads(text)
    fewer = rounds is not None and document["confirmed"]["rounds"] < rounds
    if fewer:
        document["confirmed"] = _confirm(sheet, rounds, hear)
    if text is None or fewer:
        text = json.dumps(document)
        if path := _path(sheet):
            with suppress(OSError):  # A full disk costs time, not figures.
                _write(path, text)
    return _parse(text)


def _parse(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text, object_hook=_parse_sentence)
    return document


def _as_json(part: Any) -> Any:
    """A strategy's plain values, with sentences by their keys so that any language reads them."""
    if isinstance(part, Sentence) and part.key:
        return {"say": part.key, "with": _as_json(part.fields)}
    if isinstance(part, Mapping):
        return {name: _as_json(field) for name, field in part.items()}
    return [_as_json(field) for field in part] if isinstance(part, list | tuple) else part


def _parse_sentence(part: dict[str, Any]) -> Any:
    if part.keys() != {"say", "with"}:
        return part
    fields = part["with"].items()
    return say(part["say"], **{k: tuple(v) if isinstance(v, list) else v for k, v in fields})


def has_stored_figures(sheet: Sheet, rounds: int | None = None) -> bool:
    """Whether a sheet's figures are on disk, with at least so many simulated rounds."""
    text = _stored_text(sheet)
    return text is not None and (
        rounds is None or json.loads(text)["confirmed"]["rounds"] >= rounds
    )


def _stored_text(sheet: Sheet) -> str | None:
    """A sheet's figures on disk; None if there are none or their checksum is wrong."""
    path = _path(sheet)
    if path is None:
        return None
    try:
        checksum, _, text = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return text if checksum == _checksum(text) else None


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _compute(sheet: Sheet, hear: HearStep, rounds: int | None) -> dict[str, Any]:
    hear("mathematics")
    document: dict[str, Any] = {"math": math_document(sheet), "skewness": _skewness(sheet)}
    hear("strategy")
    strategy = strategy_document(sheet)
    document["strategy"] = _as_json(strategy)
    document["card"] = _as_json(card_document(sheet, strategy))
    document["simpler"] = {name: str(cost) for name, cost in simpler_strategies(sheet)}
    document["hands"] = starting_hand_values(sheet)
    hear("limits")
    document["by_ante"] = by_ante(sheet)
    document["by_decks"] = by_decks(sheet)
    hear("sensitivity")
    document["sensitivity"] = sensitivity(sheet)
    hear("seats")
    document["by_seats"] = by_seats(sheet)
    document["confirmed"] = _confirm(sheet, rounds, hear)
    return document


def _confirm(sheet: Sheet, rounds: int | None, hear: HearStep) -> dict[str, Any]:
    hear(SIMULATION_STEPS[0])
    last = len(SIMULATION_STEPS) - 1
    return confirm(
        sheet, rounds, lambda share: hear(SIMULATION_STEPS[min(last, int(share * (last + 1)))])
    )


def _skewness(sheet: Sheet) -> dict[str, float]:
    return {name: wager_figures(sheet, name).skewness for name in ("main", *sheet.side)}


def starting_hand_values(sheet: Sheet) -> dict[str, Any]:
    """Every starting hand with its deals, best play and value; empty if other cards count too.

    It is checked that the values, weighted by deals, make the expected value of a round.
    """
    lines = list(strategy_lines(sheet))
    first = [line for line in lines if line.street == lines[0].street]
    names = {line.cards for line in first}
    if len(names) != len(first) or any(SEEN in name for name in names):
        return {}
    decks = sheet.deck.decks
    rows = [(line, _deals(line.cards, decks, names)) for line in first]
    deals = sum(ways for _, ways in rows)
    mean = sum(ways * line.worth for line, ways in rows) / deals
    if mean != follow(sheet).expected:
        return {}
    hands = [[line.cards, ways, str(line.play), str(line.worth)] for line, ways in rows]
    return {"deals": deals, "mean": str(mean), "hands": hands}


def _deals(name: str, decks: int, names: set[str]) -> int:
    """In how many ways a hand is dealt; suited hands count apart if they are listed."""
    ranks = name.removesuffix(SUITED).split()
    suited: int = 4 * decks ** len(ranks)
    if name.endswith(SUITED):
        return suited
    every = int(prod(comb(4 * decks, many) for many in Counter(ranks).values()))
    return every - suited if name + SUITED in names else every


def _path(sheet: Sheet) -> Path | None:
    folder = _folder()
    return folder and folder / f"{digest(sheet)}.figures"


@cache
def _folder() -> Path | None:
    files = [path for name in SOURCES for path in sorted((PACKAGE / name).rglob("*.py"))]
    own = [Path(__file__).with_name(name) for name in OWN_SOURCES]
    return cache_folder("reports", PACKAGE, [*files, *own])


def _write(path: Path, text: str) -> None:
    """Write whole or not at all, below a line with the checksum."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part")
    try:
        part.write_text(f"{_checksum(text)}\n{text}", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
