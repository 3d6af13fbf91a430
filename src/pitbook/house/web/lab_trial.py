"""Computes and words the lab's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pitbook.errors import MoneyError, PitbookError
from pitbook.exact.figures import Figures
from pitbook.exact.lab import (
    LabTrial,
    PayTableEdits,
    apply_edits,
    cap_path,
    effective_sheet,
    line_path,
    line_rates,
    measure_wagers,
    parse_pay,
    pay_steps,
)
from pitbook.exact.spots import Spot, check_stakes
from pitbook.house.web.lab_api import (
    CapTried,
    FigureTried,
    FindingTried,
    LineNamed,
    LineTried,
    MainTried,
    TableTried,
    Tried,
)
from pitbook.money import Cents, Odds, dollars, money
from pitbook.sheets.diff import diff
from pitbook.sheets.findings import Finding, errors, format_path, printable
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pays_of, scope_of
from pitbook.sheets.prose.pay_tables import pay_tables
from pitbook.sheets.prose.rules import rule_texts
from pitbook.sheets.prose.words import figures_shoe_note, outcome, stake_bounds
from pitbook.sheets.provenance import pays_share, provenance_label, share
from pitbook.sheets.values import Push
from pitbook.text import capital, say, sentence_of

MINUS = "−"


Measured = Mapping[str, Figures]


def printed(sheet: Sheet, ante: Cents | None) -> Measured:
    """The figures of the sheet as it is."""
    return measure_wagers(effective_sheet(sheet), ante)


def ante_of(sheet: Sheet, text: str | None) -> tuple[Cents | None, list[Finding]]:
    """The amount at which caps apply, and what is wrong with it."""
    if text is None or not text.strip():
        return None, []
    try:
        ante = dollars(text.strip())
        check_stakes(sheet, Spot((), ante=ante))
    except PitbookError as error:
        return None, [
            Finding("error", "ante", sentence_of(error), ("ante",), sheet.main_wager.clause)
        ]
    return ante, []


def told(
    sheet: Sheet, wishes: PayTableEdits, ante: Cents | None, wrong: list[Finding], before: Measured
) -> Tried:
    """Everything that the page shows of a wish."""
    trial = apply_edits(sheet, wishes)
    findings = (*wrong, *trial.findings)
    valid = not errors(findings)
    now = measure_wagers(trial.sheet, ante) if valid and trial.sheet is not None else None
    known = [effective_sheet(sheet), *([trial.sheet] if trial.sheet is not None else [])]
    tables = list(_tables(sheet, wishes, before, now))
    return Tried(
        sheet=sheet.id,
        title=sheet.title,
        venue=sheet.house.venue,
        valid=valid,
        said=_said(tables) if valid else _forbidden(findings),
        assumed=_assumed(sheet, ante),
        main=_main(sheet),
        tables=tables,
        caps=list(_caps(sheet)),
        ladder=pay_steps(known),
        findings=[_finding(one) for one in findings],
        differences=_differences(sheet, trial),
    )


def _main(sheet: Sheet) -> MainTried:
    main = sheet.main_wager
    ours = provenance_label(share(main, "min", "max"))
    return MainTried(title=main.title, bounds=stake_bounds(main), ours=ours)


# Pay tables ---------------------------------------------------------------------------------------


def _tables(
    sheet: Sheet, wishes: PayTableEdits, before: Measured, now: Measured | None
) -> Iterator[TableTried]:
    for one in pay_tables(sheet):
        wager = one["wager"]
        wished = wishes.pays.get(wager, {})
        figures = now[wager] if now else None
        scope = scope_of(sheet, wager)
        names = scope.names if scope else ()
        lines = dict.fromkeys((*pays_of(sheet, wager), *(n for n in wished if n in names)))
        yield TableTried(
            wager=wager,
            title=one["title"],
            about=one["about"],
            clause=one["clause"],
            note=one["note"],
            ours=_whose(one["ours"], changed=_changed(sheet, wager, wished)),
            field=format_path(line_path(wager, "")[:-1]),
            lines=list(_lines(sheet, wager, list(lines), wished, figures)),
            more=[LineNamed(line=n, title=_titled(n)) for n in names if n not in lines],
            figures=list(_figures(sheet, wager, before[wager], figures)),
            exact=None if figures is None else str(figures.house_edge),
        )


def _whose(ours: str, *, changed: bool) -> str:
    """Whose a pay table is: ours, and no longer what anybody prints once a line is changed."""
    if not changed:
        return ours
    return say("lab.ours-changed", ours=ours) if ours else say("lab.changed")


def _changed(sheet: Sheet, wager: str, wished: Mapping[str, str]) -> bool:
    table = pays_of(sheet, wager)
    return any(_read(text) != _written(table.get(line)) for line, text in wished.items())


def _lines(
    sheet: Sheet, wager: str, lines: list[str], wished: Mapping[str, str], now: Figures | None
) -> Iterator[LineTried]:
    table = pays_of(sheet, wager)
    rule = sheet.main if wager == "main" else sheet.side[wager]
    rates = line_rates(now, lines) if now else {}
    for line in lines:
        printed = _written(table.get(line))
        yield LineTried(
            line=line,
            title=_titled(line),
            field=format_path(line_path(wager, line)),
            printed=printed,
            now=_read(wished[line]) if line in wished else printed,
            rate=_one_in(rates[line]) if now else None,
            ours=provenance_label(pays_share(rule, line)) if line in table else "",
        )


def _titled(line: str) -> str:
    return capital(outcome(line))


def _written(pay: Odds | Push | None) -> str:
    return "" if pay is None else str(pay)


def _read(text: str) -> str | None:
    try:
        return _written(parse_pay(text))
    except MoneyError:
        return None


def _one_in(rate: Fraction) -> str:
    if not rate:
        return say("lab.never")
    every = 1 / rate
    return say("lab.one-in", every=f"{float(every):.1f}" if every < 100 else f"{round(every):,}")


# Figures ------------------------------------------------------------------------------------------


class _Figure(NamedTuple):
    name: str
    of: Callable[[Figures], Fraction]
    percent: bool = True
    main_only: bool = False


_FIGURES = (
    _Figure("house_edge", lambda one: one.house_edge),
    _Figure("element_of_risk", lambda one: one.element_of_risk, main_only=True),
    _Figure("average_wager", lambda one: one.average_wager, percent=False, main_only=True),
    _Figure("standard_deviation", lambda one: Fraction(one.standard_deviation), percent=False),
    _Figure("win", lambda one: one.share("win")),
    _Figure("push", lambda one: one.share("push")),
    _Figure("lose", lambda one: one.share("lose")),
)


def _figures(
    sheet: Sheet, wager: str, before: Figures, now: Figures | None
) -> Iterator[FigureTried]:
    for one in _FIGURES:
        if one.main_only and wager != "main":
            continue  # A side wager is one unit, so that these say nothing new.
        was, after = one.of(before), None if now is None else one.of(now)
        yield FigureTried(
            name=one.name,
            title=say("lab.figure", figure=one.name, units=sheet.unit[1]),
            printed=_shown(was, one.percent),
            now=None if after is None else _shown(after, one.percent),
            change="" if after is None else _change(after - was, one.percent),
        )


def _shown(value: Fraction, percent: bool) -> str:
    text = f"{float(abs(value) * (100 if percent else 1)):.3f}"
    sign = MINUS if value < 0 and float(text) else ""
    return f"{sign}{text}{'%' if percent else ''}"


def _change(by: Fraction, percent: bool) -> str:
    if not by:
        return ""
    text = f"{float(abs(by) * (100 if percent else 1)):.3f}"
    if not float(text):
        return say("lab.tiny-points" if percent else "lab.tiny", by="up" if by > 0 else "down")
    signed = f"{'+' if by > 0 else MINUS}{text}"
    return say("lab.points", by=signed) if percent else signed


def _said(tables: list[TableTried]) -> str:
    """The edges that changed, for ears; the main one where none did."""
    edges = [(one.title, one.figures[0]) for one in tables]
    changed = [
        say("lab.edge-changed", title=title, now=edge.now, printed=edge.printed)
        for title, edge in edges
        if edge.change
    ]
    title, edge = edges[0]
    if changed:
        return say("lab.said", said=changed)
    return say("lab.edge-printed", title=title, now=edge.now)


def _forbidden(findings: Sequence[Finding]) -> str:
    """The first that is wrong, wherever on the page its field may be."""
    return say("lab.mend", why=capital(printable(errors(findings)[0].message)))


def _assumed(sheet: Sheet, ante: Cents | None) -> str:
    shoe, staked = figures_shoe_note(sheet), _staked(sheet, ante)
    return say("lab.assumed-shoe", assumed=staked, shoe=shoe) if shoe else staked


def _staked(sheet: Sheet, ante: Cents | None) -> str:
    if ante is None:
        return say("lab.assumed")
    title, sides = sheet.main_wager.title, bool(sheet.side)
    return say("lab.assumed-at", ante=ante, title=title, sides=sides)


# Caps, findings, differences ----------------------------------------------------------------------


def _caps(sheet: Sheet) -> Iterator[CapTried]:
    said = {one.key: one for one in rule_texts(sheet)}
    for place, limit in enumerate(sheet.limits):
        one = said[f"limits[{place}]"]
        yield CapTried(
            field=format_path(cap_path(place)),
            label=one.label or "",
            about=capital(one.subject),
            printed=money(limit.pays_max).removesuffix(".00"),
            clauses=list(one.clauses),
            ours=provenance_label(one.ours),
        )


def _finding(one: Finding) -> FindingTried:
    return FindingTried(
        level=one.level,
        field=format_path(one.path),
        message=printable(one.message),
        clause=one.clause,
    )


def _differences(sheet: Sheet, trial: LabTrial) -> list[str]:
    """How the wish differs from the sheet, in sentences."""
    if trial.sheet is None:
        return []
    house = sheet.house.model_copy(update={"venue": say("lab.your-table")})
    yours = trial.sheet.model_copy(update={"house": house})
    found = diff(effective_sheet(sheet), yours)
    return [one.words for one in found if one.path != ("house", "venue")]
