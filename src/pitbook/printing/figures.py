"""All figures of a report as one document: shipped for bundled sheets, else cached on disk."""

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
from pitbook.exact.game_figures import game_figures
from pitbook.exact.jit import cache_folder
from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer.common import SEEN
from pitbook.exact.precomputed import REPORT, read_precomputed
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.strategies import follow, simpler_strategies, strategy_lines
from pitbook.money import Cents, Odds, money
from pitbook.printing.simulation import by_seats, confirm
from pitbook.printing.strategies import card_document, strategy_document
from pitbook.sheets.digest import digest
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.model import Sheet, Stake
from pitbook.sheets.pay_tables import pays_of
from pitbook.text import Sentence, say

SUITED = " suited"  # Follows the ranks of a hand.
DECKS = (1, 2, 4, 6, 8)
ANTES = (1, 2, 5, 10, 20, 50, 100)  # Multiples of the minimum.


def by_ante(sheet: Sheet) -> list[dict[str, Any]]:
    """The main game's edge at several antes with all limits, for one seat; empty without limits."""
    if not sheet.limits:
        return []
    rows = []
    for ante in _stakes(sheet.main_wager):
        with suppress(PitbookError):  # Too large to recompute for every ante.
            rows.append({"ante": money(ante), "edge": str(edge_of(sheet, "main", ante))})
    return rows


def _stakes(stake: Stake) -> list[Cents]:
    """Every allowed amount if there are few, else a sample."""
    amounts = range(stake.min, stake.max + 1, stake.step)
    if len(amounts) <= len(ANTES):
        return [Cents(amount) for amount in amounts]
    sampled = [Cents(stake.min * times) for times in ANTES if stake.min * times < stake.max]
    return [amount for amount in sampled if not amount % stake.step] + [stake.max]


def by_decks(sheet: Sheet) -> list[dict[str, Any]]:
    """Every wager's edge with other numbers of decks, if the game uses several."""
    if sheet.deck.decks == 1:
        return []
    rows = []
    for decks in sorted({*DECKS, sheet.deck.decks}):
        with suppress(PitbookError):  # Fewer decks may not contain a hand that the table pays.
            other = change_sheet(sheet, {"deck.decks": decks})
            edges = {name: str(edge_of(other, name)) for name in ("main", *sheet.side)}
            rows.append({"decks": decks, "edges": edges})
    return rows


def sensitivity(sheet: Sheet) -> dict[str, dict[str, str]]:
    """By wager and line: the change of the edge if the line pays one to one more, with best play
    recomputed.
    """
    return {
        wager: {
            line: str(_edge(_raise_pay(sheet, wager, line, pay), wager) - _edge(sheet, wager))
            for line, pay in pays_of(sheet, wager).items()
            if isinstance(pay, Odds)
        }
        for wager in ("main", *sheet.side)
    }


def _raise_pay(sheet: Sheet, wager: str, line: str, pay: Odds) -> Sheet:
    raised = Odds(pay.to + pay.one, pay.one)
    return with_pays(sheet, wager, {**pays_of(sheet, wager), line: raised})


def _edge(sheet: Sheet, wager: str) -> Fraction:
    """The edge without caching: no other caller needs such a pay table."""
    if wager != "main":
        return edge_of(sheet, wager)
    game, method = choose_method(sheet)
    return -method.expected(game, None)


PACKAGE = Path(__file__).parents[1]
SOURCES = (
    "exact",
    "hands",
    "rules",
    "simulation",
)  # Figures that other code computed are not used.
REPORT_SOURCES = ("figures.py", "simulation.py", "strategies.py")

SIMULATION_STEPS = tuple(f"simulation {percent}%" for percent in range(0, 100, 10))
STEPS = ("mathematics", "strategy", "limits", "sensitivity", "seats", *SIMULATION_STEPS)

StepCallback = Callable[[str], None]  # Called when a step begins.


def report_figures(
    sheet: Sheet, on_step: StepCallback = lambda _: None, *, rounds: int | None = None
) -> dict[str, Any]:
    """Every figure of a sheet's report, from the cache on disk if possible.

    With `rounds`, a stored simulation of fewer rounds is continued to that number.
    """
    text = _stored_text(sheet)
    document = compute_report_figures(sheet, on_step, rounds) if text is None else json.loads(text)
    needs_rounds = rounds is not None and document["confirmed"]["rounds"] < rounds
    if needs_rounds:
        document["confirmed"] = _confirm(sheet, rounds, on_step)
    if text is None or needs_rounds:
        text = json.dumps(document)
        if path := _path(sheet):
            with suppress(OSError):  # A full disk costs time, but the figures are right.
                _write(path, text)
    return _parse(text)


def _parse(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text, object_hook=_parse_sentence)
    return document


def _as_json(part: Any) -> Any:
    """A strategy as plain values, with sentences stored by key so that any language can render
    them.
    """
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
    """Whether a sheet's figures are on disk, with at least `rounds` simulated rounds."""
    text = _stored_text(sheet)
    return text is not None and (
        rounds is None or json.loads(text)["confirmed"]["rounds"] >= rounds
    )


def _stored_text(sheet: Sheet) -> str | None:
    """A sheet's figures, from this machine or shipped with the package; None without either."""
    path = _path(sheet)
    text = None if path is None else _read_checked(path)
    if text is None and (shipped := read_precomputed(sheet, REPORT)) is not None:
        text = json.dumps(shipped)
    return text


def _read_checked(path: Path) -> str | None:
    """A file's figures; None if there is no such file or its checksum does not match."""
    try:
        checksum, _, text = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return text if checksum == _checksum(text) else None


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def compute_report_figures(
    sheet: Sheet, on_step: StepCallback = lambda _: None, rounds: int | None = None
) -> dict[str, Any]:
    """Every figure of a sheet's report, as JSON."""
    on_step("mathematics")
    document: dict[str, Any] = {
        "math": game_figures(sheet).document(),
        "skewness": _skewness(sheet),
    }
    on_step("strategy")
    strategy = strategy_document(sheet)
    document["strategy"] = _as_json(strategy)
    document["card"] = _as_json(card_document(sheet, strategy))
    document["simpler"] = {name: str(cost) for name, cost in simpler_strategies(sheet)}
    document["hands"] = starting_hand_values(sheet)
    on_step("limits")
    document["by_ante"] = by_ante(sheet)
    document["by_decks"] = by_decks(sheet)
    on_step("sensitivity")
    document["sensitivity"] = sensitivity(sheet)
    on_step("seats")
    document["by_seats"] = by_seats(sheet)
    document["confirmed"] = _confirm(sheet, rounds, on_step)
    return document


def _confirm(sheet: Sheet, rounds: int | None, on_step: StepCallback) -> dict[str, Any]:
    on_step(SIMULATION_STEPS[0])
    last = len(SIMULATION_STEPS) - 1
    return confirm(
        sheet, rounds, lambda share: on_step(SIMULATION_STEPS[min(last, int(share * (last + 1)))])
    )


def _skewness(sheet: Sheet) -> dict[str, float]:
    return {name: wager_figures(sheet, name).skewness for name in ("main", *sheet.side)}


def starting_hand_values(sheet: Sheet) -> dict[str, Any]:
    """Every starting hand with its deals, best play and value; empty if other cards matter too.

    The result is empty unless the values, weighted by deals, equal a round's expected value.
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
    """The number of ways to deal a hand; suited hands are counted separately if listed."""
    ranks = name.removesuffix(SUITED).split()
    suited: int = 4 * decks ** len(ranks)
    if name.endswith(SUITED):
        return suited
    total = int(prod(comb(4 * decks, copies) for copies in Counter(ranks).values()))
    return total - suited if name + SUITED in names else total


def _path(sheet: Sheet) -> Path | None:
    folder = _folder()
    return folder and folder / f"{digest(sheet)}.figures"


@cache
def _folder() -> Path | None:
    files = [path for name in SOURCES for path in sorted((PACKAGE / name).rglob("*.py"))]
    report_files = [Path(__file__).with_name(name) for name in REPORT_SOURCES]
    return cache_folder("reports", PACKAGE, [*files, *report_files])


def _write(path: Path, text: str) -> None:
    """Write the file atomically, with the checksum on the first line."""
    part = path.with_name(f".{path.stem}.{os.getpid()}.part")
    try:
        part.write_text(f"{_checksum(text)}\n{text}", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
