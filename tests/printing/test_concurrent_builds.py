"""Two simultaneous builds into one folder leave one complete packet."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from threading import Thread

import pytest
from tests.printing.pdf_reader import sheet_of

from pitbook.printing import packet as filing
from pitbook.printing.packet import (
    PaperOrder,
    ProgressCallback,
    build,
    file_states,
    load_index,
    write_file,
)
from pitbook.sheets.model import Sheet

DAY = date(2026, 11, 17)


def fake_pdfs(_sheet: Sheet, order: PaperOrder, _done: ProgressCallback) -> dict[str, bytes]:
    """Fake papers that contain only their page size; typesetting is not tested here."""
    return {f"{name}.pdf": order.size.encode() for name in ("layout", "rules", "sign")}


@pytest.mark.long
def test_papers_of_two_builds_at_once_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = sheet_of("classic/casino-war")
    other = Thread(target=build, args=(sheet, tmp_path, PaperOrder(size="a4")), kwargs={"on": DAY})

    def write_then_start_other(path: Path, content: bytes) -> None:
        write_file(path, content)
        if not other.ident:  # Once, between the first build's first and second paper.
            other.start()
            other.join(timeout=0.3)

    monkeypatch.setattr(filing, "_make_files", fake_pdfs)
    monkeypatch.setattr(filing, "write_file", write_then_start_other)
    build(sheet, tmp_path, PaperOrder(), on=DAY)
    other.join()
    current = load_index(tmp_path)["current"]
    assert set(file_states(tmp_path, current).values()) == {"kept"}
    assert {path.read_bytes() for path in tmp_path.glob("*.pdf")} == {b"a4"}
