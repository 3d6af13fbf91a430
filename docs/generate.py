"""Generate the derived documents, and update the answers that other documents show: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # A script run by its path knows only its own folder.

from docs.checked_sheets import checked_sheets  # noqa: E402
from docs.clauses import clauses  # noqa: E402
from docs.conformance import conformance  # noqa: E402
from docs.examples import refresh_answers  # noqa: E402
from docs.fields import fields_page  # noqa: E402
from docs.ledger import ledger  # noqa: E402
from docs.mathematics import mathematics  # noqa: E402
from docs.reliability import reliability  # noqa: E402
from docs.server import server  # noqa: E402

GENERATED = {
    "docs/conformance.md": conformance,
    "docs/fields.md": fields_page,
    "docs/ledger.md": ledger,
    "docs/mathematics.md": mathematics,
    "docs/reliability.md": reliability,
    "docs/server.md": server,
    "src/pitbook/sheets/checked.json": checked_sheets,
    "src/pitbook/sheets/clauses.json": clauses,
}
WITH_ANSWERS = ("README.md", "docs/rule-sheets.md")


def main() -> None:
    for name, text in documents().items():
        (ROOT / name).write_text(text, encoding="utf-8")
        print(name)


def documents() -> dict[str, str]:
    """Every generated or updated document, by its path in the project."""
    generated = {name: make() for name, make in GENERATED.items()}
    return generated | {
        name: refresh_answers((ROOT / name).read_text(encoding="utf-8")) for name in WITH_ANSWERS
    }


if __name__ == "__main__":
    main()
