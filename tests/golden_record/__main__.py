"""`python -m tests.golden_record make|check [--whole] [--only KIND] [--record DIR]`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.golden_record.adapter import fixed_environment
from tests.golden_record.all_kinds import KINDS
from tests.golden_record.compare import differences
from tests.golden_record.kinds import Kind
from tests.golden_record.record import RECORD, RecordWriter

SLOW = 3  # Items slower than this many seconds are reported.


def make_record(kind: Kind, folder: Path) -> str:
    """Write the record of a kind again."""
    if kind.once is not None:
        kind.once(RECORD)
    writer, kind_start = RecordWriter(kind), time.process_time()
    count = 0
    for batch, name in kind.all_items():
        start = time.process_time()
        writer.add(batch, name, kind.make(batch, name))
        count += 1
        if (elapsed := time.process_time() - start) > SLOW:
            _print(f"{kind.name}: {batch}: {name}: {elapsed:.0f} s")
    file = writer.write(folder)
    elapsed = time.process_time() - kind_start
    return f"{kind.name}: {count} items, {file.stat().st_size:,} bytes, {elapsed:.0f} s"


def check_record(kind: Kind, folder: Path, *, whole: bool) -> list[str]:
    """The differences of a kind from its record."""
    differences_found: list[str] = []
    for batch, name in kind.all_items() if whole else kind.sample_items():
        try:
            differences_found += differences(kind, folder, batch, name, kind.make(batch, name))
        except Exception as error:  # noqa: BLE001  An error counts as a difference, and the others are still checked.
            differences_found.append(
                f"{kind.name}: {batch}: {name}: {type(error).__name__}: {error}"
            )
    return differences_found


def main() -> int:
    """Make the record, or compare with it; return 1 if something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden_record", description=__doc__)
    parser.add_argument("what", choices=("make", "check"))
    parser.add_argument("--whole", action="store_true", help="every item, and not a sample")
    parser.add_argument("--only", action="append", metavar="KIND", help="one kind: math, rounds")
    parser.add_argument("--record", type=Path, default=RECORD, metavar="DIR")
    options = parser.parse_args()
    options.record = options.record.resolve()
    kinds = [kind for kind in KINDS if not options.only or kind.name in options.only]
    difference_count = 0
    with fixed_environment():
        for kind in kinds:
            if options.what == "make":
                _print(make_record(kind, options.record))
                continue
            start = time.process_time()
            kind_differences = check_record(kind, options.record, whole=options.whole)
            difference_count += len(kind_differences)
            for difference in kind_differences[:20]:
                _print(difference)
            elapsed = time.process_time() - start
            _print(f"{kind.name}: {len(kind_differences) or 'nothing'} differs, {elapsed:.1f} s")
    return 1 if difference_count else 0


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
