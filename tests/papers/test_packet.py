"""The packet: its files, what a new version supersedes, redline, HTML and Spanish."""

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
from tests.papers.read_back import BUILT, SHEETS, keyed, pages, sheet_of, text

from pitbook.errors import PitbookError
from pitbook.papers.changed_play import changed_play
from pitbook.papers.content import Drawing, Paragraph, numbered, plain
from pitbook.papers.html import html
from pitbook.papers.packet import PAPERS, PaperOrder, build, written
from pitbook.papers.redline import redline
from pitbook.papers.rules import rules
from pitbook.papers.typeset import pages as pages_of
from pitbook.papers.typeset import pdf
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.edit import change_sheet
from pitbook.sheets.library import BUNDLED
from pitbook.text import Sentence

NAME = "catfish-bend/mississippi-stud"
DAY = date(2026, 11, 17)


@pytest.mark.long
def test_build_writes_a_file_for_each_paper(ask: Ask, tmp_path: Path) -> None:
    told = ask("papers", "build", NAME, "-o", str(tmp_path / "packet"), "--json").document
    names = [*(f"{one}.pdf" for one in PAPERS), "checklist.pdf"]
    assert sorted(told["current"]["files"]) == sorted(names)
    for name, known in told["current"]["files"].items():
        content = (tmp_path / "packet" / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == known
    assert told["current"]["hash"] == digest(sheet_of(NAME))


def test_a_new_version_keeps_the_one_before_with_its_dates(ask: Ask, tmp_path: Path) -> None:
    own, packet = tmp_path / "own.toml", str(tmp_path / "packet")
    written = (BUNDLED / f"{NAME}.toml").read_text(encoding="utf-8")
    own.write_text(written, encoding="utf-8")
    ask("papers", "build", str(own), "-o", packet, "--only", "sign")
    first = (tmp_path / "packet" / "sign.pdf").read_bytes()
    own.write_text(written.replace('max = "500"', 'max = "400"'), encoding="utf-8")
    ask("papers", "build", str(own), "-o", packet, "--only", "sign")
    told = ask("papers", "list", packet, "--json").document
    (old,) = told["superseded"]
    assert (tmp_path / "packet" / old["folder"] / "sign.pdf").read_bytes() == first
    assert (tmp_path / "packet" / "sign.pdf").read_bytes() != first
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", old["superseded"])
    assert (old["effective"], old["approved"]) == ("2018-03-12", "2018-03-12")
    shown = ask("papers", "list", packet).out
    assert shown.index(told["current"]["paper"][:12]) < shown.index(old["paper"][:12])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--only", "rule"), 'no paper "rule"; did you mean "rules"?'),
        (("--jurisdiction", "Ohoi"), 'no checklist for "Ohoi"'),
        (("-o", ""), '--out names no folder; the one that you are in is named "."'),
    ],
)
def test_bad_wishes_are_refused_with_a_remedy(
    ask: Ask, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    answer = ask("papers", "build", NAME, "-o", str(tmp_path), *arguments)
    assert answer.code == 1
    assert reason in answer.err
    assert list(tmp_path.iterdir()) == []


def test_a_checklist_of_no_state_and_a_folder_that_is_none_are_said(
    ask: Ask, tmp_path: Path
) -> None:
    out = tmp_path / "packet"
    asked = ("papers", "build", "classic/casino-war", "-o", str(out), "--only", "checklist")
    for answer, reason in (
        (ask(*asked), "under no state that has a checklist; name one with --jurisdiction"),
        (ask("papers", "list", str(out)), f"there is no folder {out}"),
    ):
        assert answer.code == 1
        assert reason in answer.err
    assert not out.exists()


def test_a_paper_that_was_edited_or_taken_away_is_named(ask: Ask, tmp_path: Path) -> None:
    build(sheet_of(NAME), tmp_path, PaperOrder(only=("sign", "dealer-card")), on=DAY)
    assert ask("papers", "list", str(tmp_path)).out.endswith("  dealer-card.pdf, sign.pdf\n")
    (tmp_path / "sign.pdf").write_bytes(b"another")
    (tmp_path / "dealer-card.pdf").unlink()
    shown = ask("papers", "list", str(tmp_path)).out
    assert "dealer-card.pdf (gone), sign.pdf (edited since it was written)" in shown


def test_a_name_that_ends_in_a_stop_ends_its_sentence() -> None:
    sheet = change_sheet(sheet_of(NAME), {"house.venue": "River House Inc."})
    assert keyed(rules(sheet))["house.venue"]["text"] == "The venue is River House Inc."
    assert "Inc.." not in html(rules(sheet))


@pytest.mark.parametrize("files", [{"../own.toml": ""}, {"/etc/own.pdf": ""}, ["sign.pdf", 3]])
def test_a_list_made_by_hand_moves_nothing_out_of_its_folder(
    ask: Ask, tmp_path: Path, files: object
) -> None:
    packet, named = tmp_path / "packet", {"filing": {"version": "../../1"}}
    sheet = change_sheet(sheet_of(NAME), named)
    build(sheet, packet, PaperOrder(only=("sign",)), on=DAY)
    later = change_sheet(sheet, {"seats.count": 5})
    (kept,) = build(later, packet, PaperOrder(only=("sign",)), on=DAY)["superseded"]
    assert (packet / kept["folder"]).resolve().is_relative_to(packet / "superseded")
    index = json.loads((packet / "papers.json").read_text(encoding="utf-8"))
    index["current"]["files"] = files
    (packet / "papers.json").write_text(json.dumps(index), encoding="utf-8")
    answer = ask("papers", "list", str(packet))
    assert answer.code == 1
    assert "is no list of papers that Pitbook wrote" in answer.err


def test_a_place_that_cannot_be_written_is_named_before_anything_is_worked_out(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.papers.packet.measured", None)  # Whoever asks for figures fails.
    file = tmp_path / "file"
    file.write_text("as it was", encoding="utf-8")
    red = ("papers", "redline", NAME, NAME, "-o")
    for asked, reason in (
        (("papers", "build", NAME, "-o", str(file / "packet")), f"{file} is no folder"),
        ((*red, str(tmp_path)), "it is a folder"),
        ((*red, str(tmp_path / "none" / "red.pdf")), f"there is no folder {tmp_path / 'none'}"),
    ):
        answer = ask(*asked)
        assert answer.code == 1
        assert f"cannot be written: {reason}; name another place" in answer.err
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(PitbookError, match=r"red\.pdf cannot be written"):
        written(file / "red.pdf", b"")  # No word of the part that it is written by.


def test_papers_of_another_sheet_are_not_mixed_up(ask: Ask, tmp_path: Path) -> None:
    ask("papers", "build", NAME, "-o", str(tmp_path), "--only", "sign")
    answer = ask("papers", "build", "louisiana-stud/standard", "-o", str(tmp_path))
    assert answer.code == 1
    assert f"holds papers of {NAME}" in answer.err


@pytest.mark.long
@pytest.mark.parametrize("paper", ["sign", "layout", "rack-card", "rules", "dealer-card"])
def test_numbers_are_cited_where_a_reader_finds_them_and_only_there(paper: str) -> None:
    made = PAPERS[paper](sheet_of(NAME))
    words = text(pdf(made, built=BUILT))
    titles = [str(plain(one.title, "en")) for one in made.sections if one.title]
    assert all((f" {title}" in html(made)) is made.has_numbers for title in titles)
    for place, one in enumerate(made.sections, start=1):
        if one.title:
            assert (f"{place} {plain(one.title, 'en')}" in words) is made.has_numbers


@pytest.mark.long
def test_a_report_counts_its_tables_and_grids_without_a_gap() -> None:
    words = text(pdf(PAPERS["report"](sheet_of(NAME)), built=BUILT))
    part = words[words.index("Best strategy") : words.index("What simpler play costs")]
    found = re.findall(r"\b\d\.(\d) [A-Z0-9]", part)
    assert found == [str(one) for one in range(1, len(found) + 1)]
    assert len(found) > 2


def test_a_layout_lists_what_is_drawn_as_large_as_it_is_drawn() -> None:
    sheet = change_sheet(sheet_of("catfish-bend/matchem-hi-lo"), {"seats.count": 12})
    made = PAPERS["layout"](sheet)
    rows = {one[0]: one[1:] for one in keyed(made)["parts"]["rows"]}
    assert "Double" not in rows
    (drawing,) = [one for one in made.sections[0].blocks if isinstance(one, Drawing)]
    assert "Double" not in plain(drawing.alt, "en")
    by = float(re.findall(r"scale\(([\d.]+)\)", drawing.svg)[0])
    assert by < 1
    assert rows["L"][-1] == f"{104 * by:.0f} × {84 * by:.0f} mm"
    assert rows["Bet"][-1] == f"{66 * by:.0f} mm"


@pytest.mark.long
def test_a_redline_tells_every_change_and_what_it_is_worth() -> None:
    a = sheet_of(NAME)
    b = change_sheet(a, {"main.pays.flush": "5:1", "filing": {"sponsor": "River House"}})
    paper = redline(a, b)
    read = text(pdf(paper, built=BUILT))
    assert "Flush pays 6 to 1" in read
    assert "Put in: Sponsor. River House" in read
    assert "4.9149%" in read
    assert "Mathematical report" in read
    assert digest(a)[:12] in read
    assert packet_digest(b)[:12] in read
    rows = {one[0]: one for one in keyed(paper)["edges"]["rows"]}
    before, after, change = rows["Main game"][1:]
    assert float(after[:-1]) - float(before[:-1]) == pytest.approx(float(change), abs=2e-4)
    same = keyed(redline(a, a))
    assert same["rules none"]["text"] == "No rule changes."
    assert same["strategy none"]["text"] == "Best play does not change."


RUNS = {"kind": "runs", "title": "Play"}
POINTS = {"kind": "points", "title": "No ace"}


@pytest.mark.parametrize(
    ("before", "after", "told"),
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
def test_a_redline_sees_best_play_change_whatever_its_lines_end_with(
    before: dict[str, object], after: dict[str, object], told: str
) -> None:
    both = [{"strategy": [one], "card": {"parts": []}} for one in (before, after)]
    (changes,) = changed_play(*both)
    assert told in changes.text
    (same,) = changed_play(both[0], both[0])
    assert "does not change" in same.text


@pytest.mark.long
@pytest.mark.parametrize("name", spread(SHEETS, 4))
def test_rules_cite_by_their_numbers_and_name_no_field(name: str) -> None:
    sheet = sheet_of(name)
    paper = rules(sheet)
    noted = {one.number: getattr(one.block, "notes", ()) for one in numbered(paper)}
    (reasons,) = [one for one in paper.sections if one.key == "reasons"]
    for one in reasons.blocks[1:]:  # The first says what a star is.
        assert isinstance(one, Paragraph)
        assert isinstance(one.text, Sentence)
        numbers, notes = one.text.fields["numbers"], one.text.fields["notes"]
        assert all(notes == noted[number] for number in numbers), (numbers, notes)
    said = " ".join(one["text"] for one in keyed(paper).values() if "text" in one)
    fields = [one for one in sheet.side if "-" in one]
    assert [one for one in fields if re.search(rf"\b{one}\b", said)] == []
    assert re.findall(r"one cards|best \w+ of \w+ cards, |lie \.|\(\+", said) == []
    assert pages_of(paper)["approval"].start == pages_of(paper)["approval"][-1]  # On one page.


def test_a_war_is_among_the_examples() -> None:
    told = keyed(rules(sheet_of("classic/casino-war")))
    assert "The player plays: War." in told["example ante push"]["text"]
    assert "Tie, $5, tie: wins $50" in told["example ante push"]["text"]


@pytest.mark.long
@pytest.mark.parametrize("name", ["classic/caribbean-stud", "pennsylvania/three-card-poker"])
def test_a_tie_is_among_the_examples_however_seldom_it_comes(name: str) -> None:
    told = keyed(rules(sheet_of(name)))
    assert "pushes" in told["example ante push"]["text"]


@pytest.mark.long
def test_redline_is_a_command(ask: Ask, tmp_path: Path) -> None:
    both = ("louisiana-stud/standard", "louisiana-stud/stax-required")
    told = ask("papers", "redline", *both, "-o", str(tmp_path / "red.pdf"), "--json").document
    assert pages((tmp_path / "red.pdf").read_bytes())
    assert {one["key"] for one in told["sections"]} >= {"sheets", "rules", "edge", "strategy"}


class _Words(HTMLParser):
    """The words of an HTML text, and whether its tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        """A tag of a drawing that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("paper", list(PAPERS))
def test_html_has_the_same_content(paper: str) -> None:
    made = PAPERS[paper](change_sheet(sheet_of(NAME), {"title": "Stud <& Sons>"}))
    reader = _Words()
    reader.feed(html(made))
    assert reader.open == []
    words = " ".join(reader.words)
    assert "Stud <& Sons>" in words
    told = [*keyed(made).values()]
    assert [one["key"] for one in told if one.get("text", "") not in words] == []
    assert [one["key"] for one in told if one.get("about", "") not in words] == []


@pytest.mark.long
@pytest.mark.parametrize("name", spread(SHEETS, 3))
def test_papers_are_worded_in_spanish_too(name: str) -> None:
    told = plain(PAPERS["rules"](sheet_of(name)), "es")
    assert told["title"] == "Reglas del juego"
    assert told["sections"][0]["title"] == "Objeto del juego"
    read = pages(pdf(PAPERS["sign"](sheet_of(name)), built=BUILT, language="es"))
    assert all("página" in one and "Límites de la mesa" in one for one in read)


@pytest.mark.long
@pytest.mark.parametrize("paper", ["report", "strategy-card"])
def test_hands_of_best_play_are_worded_in_spanish_too(paper: str) -> None:
    words = text(pdf(PAPERS[paper](sheet_of(NAME)), built=BUILT, language="es"))
    assert "par de jotas o mejor" in words
    assert "2 altas, 1 media" in words
    assert [one for one in ("pair of", "three of a kind", " high", "middle") if one in words] == []
