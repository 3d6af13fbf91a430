"""Mutated sheets: each is valid or refused with positions for every finding; never a traceback.

750 in `make test`, 5,000 in both lanes.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from tests.lanes import spread
from tests.sheets.mutants import random_mutant

from pitbook.errors import SheetError
from pitbook.sheets.findings import Finding, errors
from pitbook.sheets.hashes import digest
from pitbook.sheets.load import Reading, examine_file, load

SEED = int(os.environ.get("PITBOOK_SEED", "491117"))
BATCHES, QUICK, EACH = 20, 3, 250
THOROUGH_EACH = 8  # One in this many is checked thoroughly.


@pytest.mark.slow_cases("PITBOOK_SEED=491117-6")
@pytest.mark.long
@pytest.mark.parametrize(
    "batch", spread(range(BATCHES), QUICK), ids=lambda batch: f"PITBOOK_SEED={SEED}-{batch}"
)
def test_mutated_sheets_are_refused_with_places_or_valid(batch: int, tmp_path: Path) -> None:
    valid = refused = 0
    for number in range(EACH):
        name = f"seed {SEED}, batch {batch}, number {number}"
        file = tmp_path / f"{batch}-{number}.toml"
        file.write_bytes(random_mutant(random.Random(f"{SEED}/{batch}/{number}")))
        thorough = number % THOROUGH_EACH == 0
        reading = examine_file(file, thorough=thorough)
        assert_findings_valid(reading, file, name)
        refused += reading.sheet is None
        valid += reading.sheet is not None
        if thorough:
            assert_loads_alike(reading, file, name)
        file.unlink()
    assert refused > EACH / 2
    assert valid > EACH / 20


def assert_loads_alike(reading: Reading, file: Path, name: str) -> None:
    """Loading gives the same sheet, or an error."""
    if reading.sheet is None:
        with pytest.raises(SheetError):
            load(file)
    else:
        assert digest(load(file)) == digest(reading.sheet), name


def assert_findings_valid(reading: Reading, file: Path, name: str) -> None:
    """Either a sheet or errors; every finding has a position and a printable message."""
    assert (reading.sheet is None) == bool(errors(reading.findings)), name
    text = file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    rows = text.replace("\r\n", "\n").split("\n")
    for finding in reading.findings:
        assert_finding_valid(finding, rows, f"{name}: {finding!r}")
        assert str(finding).startswith(f"{file}:{finding.line}:{finding.column}: "), name
    places = [(finding.line, finding.column) for finding in reading.findings]
    assert places == sorted(places), name


def assert_finding_valid(finding: Finding, rows: list[str], name: str) -> None:
    assert 1 <= finding.line <= len(rows), name
    row = rows[finding.line - 1]
    assert 1 <= finding.column <= len(row) + 1, name
    assert finding.quoted == row.strip(), name
    assert finding.message, name
    assert finding.message.isprintable(), name
    assert finding.level in ("error", "notice"), name
