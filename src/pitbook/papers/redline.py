"""The redline: what changes from one sheet to another, as a paper to be approved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

from pitbook.exact.compare import WagerComparison, compare
from pitbook.money import Cents, dollars, odds
from pitbook.papers.changed_play import changed_play
from pitbook.papers.content import Block, Paper, Paragraph, Section, Table, plain, without_notes
from pitbook.papers.figures import HearStep, report_figures
from pitbook.papers.identity import SHOWN, identity, version_of
from pitbook.papers.numbers import percent, points
from pitbook.papers.packet import PAPERS
from pitbook.papers.pay_tables import pay_said
from pitbook.papers.typeset import PageSize, printed
from pitbook.sheets.diff import PAPERS_ALONE, Difference, diff
from pitbook.sheets.digest import digest, packet_digest
from pitbook.sheets.model import Sheet
from pitbook.sheets.parts import Stake
from pitbook.sheets.prose.rule_text import RuleText
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.prose.words import outcome
from pitbook.sheets.values import Rule
from pitbook.text import Sentence, capital, in_currency, say, speech


def clause_at(sheet: Sheet, path: Iterable[str | int]) -> str:
    """The clause of the innermost rule on the way to a field; nothing where there is none.

    What a path leaves out, as which of several streets it is, is taken for the first.
    """
    part: Any = sheet
    found = ""
    for name in path:
        steps = [*_inside(part, name)]
        rules = [one.clause for one in steps if isinstance(one, Rule)]
        part, found = steps[-1], rules[-1] if rules else found
    return found


def _inside(part: Any, name: str | int) -> Iterator[Any]:
    """What a step leads to, by way of the first of several where it does not say which."""
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


TITLED = ("side", "wagers", "streets", "decisions", "variants")
WORDS = ("clause", "note", "document", "dated", "departs")


def changed_words(a: Sheet, b: Sheet) -> Iterator[Paragraph]:
    """Every clause, reason and source of something that both sheets have and that reads otherwise.

    Sheets of two documents have clauses and reasons of their own throughout: that is told as one.
    """
    if a.id != b.id and a.source.document != b.source.document:
        told = {"a": a.source.document, "b": b.source.document}
        yield Paragraph(say("papers.redline.two-documents", **told), "words", verbatim=True)
        return
    before, after = (one.model_dump(mode="json", by_alias=True) for one in (a, b))
    for path, old, new in _pairs(before, after, ()):
        place = _placed(b, path[:-1])
        told = {"place": place, "what": path[-1], "a": old or "", "b": new or ""}
        how = "changed" if old and new else "put-in" if new else "taken-out"
        text = say("papers.redline.worded", how=how, **told)
        yield Paragraph(text, f"words {' '.join(path)}", verbatim=True)


def _placed(sheet: Sheet, path: tuple[str, ...]) -> str:
    """Where something stands, as a reader finds it: a wager by its title and not by its id."""
    named = _title(sheet, path)
    rest = path[2:] if named else path
    return " ".join([*filter(None, [named]), *(one.replace("_", " ") for one in rest)])


def _title(sheet: Sheet, path: tuple[str, ...]) -> str:
    """The title of the wager, street or other pay table that a path leads through, if any."""
    if len(path) < 2 or path[0] not in TITLED:
        return ""
    some = getattr(sheet, path[0])
    found = some[path[1]] if isinstance(some, Mapping) else some[int(path[1]) - 1]
    return str(found.title)


def _pairs(a: Any, b: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """What both have at a place, all the way down; what one of them lacks is told by the rules."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in a:
            old, new = a[name], b.get(name)
            if name in PAPERS_ALONE and not path:
                continue
            if name in WORDS and old != new:
                yield (*path, name), old, new
            elif name not in WORDS:
                yield from _pairs(old, new, (*path, name))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for number, (old, new) in enumerate(zip(a, b, strict=True), start=1):
            yield from _pairs(old, new, (*path, str(number)))


def replaced(a: Sheet, b: Sheet, *, language: str, size: PageSize) -> Iterator[Block]:
    """The papers in which more than the foot of a page is another, as the new packet is printed."""
    spoken = [speech(language, one.house.currency) for one in (a, b)]
    rows = []
    for make in PAPERS.values():
        old, new = make(a), make(b)
        before, after = (
            printed(one, language=words, size=size)
            for one, words in zip((old, new), spoken, strict=True)
        )
        pages = [page for page, has in enumerate(after, 1) if before[page - 1 : page] != [has]]
        if pages or len(after) != len(before):
            sections = (*_opening(old, new, spoken), *_sections(old, new, spoken))
            rows.append((new.title, _listed(sections), _listed(spans(pages))))
    head = tuple(say("papers.redline.head", column=one) for one in ("paper", "sections", "pages"))
    if rows:
        yield Table("", head, tuple(rows), "lll", "pages")
    if packet_digest(a) != packet_digest(b):
        yield Paragraph(say("papers.redline.every-page"), "every page", kind="remark")


def _opening(old: Paper, new: Paper, spoken: list[str]) -> Iterator[Sentence]:
    """What stands over the first section: the game's name, and what is said under it."""
    before, after = (
        plain((paper.identity.title, paper.about), language)
        for paper, language in zip((old, new), spoken, strict=True)
    )
    if before != after:
        yield say("papers.redline.opening")


def _sections(old: Paper, new: Paper, spoken: list[str]) -> tuple[str, ...]:
    """Sections that are read otherwise or stand elsewhere: by number, or by what is over them."""
    before, after = (
        [without_notes(plain(section, language)) for section in paper.sections]
        for paper, language in zip((old, new), spoken, strict=True)
    )
    places = [place for place, one in enumerate(after, 1) if before[place - 1 : place] != [one]]
    if new.has_numbers:
        return spans(places)
    return tuple(filter(None, (new.sections[place - 1].heading for place in places)))


def _listed(numbers: tuple[str, ...]) -> Sentence:
    return say("papers.redline.sections", numbers=numbers or ("\u2013",))


def spans(numbers: list[int]) -> tuple[str, ...]:
    """Numbers with those that follow each other put together."""
    found: list[list[int]] = []
    for one in numbers:
        if found and one == found[-1][-1] + 1:
            found[-1].append(one)
        else:
            found.append([one])
    return tuple(f"{one[0]}\u2013{one[-1]}" if len(one) > 1 else str(one[0]) for one in found)


def redline(
    a: Sheet,
    b: Sheet,
    told: HearStep = lambda _: None,
    *,
    language: str = "en",
    size: PageSize = "letter",
) -> Paper:
    """What changes from the first sheet to the second, for whoever approves the change.

    Pages are those of a packet in the language and on the paper that it is printed with.
    """
    told("mathematics")
    sections = [
        _section("sheets", _sheets(a, b)),
        _section("rules", _rules(a, b)),
        _section("paperwork", chain(_paperwork(a, b), changed_words(a, b))),
        _section("edge", _edges(a, b)),
        _section("strategy", _play(a, b, told)),
        _section("pages", replaced(a, b, language=language, size=size)),
    ]
    title = say("papers.redline.title")
    alike = (a.id, version_of(a)) == (b.id, version_of(b))
    about = (say("papers.redline.about", a=_called(a, alike=alike), b=_called(b, alike=alike)),)
    return Paper(
        "redline",
        title,
        about,
        identity(b, "redline"),
        tuple(section for section in sections if section.blocks),
    )


def _section(key: str, blocks: Iterator[Block]) -> Section:
    return Section(say("papers.redline.section", part=key), tuple(blocks), key)


def _called(sheet: Sheet, *, alike: bool) -> Sentence:
    """A sheet by its version; by its hash too where both have the same."""
    told = {"sheet": sheet.id, "version": version_of(sheet)}
    return say("papers.redline.sheet", **told, alike=alike, hash=packet_digest(sheet)[:SHOWN])


def _sheets(a: Sheet, b: Sheet) -> Iterator[Block]:
    facts = (
        ("sheet", a.id, b.id),
        ("title", a.title, b.title),
        ("version", *_versions(a, b)),
        ("rules", digest(a)[:SHOWN], digest(b)[:SHOWN]),
        ("paper", packet_digest(a)[:SHOWN], packet_digest(b)[:SHOWN]),
    )
    rows = tuple((say("papers.redline.fact", fact=name), *both) for name, *both in facts)
    yield Table("", _heads("what", "before", "after"), rows, "lll", "sheets")


def _versions(a: Sheet, b: Sheet) -> tuple[str, str]:
    """Both versions, with the rules hash added if the names match but the rules differ."""
    versions = version_of(a), version_of(b)
    hashes = digest(a)[:SHOWN], digest(b)[:SHOWN]
    if versions[0] != versions[1] or hashes[0] == hashes[1]:
        return versions
    first, second = (
        say("papers.redline.version", version=version, hash=rules_hash)
        for version, rules_hash in zip(versions, hashes, strict=True)
    )
    return first, second


def _heads(*columns: str) -> tuple[Sentence, ...]:
    return tuple(say("papers.redline.head", column=one) for one in columns)


def _rules(a: Sheet, b: Sheet) -> Iterator[Block]:
    found = [one for one in diff(a, b) if not _only_a_name(one)]
    if not found:
        yield Paragraph(say("papers.redline.no-rules"), "rules none")
    for one in found:
        clauses = dict.fromkeys((clause_at(a, one.path), clause_at(b, one.path)))
        key = ".".join(map(str, one.path))
        text = capital(_titled(one.words))
        yield Paragraph(text, f"rule {key}", tuple(each for each in clauses if each))


def _titled(part: Any) -> Any:
    """A sentence that calls other pay tables by their titles, without the names of their files."""
    if isinstance(part, tuple | list):
        return tuple(map(_titled, part))
    if not isinstance(part, Sentence) or not part.fields:
        return part
    if part.key == "aloud.variants.one":
        return part.fields["title"]
    return say(part.key, **{name: _titled(one) for name, one in part.fields.items()})


def _only_a_name(one: Difference) -> bool:
    """What a wager of one sheet alone is called; that it is there is told by itself."""
    return one.path[-1] == "title" and len(one.path) > 1 and None in (one.a, one.b)


def _paperwork(a: Sheet, b: Sheet) -> Iterator[Block]:
    """Procedures, notices and the filing, which no rule depends on."""
    before, after = _alone(a), _alone(b)
    for key in dict.fromkeys((*before, *after)):
        old, new = before.get(key), after.get(key)
        if old and new and old.sentence == new.sentence:
            continue
        for name, one in (("taken-out", old), ("put-in", new)):
            if one is not None:
                words = say("papers.redline.labelled", label=one.label or "", text=one.short)
                own = in_currency(words, (a if one is old else b).house.currency)
                text = say("papers.redline.alone", how=name, text=own)
                yield Paragraph(text, f"{name} {key}", one.clauses)


def _alone(sheet: Sheet) -> dict[str, RuleText]:
    said = (one for one in rule_texts(sheet) if one.paths and one.paths[0])
    return {one.key: one for one in said if one.paths[0][0] in PAPERS_ALONE}


def _play(a: Sheet, b: Sheet, told: HearStep) -> Iterator[Block]:
    if a.family != b.family:
        yield Paragraph(say("papers.redline.other-game"), "strategy other")
        return
    yield from changed_play(report_figures(a, told), report_figures(b, told))


def _edges(a: Sheet, b: Sheet) -> Iterator[Block]:
    found = compare(a, b)
    rows = tuple(
        (_wager(a, b, one), _edge(one.a), _edge(one.b), _change(one.together)) for one in found
    )
    head = _heads("wager", "before", "after", "change")
    yield Table(say("papers.redline.edges"), head, rows, "lrrr", "edges")
    for one in found:
        if one.lines:
            yield _lines(a, b, one)
    yield from _limited(a, b)


def _limited(a: Sheet, b: Sheet) -> Iterator[Block]:
    """What the house keeps at each ante that both take once the limits apply, where they do."""
    before, after = _by_ante(a, b), _by_ante(b, a)
    antes = [one for one in before if one in after]
    if a.limits == b.limits or all(before[one] == after[one] for one in antes):
        return
    rows = tuple(
        (
            _amount(a, b, dollars(one)),
            percent(before[one]),
            percent(after[one]),
            points(after[one] - before[one]),
        )
        for one in antes
    )
    head = (b.main_wager.title, *_heads("before", "after", "change"))
    yield Table(say("papers.redline.limited"), head, rows, "lrrr", "limited")


def _amount(a: Sheet, b: Sheet, amount: Cents) -> Sentence:
    """An ante; of two currencies, as each sheet has it."""
    told = say("papers.money", amount=amount)
    currencies = [one.house.currency for one in (a, b)]
    before, after = (in_currency(told, one) for one in currencies)
    if before == after:
        return told
    return say("papers.redline.two-currencies", a=before, b=after)


def _by_ante(sheet: Sheet, other: Sheet) -> dict[str, Fraction]:
    """The edge by ante; without limits it is the same at every ante, and the other names them."""
    figures, stake = report_figures(sheet), sheet.main_wager
    if sheet.limits:
        return {one["ante"]: Fraction(one["edge"]) for one in figures["by_ante"]}
    free = -Fraction(figures["math"]["wagers"]["main"]["expected"])
    antes = (one["ante"] for one in report_figures(other)["by_ante"])
    return {one: free for one in antes if _takes(stake, dollars(one))}


def _takes(stake: Stake, amount: Cents) -> bool:
    return stake.min <= amount <= stake.max and not amount % stake.step


def _wager(a: Sheet, b: Sheet, one: WagerComparison) -> str:
    if one.wager == "main":
        return say("papers.report.main")
    return (a if one.wager in a.side else b).side[one.wager].title


def _edge(edge: Fraction | None) -> str:
    return say("papers.redline.not-offered") if edge is None else percent(edge)


def _change(change: Fraction | None) -> str:
    return "" if change is None else points(change)


def _lines(a: Sheet, b: Sheet, one: WagerComparison) -> Table:
    rows = [
        (
            capital(outcome(line.line)),
            _paid(line.a, a, one.wager),
            _paid(line.b, b, one.wager),
            percent(line.probability),
            points(line.edge),
        )
        for line in one.lines
    ]
    rows.append((say("papers.redline.together"), "", "", "", points(one.interplay)))
    if one.other_rules:
        rows.append((say("papers.redline.other-rules"), "", "", "", points(one.other_rules)))
    rows.append((say("papers.redline.whole"), "", "", "", _change(one.together)))
    head = _heads("hand", "before", "after", "often", "change")
    last = (len(rows) - 1,)
    title = _wager(a, b, one)
    return Table(title, head, tuple(rows), "lrrrr", f"lines {one.wager}", strong=last)


def _paid(pay: str | None, sheet: Sheet, wager: str) -> str:
    if pay is None and wager == "main" and not sheet.unlisted_loses:
        return say("papers.redline.no-line")
    if pay is None:
        return say("words.loses")
    return pay_said("push" if pay == "push" else odds(pay))
