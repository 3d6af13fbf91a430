"""The packet: its files, superseded versions, redline, HTML and Spanish."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import date
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.command_line import Ask
from tests.lanes import spread
from tests.printing.pdf_reader import BUILT, SHEETS, blocks_by_key, pages, sheet_of, text

from pitbook import extras
from pitbook.errors import PitbookError
from pitbook.printing.changed_play import changed_play
from pitbook.printing.content import Drawing, Paragraph, numbered_blocks, plain
from pitbook.printing.html import html
from pitbook.printing.packet import PAPERS, PaperOrder, build, write_file
from pitbook.printing.redline import redline
from pitbook.printing.rules import rules
from pitbook.printing.typeset import pdf
from pitbook.printing.typeset import section_pages as pages_of
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.hashes import digest, packet_digest
from pitbook.sheets.library import BUNDLED
from pitbook.text import Sentence

NAME = "catfish-bend/mississippi-stud"
DAY = date(2026, 11, 17)


@pytest.mark.long
def test_build_writes_a_file_for_each_paper(ask: Ask, tmp_path: Path) -> None:
    document = ask("papers", "build", NAME, "-o", str(tmp_path / "packet"), "--json").document
    names = [*(f"{paper}.pdf" for paper in PAPERS), "checklist.pdf"]
    assert sorted(document["current"]["files"]) == sorted(names)
    for name, sha256 in document["current"]["files"].items():
        content = (tmp_path / "packet" / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == sha256
    assert document["current"]["hash"] == digest(sheet_of(NAME))


def test_new_version_keeps_the_previous_one_with_its_dates(ask: Ask, tmp_path: Path) -> None:
    sheet_file, packet = tmp_path / "own.toml", str(tmp_path / "packet")
    sheet_text = (BUNDLED / f"{NAME}.toml").read_text(encoding="utf-8")
    sheet_file.write_text(sheet_text, encoding="utf-8")
    ask("papers", "build", str(sheet_file), "-o", packet, "--only", "sign")
    first = (tmp_path / "packet" / "sign.pdf").read_bytes()
    sheet_file.write_text(sheet_text.replace('max = "500"', 'max = "400"'), encoding="utf-8")
    ask("papers", "build", str(sheet_file), "-o", packet, "--only", "sign")
    index = ask("papers", "list", packet, "--json").document
    (old,) = index["superseded"]
    assert (tmp_path / "packet" / old["folder"] / "sign.pdf").read_bytes() == first
    assert (tmp_path / "packet" / "sign.pdf").read_bytes() != first
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", old["superseded"])
    assert (old["effective"], old["approved"]) == ("2018-03-12", "2018-03-12")
    listing = ask("papers", "list", packet).out
    assert listing.index(index["current"]["paper"][:12]) < listing.index(old["paper"][:12])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--only", "rule"), 'no paper "rule". Did you mean "rules"?'),
        (("--jurisdiction", "Ohoi"), 'no checklist for "Ohoi"'),
        (("-o", ""), '--out names no folder; the one that you are in is named "."'),
    ],
)
def test_invalid_options_are_refused_with_a_remedy(
    ask: Ask, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("papers", "build", NAME, "-o", str(tmp_path), *arguments)
    assert answer.code == 1
    assert reason in answer.err
    assert list(tmp_path.iterdir()) == []


def test_papers_are_built_as_html_without_typst(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    arguments = ("papers", "build", NAME, "-o", str(tmp_path), "--only", "sign")
    assert 'pip install "pitbook[papers]"' in ask(*arguments).err
    assert ask(*arguments, "--format", "html").out == f"{tmp_path / 'sign.html'}\n"
    assert (tmp_path / "sign.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert ask("papers", "list", str(tmp_path)).out.endswith("  sign.html\n")


def test_missing_checklist_and_missing_folder_are_reported(ask: Ask, tmp_path: Path) -> None:
    out = tmp_path / "packet"
    arguments = ("papers", "build", "classic/casino-war", "-o", str(out), "--only", "checklist")
    for answer, reason in (
        (ask(*arguments), "there is no checklist for the jurisdiction of"),
        (ask("papers", "list", str(out)), f"there is no folder {out}"),
    ):
        assert answer.code == 1
        assert reason in answer.err
    assert not out.exists()


def test_edited_and_deleted_papers_are_listed(ask: Ask, tmp_path: Path) -> None:
    build(sheet_of(NAME), tmp_path, PaperOrder(only=("sign", "dealer-card")), on=DAY)
    assert ask("papers", "list", str(tmp_path)).out.endswith("  dealer-card.pdf, sign.pdf\n")
    (tmp_path / "sign.pdf").write_bytes(b"another")
    (tmp_path / "dealer-card.pdf").unlink()
    listing = ask("papers", "list", str(tmp_path)).out
    assert "dealer-card.pdf (gone), sign.pdf (edited since it was written)" in listing


def test_a_name_that_ends_in_a_stop_ends_its_sentence() -> None:
    sheet = change_sheet(sheet_of(NAME), {"house.venue": "River House Inc."})
    assert blocks_by_key(rules(sheet))["house.venue"]["text"] == "The venue is River House Inc."
    assert "Inc.." not in html(rules(sheet))


@pytest.mark.parametrize("files", [{"../own.toml": ""}, {"/etc/own.pdf": ""}, ["sign.pdf", 3]])
def test_forged_index_cannot_move_files_out_of_its_folder(
    ask: Ask, tmp_path: Path, files: object
) -> None:
    packet, named = tmp_path / "packet", {"filing": {"version": "../../1"}}
    sheet = change_sheet(sheet_of(NAME), named)
    build(sheet, packet, PaperOrder(only=("sign",)), on=DAY)
    later = change_sheet(sheet, {"seats.count": 5})
    (superseded,) = build(later, packet, PaperOrder(only=("sign",)), on=DAY)["superseded"]
    assert (packet / superseded["folder"]).resolve().is_relative_to(packet / "superseded")
    index = json.loads((packet / "papers.json").read_text(encoding="utf-8"))
    index["current"]["files"] = files
    (packet / "papers.json").write_text(json.dumps(index), encoding="utf-8")
    answer = ask("papers", "list", str(packet))
    assert answer.code == 1
    assert "is not a list of papers that Pitbook wrote" in answer.err


def test_unwritable_place_is_reported_before_figures_are_computed(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Computing figures would fail.
    monkeypatch.setattr("pitbook.printing.packet.report_figures", None)
    file = tmp_path / "file"
    file.write_text("as it was", encoding="utf-8")
    red = ("papers", "redline", NAME, NAME, "-o")
    for arguments, reason in (
        (("papers", "build", NAME, "-o", str(file / "packet")), f"{file} is not a folder"),
        ((*red, str(tmp_path)), "it is a folder"),
        ((*red, str(tmp_path / "none" / "red.pdf")), f"there is no folder {tmp_path / 'none'}"),
    ):
        answer = ask(*arguments)
        assert answer.code == 1
        assert f"cannot be written: {reason}; name another place" in answer.err
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(PitbookError, match=r"red\.pdf cannot be written"):
        write_file(file / "red.pdf", b"")  # The message does not mention the temporary file.


def test_folder_with_another_sheets_papers_is_refused(ask: Ask, tmp_path: Path) -> None:
    ask("papers", "build", NAME, "-o", str(tmp_path), "--only", "sign")
    answer = ask("papers", "build", "louisiana-stud/standard", "-o", str(tmp_path))
    assert answer.code == 1
    assert f"has papers of {NAME}" in answer.err


@pytest.mark.long
@pytest.mark.parametrize("paper", ["sign", "layout", "rack-card", "rules", "dealer-card"])
def test_sections_are_numbered_only_in_numbered_papers(paper: str) -> None:
    document = PAPERS[paper](sheet_of(NAME))
    words = text(pdf(document, built=BUILT))
    titles = [str(plain(section.title, "en")) for section in document.sections if section.title]
    assert all((f" {title}" in html(document)) is document.has_numbers for title in titles)
    for place, section in enumerate(document.sections, start=1):
        if section.title:
            assert (f"{place} {plain(section.title, 'en')}" in words) is document.has_numbers


@pytest.mark.long
def test_a_report_counts_its_tables_and_grids_without_a_gap() -> None:
    words = text(pdf(PAPERS["report"](sheet_of(NAME)), built=BUILT))
    part = words[words.index("Best strategy") : words.index("Value of each starting hand")]
    numbers = re.findall(r"\b\d\.(\d) [A-Z0-9]", part)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) > 2


def test_layout_lists_the_drawn_parts_at_their_drawn_sizes() -> None:
    sheet = change_sheet(sheet_of("catfish-bend/matchem-hi-lo"), {"seats.count": 12})
    layout = PAPERS["layout"](sheet)
    rows = {row[0]: row[1:] for row in blocks_by_key(layout)["parts"]["rows"]}
    assert "Double" not in rows
    (drawing,) = [block for block in layout.sections[0].blocks if isinstance(block, Drawing)]
    assert "Double" not in plain(drawing.alt, "en")
    scale = float(re.findall(r"scale\(([\d.]+)\)", drawing.svg)[0])
    assert scale < 1
    assert rows["L"][-1] == f"{104 * scale:.0f} × {84 * scale:.0f} mm"
    assert rows["Bet"][-1] == f"{66 * scale:.0f} mm"


@pytest.mark.long
def test_redline_lists_every_change_and_its_effect() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"main.pays.flush": "5:1", "filing": {"sponsor": "River House"}})
    paper = redline(a, b)
    words = text(pdf(paper, built=BUILT))
    assert "Flush pays 6 to 1" in words
    assert "Added: Sponsor. River House" in words
    assert "4.9149%" in words
    assert "Mathematical report" in words
    assert digest(a)[:12] in words
    assert packet_digest(b)[:12] in words
    rows = {row[0]: row for row in blocks_by_key(paper)["edges"]["rows"]}
    before, after, change = rows["Main game"][1:]
    assert float(after[:-1]) - float(before[:-1]) == pytest.approx(float(change), abs=2e-4)
    same = blocks_by_key(redline(a, a))
    assert same["rules none"]["text"] == "No rule changes."
    assert same["strategy none"]["text"] == "Best play does not change."


RUNS = {"kind": "runs", "title": "Play"}
POINTS = {"kind": "points", "title": "No ace"}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            {
                **RUNS,
                "rows": [["A K Q", "Q 6 4", ["1x"], [""]], ["Q 6 3", "5 3 2", ["fold"], [""]]],
            },
            {
                **RUNS,
                "rows": [["A K Q", "Q 6 3", ["1x"], [""]], ["Q 6 2", "5 3 2", ["fold"], [""]]],
            },
            "before: A K Q to Q 6 4: 1x; Q 6 3 to 5 3 2: fold. After: A K Q to Q 6 3: 1x",
        ),
        (
            {**RUNS, "rows": [["A", "5", ["1x", "fold"], ["", "J"]]]},
            {**RUNS, "rows": [["A", "5", ["1x", "fold"], ["", "Q"]]]},
            "before: A to 5: 1x, but fold against J. After: A to 5: 1x, but fold against Q.",
        ),
        (
            {**POINTS, "rows": [{"plays": ["low"], "low": [0, 13], "high": [0, 13]}]},
            {
                **POINTS,
                "rows": [
                    {"plays": ["low"], "low": [0, 12], "high": [0, 12]},
                    {"plays": ["high"], "low": [13, 13], "high": [13, 13]},
                ],
            },
            "one play changes: 13: low becomes high.",
        ),
    ],
)
def test_redline_finds_changes_of_best_play_at_any_line(
    before: dict[str, object], after: dict[str, object], expected: str
) -> None:
    (changes,) = changed_play([before], [after])
    assert expected in changes.text
    (same,) = changed_play([before], [before])
    assert "does not change" in same.text


@pytest.mark.long
@pytest.mark.parametrize("name", spread(SHEETS, 4))
def test_reasons_cite_paragraph_numbers_and_no_field_names(name: str) -> None:
    sheet = sheet_of(name)
    paper = rules(sheet)
    noted = {entry.number: getattr(entry.block, "notes", ()) for entry in numbered_blocks(paper)}
    (reasons,) = [section for section in paper.sections if section.key == "reasons"]
    for reason in reasons.blocks[1:]:  # The first one explains the dagger.
        assert isinstance(reason, Paragraph)
        assert isinstance(reason.text, Sentence)
        numbers, notes = reason.text.fields["numbers"], reason.text.fields["notes"]
        for number in numbers:  # A note that another one contains is not repeated.
            assert {*notes} <= {*noted[number]}, (number, notes)
            assert all(
                any(note in printed_note for printed_note in notes) for note in noted[number]
            ), number
    words = " ".join(block["text"] for block in blocks_by_key(paper).values() if "text" in block)
    fields = [wager for wager in sheet.side if "-" in wager]
    assert [wager for wager in fields if re.search(rf"\b{wager}\b", words)] == []
    assert (
        re.findall(r"one cards|best \w+ of \w+ cards, (?!and the dealer)|lie \.|\(\+", words) == []
    )
    assert pages_of(paper)["approval"].start == pages_of(paper)["approval"][-1]  # On one page.


def test_a_war_is_among_the_examples() -> None:
    blocks = blocks_by_key(rules(sheet_of("classic/casino-war")))
    assert "Play: Go to war." in blocks["example ante push"]["text"]
    assert "Tie, $5, tie: wins $50" in blocks["example ante push"]["text"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["classic/caribbean-stud", "pennsylvania/three-card-poker"])
def test_a_rare_tie_is_among_the_examples(name: str) -> None:
    blocks = blocks_by_key(rules(sheet_of(name)))
    assert "pushes" in blocks["example ante push"]["text"]


@pytest.mark.long
def test_redline_command(ask: Ask, tmp_path: Path) -> None:
    both = ("louisiana-stud/standard", "louisiana-stud/stax-required")
    document = ask("papers", "redline", *both, "-o", str(tmp_path / "red.pdf"), "--json").document
    assert pages((tmp_path / "red.pdf").read_bytes())
    assert {section["key"] for section in document["sections"]} >= {
        "sheets",
        "rules",
        "edge",
        "strategy",
    }


class _WordReader(HTMLParser):
    """The words of an HTML text; fails if its tags do not close."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """A drawing's tag that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("paper", list(PAPERS))
def test_html_has_the_same_content(paper: str) -> None:
    document = PAPERS[paper](change_sheet(sheet_of(NAME), {"title": "Stud <& Sons>"}))
    reader = _WordReader()
    reader.feed(html(document))
    assert reader.open == []
    words = " ".join(reader.words)
    assert "Stud <& Sons>" in words
    blocks = [*blocks_by_key(document).values()]
    assert [block["key"] for block in blocks if block.get("text", "") not in words] == []
    assert [block["key"] for block in blocks if block.get("about", "") not in words] == []


@pytest.mark.long
@pytest.mark.parametrize("name", spread(SHEETS, 3))
def test_papers_are_translated_to_spanish(name: str) -> None:
    content = plain(PAPERS["rules"](sheet_of(name)), "es")
    assert content["title"] == "Reglas del juego"
    assert content["sections"][0]["title"] == "Objeto del juego"
    page_texts = pages(pdf(PAPERS["sign"](sheet_of(name)), built=BUILT, language="es"))
    assert all("página" in page and "Límites de la mesa" in page for page in page_texts)


@pytest.mark.long
@pytest.mark.parametrize("paper", ["report", "strategy-card"])
def test_hands_of_best_play_are_translated_to_spanish(paper: str) -> None:
    words = text(pdf(PAPERS[paper](sheet_of(NAME)), built=BUILT, language="es"))
    assert "par de jotas o mejor" in words
    assert ("2 altas, 1 media" if paper == "report" else "2 puntos o más") in words
    assert [
        phrase for phrase in ("pair of", "three of a kind", " high", "middle") if phrase in words
    ] == []
