"""Writes the documents that nobody types, and the answers that typed ones show: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # Run by its path, a script knows only its own folder.

from docs.clauses import clauses  # noqa: E402
from docs.conformance import conformance  # noqa: E402
from docs.examples import refreshed  # noqa: E402
from docs.fields import fields  # noqa: E402
from docs.ledger import ledger  # noqa: E402
from docs.mathematics import mathematics  # noqa: E402
from docs.reliability import reliability  # noqa: E402
from docs.server import server  # noqa: E402

MADE = {
    "docs/conformance.md": conformance,
    "docs/fields.md": fields,
    "docs/ledger.md": ledger,
    "docs/mathematics.md": mathematics,
    "docs/reliability.md": reliability,
    "docs/server.md": server,
    "src/pitbook/sheets/clauses.json": clauses,
}
SHOWING = ("README.md", "docs/rule-sheets.md")


def main() -> None:
    for name, text in documents().items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(name)


def documents() -> dict[str, str]:
    """Every document that is made or renewed, by its path in the project."""
    made = {name: make() for name, make in MADE.items()}
    return made | {name: refreshed((ROOT / name).read_text(encoding="utf-8")) for name in SHOWING}


if __name__ == "__main__":
    main()
