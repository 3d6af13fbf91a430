"""Write the precomputed figures of the bundled sheets: `make figures`.

The archive that the package ships has, for each rules hash, the outcome tables of every wager,
the figures of the printed report, and for games against a dealer's hand every named strategy.
The same code gives the same bytes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pitbook.exact.methods.choose import choose_method
from pitbook.exact.methods.dealer.boards_solve import plan_of
from pitbook.exact.methods.dealer.boards_strategies import named_filter
from pitbook.exact.methods.dealer.pairs_solve import count_solution
from pitbook.exact.methods.dealer.pairs_strategies import named_choice
from pitbook.exact.methods.dealer.shipped_solutions import (
    encode_board_solution,
    encode_pair_solution,
    solve_in_fine_cells,
)
from pitbook.exact.methods.dealer.structure import EVENTS, Terms
from pitbook.exact.rule_files import StrategyError
from pitbook.exact.sheet_figures import wager_figures
from pitbook.exact.shipped_figures import (
    ARCHIVE,
    FIGURES,
    INDEX,
    REPORT,
    computed_afresh,
    encode_figures,
    member_name,
)
from pitbook.money import Cents
from pitbook.printing.record_json import dump_record
from pitbook.printing.report_figures import compute_report_figures
from pitbook.printing.report_simulation import ROUNDS
from pitbook.rules.game import Game
from pitbook.sheets.hashes import digest
from pitbook.sheets.library import Library
from pitbook.sheets.model import Sheet

EPOCH = (1980, 1, 1, 0, 0, 0)  # The earliest date that an archive can record.
UNIX, READABLE = 3, 0o644 << 16  # The same on every system.
BRIEF = (",", ":")

Documents = dict[str, Any]  # By member name.


def main() -> int:
    documents: Documents = {}
    for sheet in bundled_sheets():
        documents |= {
            member_name(digest(sheet), name): document
            for name, document in (sheet_documents(sheet) | report_documents(sheet)).items()
        }
        print(f"{sheet.id} {digest(sheet)[:8]}", file=sys.stderr, flush=True)
    write_archive(documents, ARCHIVE)
    print(f"{ARCHIVE}: {len(documents)} documents, {ARCHIVE.stat().st_size:,} bytes")
    return 0


def bundled_sheets() -> list[Sheet]:
    """Every bundled sheet."""
    return [entry.sheet for entry in Library().entries() if entry.sheet is not None]


def write_archive(documents: Mapping[str, Any], path: Path) -> None:
    """Write the documents in order of name, without anything that differs between runs."""
    temporary = path.with_suffix(".part")
    with ZipFile(temporary, "w") as archive:
        for name, document in sorted(documents.items()):
            info = ZipInfo(name, EPOCH)
            info.compress_type, info.create_system, info.external_attr = (
                ZIP_DEFLATED,
                3,
                0o644 << 16,
            )
            archive.writestr(info, json.dumps(document, separators=BRIEF), compresslevel=9)
    temporary.replace(path)


def report_documents(sheet: Sheet) -> Documents:
    """The figures of a printed report, with the simulations that the package ships."""
    with computed_afresh():
        return {REPORT: json.loads(dump_record(compute_report_figures(sheet, rounds=ROUNDS)))}


def sheet_documents(sheet: Sheet) -> Documents:
    """The figures and strategies of a sheet, by name, computed afresh."""
    with computed_afresh():
        game, method = choose_method(sheet)
        rates = None if method.fold_rates is None else method.fold_rates(game, None)
        documents: Documents = {
            FIGURES: {
                "sheet": sheet.id,
                "wagers": {
                    wager: encode_figures(wager_figures(sheet, wager))
                    for wager in ("main", *sheet.side)
                },
                "fold_rates": rates and {street: str(rate) for street, rate in rates.items()},
            }
        }
        solutions = {"pairs": pair_documents, "boards": board_documents}.get(method.name)
        if solutions is not None:
            documents |= solution_documents(solutions(game, method.names(game)))
        return documents


def solution_documents(solutions: Iterable[dict[str, Any]]) -> Documents:
    """Solutions with their lines in documents of their own, and an index of them."""
    documents: Documents = {}
    index = []
    for number, document in enumerate(solutions):
        lines = next(
            (name for name, known in documents.items() if known == document["lines"]),
            f"lines-{number}",
        )
        member = f"solution-{number}"
        documents[lines] = document["lines"]
        documents[member] = {**document, "lines": lines}
        index.append([member, document["name"], document["plays"]])
    return {**documents, INDEX: index}


def pair_documents(game: Game, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Every named strategy, and best play of players who cannot afford every bet."""
    terms = Terms(game)
    for name in names:
        try:
            solution = count_solution(terms, choose=named_choice(name))
        except StrategyError:  # Without that play there is none.
            continue
        yield encode_pair_solution(solution, name)
    for short in short_purses(terms):
        if short.plays(0, short.seat) != terms.plays(0, terms.seat):
            yield encode_pair_solution(count_solution(short), names[0])


def board_documents(game: Game, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The same for a hold'em game."""
    known: list[object] = []
    for terms, name in [
        *((Terms(game), name) for name in names),
        *((short, names[0]) for short in short_purses(Terms(game))),
        *((capped, names[0]) for capped in capped_antes(game)),
    ]:
        solution = solve_in_fine_cells(terms, named_filter(name))
        stakes = terms.ante, solution.plan.plays
        if stakes not in known:
            known.append(stakes)
            yield encode_board_solution(solution)


def capped_antes(game: Game) -> Iterator[Terms]:
    """The game at every ante at which a payout limit changes what best play wins."""
    main = game.sheet.main_wager
    usual = relative_nets(Terms(game))
    for ante in range(main.min, main.max + 1, main.step) if game.sheet.limits else ():
        terms = Terms(game, Cents(ante))
        if relative_nets(terms) != usual:
            yield terms


def relative_nets(terms: Terms) -> list[list[Fraction]]:
    """By end of a hold'em round and cell, what the player nets in main wagers."""
    plan = plan_of(terms)
    return [
        [
            Fraction(int(terms.nets(seat)[kind, event]), terms.stake)
            for kind in range(len(plan.cells.groups))
            for event in range(len(EVENTS))
        ]
        for seat in plan.end_seats.values()
    ]


def short_purses(terms: Terms) -> Iterator[Terms]:
    """The same game for players with any number of main wagers left, from the most."""
    for room in reversed(range(terms.game.sheet.units_max)):
        yield Terms(terms.game, purse=Cents(room * terms.stake))


if __name__ == "__main__":
    raise SystemExit(main())
