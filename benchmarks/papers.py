"""The time to make all papers of all bundled sheets, with their figures computed before."""

from __future__ import annotations

import sys
from datetime import date
from time import perf_counter

from pitbook.printing.checklists import checklist, checklists
from pitbook.printing.packet import PAPERS
from pitbook.printing.report_figures import report_figures
from pitbook.printing.typeset import pdf
from pitbook.sheets.library import BUNDLED
from pitbook.sheets.load import load
from pitbook.sheets.model import Sheet

SECONDS_MAX = 60
BUILT = date(2026, 1, 1)


def main() -> int:
    sheets = [load(path) for path in sorted(BUNDLED.rglob("*.toml"))]
    for sheet in sheets:
        report_figures(sheet)
    start, count = perf_counter(), 0
    for sheet in sheets:
        sheet_start = perf_counter()
        papers = packet(sheet)
        count += papers
        print(f"{sheet.id:<36}{papers:3} papers{perf_counter() - sheet_start:7.2f} s")
    elapsed = perf_counter() - start
    print(
        f"{count} papers of {len(sheets)} sheets in {elapsed:.1f} s; the limit is {SECONDS_MAX} s"
    )
    return 0 if elapsed < SECONDS_MAX else 1


def packet(sheet: Sheet) -> int:
    """Every paper of a sheet and every state's checklist, as PDF."""
    papers = {name: make(sheet) for name, make in PAPERS.items()}
    lists = [checklist(sheet, state, papers) for state in checklists()]
    for paper in (*papers.values(), *lists):
        pdf(paper, built=BUILT)
    return len(papers) + len(lists)


if __name__ == "__main__":
    sys.exit(main())
