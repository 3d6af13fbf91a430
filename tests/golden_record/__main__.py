"""`python -m tests.golden_record make|check [--whole] [--only KIND] [--record DIR]`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.golden_record.adapter import settled_environment
from tests.golden_record.catalogue import KINDS
from tests.golden_record.compare import differences
from tests.golden_record.kinds import Kind
from tests.golden_record.record import RECORD, Writing

SLOW = 3  # Seconds of one item that are worth a word.


def made(kind: Kind, folder: Path) -> str:
    """Write a kind's file anew."""
    if kind.once is not None:
        kind.once(RECORD)
    writing, began = Writing(kind), time.process_time()
    count = 0
    for batch, name in kind.whole():
        start = time.process_time()
        writing.add(batch, name, kind.make(batch, name))
        count += 1
        if (took := time.process_time() - start) > SLOW:
            _say(f"{kind.name}: {batch}: {name}: {took:.0f} s")
    file = writing.write(folder)
    took = time.process_time() - began
    return f"{kind.name}: {count} items, {file.stat().st_size:,} bytes, {took:.0f} s"


def checked(kind: Kind, folder: Path, *, whole: bool) -> list[str]:
    """Everything of a kind that is not as it was."""
    found: list[str] = []
    for batch, name in kind.whole() if whole else kind.sampled():
        try:
            found += differences(kind, folder, batch, name, kind.make(batch, name))
        except Exception as error:  # noqa: BLE001  What breaks down differs, and others are looked at.
            found.append(f"{kind.name}: {batch}: {name}: {type(error).__name__}: {error}")
    return found


def main() -> int:
    """Make the record or compare with it; 1 where something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden_record", description=__doc__)
    parser.add_argument("what", choices=("make", "check"))
    parser.add_argument("--whole", action="store_true", help="every item, and not a sample")
    parser.add_argument("--only", action="append", metavar="KIND", help="one kind: math, rounds")
    parser.add_argument("--record", type=Path, default=RECORD, metavar="DIR")
    asked = parser.parse_args()
    asked.record = asked.record.resolve()
    kinds = [one for one in KINDS if not asked.only or one.name in asked.only]
    found = 0
    with settled_environment():
        for kind in kinds:
            if asked.what == "make":
                _say(made(kind, asked.record))
                continue
            began = time.process_time()
            wrong = checked(kind, asked.record, whole=asked.whole)
            found += len(wrong)
            for told in wrong[:20]:
                _say(told)
            took = time.process_time() - began
            _say(f"{kind.name}: {len(wrong) or 'nothing'} differs, {took:.1f} s")
    return 1 if found else 0


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
