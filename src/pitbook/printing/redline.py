"""The redline: the changes from one sheet to another, as a paper for approval."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from pitbook.exact.compare import WagerComparison, compare_wagers
from pitbook.printing.changed_play import changed_play
from pitbook.printing.changed_values import (
    changed_values,
    edges_under_limits,
    pay_or_loss,
    redline_heads,
    wager_title,
)
from pitbook.printing.content import (
    Block,
    Paper,
    Paragraph,
    Section,
    Signatures,
    Table,
    numbered_blocks,
    plain,
    without_notes,
)
from pitbook.printing.numbers import percent, points
from pitbook.printing.packet import PAPERS
from pitbook.printing.page_texts import HASH_DIGITS, identity, version_of
from pitbook.printing.report_figures import StepCallback, report_figures
from pitbook.printing.rules import rules
from pitbook.printing.typeset import PageSize, page_contents
from pitbook.sheets.diff import PAPER_FIELDS, Difference, find_differences
from pitbook.sheets.field_types import Rule
from pitbook.sheets.findings import FieldPath
from pitbook.sheets.hashes import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.phrases import outcome
from pitbook.sheets.prose import RuleText, rule_texts
from pitbook.text import Sentence, capital, in_currency, locale_of, say


def clause_at(sheet: Sheet, path: Iterable[str | int]) -> str:
    """The clause of the innermost rule on the path to a field; empty if there is none.

    If the path does not say which of several parts it means, the first is used.
    """
    part: Any = sheet
    clause = ""
    for name in path:
        steps = [*_parts_inside(part, name)]
        rules = [step.clause for step in steps if isinstance(step, Rule)]
        part, clause = steps[-1], rules[-1] if rules else clause
    return clause


def _parts_inside(part: Any, name: str | int) -> Iterator[Any]:
    """The parts that one step of a path leads through, by way of the first of several."""
    if isinstance(part, tuple):
        if isinstance(name, int):
            yield part[name] if name < len(part) else None
            return
        part = part[0] if part else None
        yield part
    if isinstance(part, Mapping):
        yield part.get(name)
    else:
        yield getattr(part, "value" if name == "is" else str(name), None)


TITLED_PARTS = ("side", "wagers", "streets", "decisions", "variants")
WORD_FIELDS = ("clause", "note", "document", "dated", "departs")


def wording_changes(a: Sheet, b: Sheet) -> Iterator[Paragraph]:
    """Every changed clause, note or source of a part that both sheets have.

    Sheets from two documents differ throughout; one paragraph says so.
    """
    if a.id != b.id and a.source.document != b.source.document:
        fields = {"a": a.source.document, "b": b.source.document}
        yield Paragraph(say("papers.redline.two-documents", **fields), "words", verbatim=True)
        return
    before, after = (sheet.model_dump(mode="json", by_alias=True) for sheet in (a, b))
    for path, old, new in _pairs(before, after, ()):
        place = _describe_place(b, path[:-1])
        fields = {"place": place, "what": path[-1], "a": old or "", "b": new or ""}
        change = "changed" if old and new else "put-in" if new else "taken-out"
        text = say("papers.redline.worded", how=change, **fields)
        yield Paragraph(text, f"words {' '.join(path)}", verbatim=True)


def _describe_place(sheet: Sheet, path: tuple[str, ...]) -> Sentence:
    """A place as a reader finds it: a wager by its title, a rule by its heading and label."""
    if title := _title(sheet, path):
        part = next((name for name in reversed(path[2:]) if not name.isdigit()), "none")
        return say("papers.redline.part-of", title=title, part=part)
    texts = rule_texts(sheet)
    for length in range(len(path), 0, -1):
        rules = [
            text
            for text in texts
            if any(_starts_with(field, path[:length]) for field in text.paths)
        ]
        if rules:
            rule = next((text for text in rules if text.label is not None), rules[0])
            name = rule.label or rule.sentence
            return say("papers.redline.place", heading=rule.heading, name=name)
    return say("papers.redline.source")


def _starts_with(field: FieldPath, path: tuple[str, ...]) -> bool:
    return tuple(map(str, field[: len(path)])) == path


def _title(sheet: Sheet, path: tuple[str, ...]) -> str:
    """The title of the wager, street or pay table on the path, if any."""
    if len(path) < 2 or path[0] not in TITLED_PARTS:
        return ""
    titled = getattr(sheet, path[0])
    part = titled[path[1]] if isinstance(titled, Mapping) else titled[int(path[1]) - 1]
    return str(part.title)


def _pairs(a: Any, b: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Changed texts that both sheets have, recursively; the rules show the other changes."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in a:
            old, new = a[name], b.get(name)
            if name in PAPER_FIELDS and not path:
                continue
            if name in WORD_FIELDS and old != new:
                yield (*path, name), old, new
            elif name not in WORD_FIELDS:
                yield from _pairs(old, new, (*path, name))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (old, new) in enumerate(zip(a, b, strict=True), start=1):
            yield from _pairs(old, new, (*path, str(number)))


def changed_papers(a: Sheet, b: Sheet, *, language: str, size: PageSize) -> Iterator[Block]:
    """The papers that change in more than the foot of a page, with sections and pages."""
    languages = [locale_of(language, sheet.house.currency) for sheet in (a, b)]
    rows = []
    for make in PAPERS.values():
        old, new = make(a), make(b)
        before, after = (
            page_contents(paper, language=words, size=size)
            for paper, words in zip((old, new), languages, strict=True)
        )
        pages = [
            page for page, content in enumerate(after, 1) if before[page - 1 : page] != [content]
        ]
        if pages or len(after) != len(before):
            sections = (*_opening(old, new, languages), *_sections(old, new, languages))
            rows.append((new.title, _number_list(sections), _number_list(number_ranges(pages))))
    head = redline_heads("paper", "sections", "pages")
    if rows:
        yield Table("", head, tuple(rows), "lll", "pages")
    if packet_digest(a) != packet_digest(b):
        yield Paragraph(say("papers.redline.every-page"), "every page", kind="remark")


def _opening(old: Paper, new: Paper, languages: list[str]) -> Iterator[Sentence]:
    """Opening" if the game's title or the lines below it changed."""
    before, after = (
        plain((paper.identity.title, paper.about), language)
        for paper, language in zip((old, new), languages, strict=True)
    )
    if before != after:
        yield say("papers.redline.opening")


def _sections(old: Paper, new: Paper, languages: list[str]) -> tuple[str, ...]:
    """Changed or moved sections, by number or by heading."""
    before, after = (
        [without_notes(plain(section, language)) for section in paper.sections]
        for paper, language in zip((old, new), languages, strict=True)
    )
    places = [
        number
        for number, content in enumerate(after, 1)
        if before[number - 1 : number] != [content]
    ]
    if new.has_numbers:
        return number_ranges(places)
    return tuple(filter(None, (new.sections[number - 1].heading for number in places)))


def _number_list(numbers: tuple[str, ...]) -> Sentence:
    return say("papers.redline.sections", numbers=numbers or ("\u2013",))


def number_ranges(numbers: list[int]) -> tuple[str, ...]:
    """Numbers with consecutive ones joined to ranges."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return tuple(f"{run[0]}\u2013{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def redline(
    a: Sheet,
    b: Sheet,
    on_step: StepCallback = lambda _: None,
    *,
    language: str = "en",
    size: PageSize = "letter",
) -> Paper:
    """The changes from the first sheet to the second, for the person who approves them.

    Page numbers are those of a packet in this language and page size.
    """
    on_step("mathematics")
    languages = [locale_of(language, sheet.house.currency) for sheet in (a, b)]
    sections = [
        _section("sheets", _sheets(a, b)),
        _section("rules", _rules(a, b)),
        _section("paperwork", chain(_paperwork(a, b), wording_changes(a, b))),
        _section("amended", amended_rules(a, b, languages)),
        _section("edge", chain(changed_values(a, b), _paperwork_effect(a, b), _edges(a, b))),
        _section("strategy", _play(a, b, on_step)),
        _section("pages", changed_papers(a, b, language=language, size=size)),
        _section("signed", _signatures()),
    ]
    title = say("papers.redline.title")
    same_version = (a.id, version_of(a)) == (b.id, version_of(b))
    about = (
        say(
            "papers.redline.about",
            a=_sheet_label(a, with_hash=same_version),
            b=_sheet_label(b, with_hash=same_version),
        ),
    )
    return Paper(
        "redline",
        title,
        about,
        identity(b, "redline"),
        tuple(section for section in sections if section.blocks),
    )


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.redline.section", part=key), tuple(blocks), key)


def _sheet_label(sheet: Sheet, *, with_hash: bool) -> Sentence:
    """A sheet by its version, and by its hash if both sheets have the same version."""
    fields = {"sheet": sheet.id, "version": version_of(sheet)}
    return say(
        "papers.redline.sheet", **fields, alike=with_hash, hash=packet_digest(sheet)[:HASH_DIGITS]
    )


def _sheets(a: Sheet, b: Sheet) -> Iterator[Block]:
    facts = (
        ("sheet", a.id, b.id),
        ("title", a.title, b.title),
        ("version", *_versions(a, b)),
        ("rules", digest(a)[:HASH_DIGITS], digest(b)[:HASH_DIGITS]),
        ("paper", packet_digest(a)[:HASH_DIGITS], packet_digest(b)[:HASH_DIGITS]),
    )
    rows = tuple((say("papers.redline.fact", fact=name), *values) for name, *values in facts)
    yield Table("", redline_heads("what", "before", "after"), rows, "lll", "sheets")


def _versions(a: Sheet, b: Sheet) -> tuple[str, str]:
    """Both versions, with the rules hash added if the names match but the rules differ."""
    versions = version_of(a), version_of(b)
    hashes = digest(a)[:HASH_DIGITS], digest(b)[:HASH_DIGITS]
    if versions[0] != versions[1] or hashes[0] == hashes[1]:
        return versions
    first, second = (
        say("papers.redline.version", version=version, hash=rules_hash)
        for version, rules_hash in zip(versions, hashes, strict=True)
    )
    return first, second


def _rules(a: Sheet, b: Sheet) -> Iterator[Block]:
    differences = [
        difference for difference in find_differences(a, b) if not _is_only_title(difference)
    ]
    if not differences:
        yield Paragraph(say("papers.redline.no-rules"), "rules none")
    for difference in differences:
        clauses = dict.fromkeys((clause_at(a, difference.path), clause_at(b, difference.path)))
        key = ".".join(map(str, difference.path))
        text = capital(_use_titles(difference.words))
        yield Paragraph(text, f"rule {key}", tuple(clause for clause in clauses if clause))


def _use_titles(part: Any) -> Any:
    """A sentence with pay tables called by their titles instead of their ids."""
    if isinstance(part, tuple | list):
        return tuple(map(_use_titles, part))
    if not isinstance(part, Sentence) or not part.fields:
        return part
    if part.key == "aloud.variants.one":
        return part.fields["title"]
    return say(part.key, **{name: _use_titles(field) for name, field in part.fields.items()})


def _is_only_title(difference: Difference) -> bool:
    """Whether the difference is only the title of a wager that one sheet lacks."""
    return (
        difference.path[-1] == "title"
        and len(difference.path) > 1
        and None in (difference.a, difference.b)
    )


def _paperwork(a: Sheet, b: Sheet) -> Iterator[Block]:
    """Changes of procedures, notices and the filing, which no rule depends on."""
    before, after = _paperwork_rules(a), _paperwork_rules(b)
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if old and new and old.sentence == new.sentence:
            continue
        for change, rule_text in (("taken-out", old), ("put-in", new)):
            if rule_text is not None:
                words = say(
                    "papers.redline.labeled", label=rule_text.label or "", text=rule_text.short
                )
                localized = in_currency(words, (a if rule_text is old else b).house.currency)
                text = say("papers.redline.alone", how=change, text=localized)
                yield Paragraph(text, f"{change} {key}", rule_text.clauses)


def _paperwork_effect(a: Sheet, b: Sheet) -> Iterator[Block]:
    if any(_paperwork(a, b)):
        yield Paragraph(say("papers.redline.paperwork-effect"), "paperwork effect", kind="remark")


def _paperwork_rules(sheet: Sheet) -> dict[str, RuleText]:
    texts = (text for text in rule_texts(sheet) if text.paths and text.paths[0])
    return {text.key: text for text in texts if text.paths[0][0] in PAPER_FIELDS}


def _play(a: Sheet, b: Sheet, on_step: StepCallback) -> Iterator[Block]:
    if a.family != b.family:
        yield Paragraph(say("papers.redline.other-game"), "strategy other")
        return
    yield from changed_play(*(report_figures(sheet, on_step).decisions for sheet in (a, b)))


def same_game(a: Sheet, b: Sheet) -> bool:
    """Whether two sheets are versions of one game: one sheet, or one family and one title.

    What follows a comma in a title names a version: "Louisiana Stud, STAX required".
    """
    titles = {sheet.title.partition(",")[0].strip().casefold() for sheet in (a, b)}
    return a.id == b.id or (a.family == b.family and len(titles) == 1)


def _signatures() -> Iterator[Block]:
    lines = tuple((say("papers.redline.sign", line=line), "") for line in ("by", "name", "date"))
    yield Signatures(lines, key="approval")


def _edges(a: Sheet, b: Sheet) -> Iterator[Block]:
    comparisons = compare_wagers(a, b)
    rows = tuple(
        (
            wager_title(a, b, comparison.wager),
            _edge(comparison.a),
            _edge(comparison.b),
            _change(comparison.difference),
        )
        for comparison in comparisons
    )
    head = redline_heads("wager", "before", "after", "change")
    yield Table(say("papers.redline.edges"), head, rows, "lrrr", "edges")
    for comparison in comparisons:
        if comparison.lines:
            yield _lines(a, b, comparison)
    yield from edges_under_limits(a, b)


def _edge(edge: Fraction | None) -> str:
    return say("papers.redline.not-offered") if edge is None else percent(edge)


def _change(change: Fraction | None) -> str:
    return "" if change is None else points(change)


def _lines(a: Sheet, b: Sheet, comparison: WagerComparison) -> Table:
    rows = [
        (
            capital(outcome(line.line)),
            pay_or_loss(line.a, a, comparison.wager),
            pay_or_loss(line.b, b, comparison.wager),
            percent(line.probability),
            points(line.edge),
        )
        for line in comparison.lines
    ]
    rows.append((say("papers.redline.together"), "", "", "", points(comparison.interaction)))
    if comparison.other_rules:
        rows.append((say("papers.redline.other-rules"), "", "", "", points(comparison.other_rules)))
    rows.append((say("papers.redline.whole"), "", "", "", _change(comparison.difference)))
    head = redline_heads("hand", "before", "after", "often", "change")
    last = (len(rows) - 1,)
    title = wager_title(a, b, comparison.wager)
    return Table(title, head, tuple(rows), "lrrrr", f"lines {comparison.wager}", strong=last)


Edit = tuple[str, str]  # "same", "deleted" or "inserted", and the text.
WORD = re.compile(r"\S+\s*")


class _Passage(NamedTuple):
    """A paragraph or a row of a table as it is printed."""

    number: str
    section: str
    text: str
    clauses: tuple[str, ...]


def amended_rules(a: Sheet, b: Sheet, languages: list[str]) -> Iterator[Block]:
    """Every passage that differs, in the order of the new paper; deleted ones end their section."""
    before, after = (
        dict(_find_passages(sheet, language))
        for sheet, language in zip((a, b), languages, strict=True)
    )
    sections = dict.fromkeys(passage.section for passage in (*after.values(), *before.values()))
    for section in sections:
        keys = [key for key, passage in after.items() if passage.section == section]
        keys += [key for key in before if key not in after and before[key].section == section]
        for key in keys:
            old, new = before.get(key), after.get(key)
            if (old and old.text) != (new and new.text):
                yield _marked_paragraph(key, old, new)


def _marked_paragraph(key: str, old: _Passage | None, new: _Passage | None) -> Paragraph:
    passage = new or old
    assert passage is not None
    edits = tuple(compare_words(old.text if old else "", new.text if new else ""))
    return Paragraph(
        new.text if new else "",
        f"amended {key}",
        passage.clauses,
        lead=say("papers.redline.paragraph", number=passage.number, deleted=new is None),
        verbatim=True,
        edits=edits,
    )


def compare_words(old: str, new: str) -> Iterator[Edit]:
    """The edits that turn one text into the other, word by word.

    >>> list(compare_words("pays 6 to 1", "pays 7 to 1"))
    [('same', 'pays '), ('deleted', '6 '), ('inserted', '7 '), ('same', 'to 1')]
    """
    a, b = WORD.findall(old), WORD.findall(new)
    for kind, first, last, start, end in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            yield "same", "".join(b[start:end])
            continue
        if last > first:
            yield "deleted", "".join(a[first:last])
        if end > start:
            yield "inserted", "".join(b[start:end])


def _find_passages(sheet: Sheet, language: str) -> Iterator[tuple[str, _Passage]]:
    for entry in numbered_blocks(rules(sheet)):
        block = entry.block
        if isinstance(block, Paragraph):
            printed = plain(block, language)
            text = " ".join(filter(None, (printed["lead"], printed["text"])))
            yield block.key, _Passage(entry.number, entry.section, text, block.clauses)
        elif isinstance(block, Table):
            yield from _rows(block, entry.number, entry.section, language)


def _rows(table: Table, number: str, section: str, language: str) -> Iterator[tuple[str, _Passage]]:
    printed = plain(table, language)
    named = 2 if len(table.align) > len("lrr") else 1  # A long row opens with a seat and a wager.
    for row in printed["rows"]:
        text = ": ".join(filter(None, (printed["title"], ", ".join(filter(None, row)))))
        key = " ".join((table.key, *row[:named]))
        yield key, _Passage(number, section, text, table.clauses)
