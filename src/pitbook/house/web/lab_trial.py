"""Computes and words the lab's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pitbook.errors import MoneyError, PitbookError
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
from pitbook.exact.outcome_figures import Figures
from pitbook.exact.spots import Spot, check_stakes
from pitbook.house.web.lab_api import (
    LabCap,
    LabFigure,
    LabFinding,
    LabLine,
    LabLineLabel,
    LabMainGame,
    LabPayTable,
    LabResult,
)
from pitbook.money import Cents, Odds, dollars, money
from pitbook.sheets.assumptions import assumed_of_rule, assumed_share, describe_assumption
from pitbook.sheets.diff import find_differences
from pitbook.sheets.display_documents import pay_tables
from pitbook.sheets.field_types import Push
from pitbook.sheets.findings import Finding, errors, format_path
from pitbook.sheets.model import Sheet
from pitbook.sheets.pay_tables import pays_of, scope_of
from pitbook.sheets.phrases import figures_shoe_note, outcome, stake_bounds
from pitbook.sheets.prose import rule_texts
from pitbook.sheets.provenance import share
from pitbook.text import capital, say, sentence_of
from pitbook.text.user_input import printable

MINUS = "−"


FiguresByWager = Mapping[str, Figures]


def printed_figures(sheet: Sheet, ante: Cents | None) -> FiguresByWager:
    """The figures of the sheet as printed."""
    return measure_wagers(effective_sheet(sheet), ante)


def ante_of(sheet: Sheet, text: str | None) -> tuple[Cents | None, list[Finding]]:
    """The ante for the payout limits, and findings about it."""
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


def render_trial(
    sheet: Sheet,
    edits: PayTableEdits,
    ante: Cents | None,
    findings_before: list[Finding],
    printed_figures: FiguresByWager,
) -> LabResult:
    """The lab's whole answer for a set of edits."""
    trial = apply_edits(sheet, edits)
    findings = (*findings_before, *trial.findings)
    valid = not errors(findings)
    now = measure_wagers(trial.sheet, ante) if valid and trial.sheet is not None else None
    sheets = [effective_sheet(sheet), *([trial.sheet] if trial.sheet is not None else [])]
    tables = list(_tables(sheet, edits, printed_figures, now))
    return LabResult(
        sheet=sheet.id,
        title=sheet.title,
        venue=sheet.house.venue,
        valid=valid,
        said=_edges_message(tables) if valid else _error_message(findings),
        assumed=_assumptions(sheet, ante),
        main=_main(sheet),
        tables=tables,
        caps=list(_caps(sheet)),
        ladder=pay_steps(sheets),
        findings=[_finding(finding) for finding in findings],
        differences=_differences(sheet, trial),
    )


def _main(sheet: Sheet) -> LabMainGame:
    main = sheet.main_wager
    ours = describe_assumption(share(main, "min", "max"), main.note)
    return LabMainGame(title=main.title, bounds=stake_bounds(main), ours=ours)


# Pay tables ---------------------------------------------------------------------------------------


def _tables(
    sheet: Sheet,
    edits: PayTableEdits,
    printed_figures: FiguresByWager,
    edited_figures: FiguresByWager | None,
) -> Iterator[LabPayTable]:
    for table in pay_tables(sheet):
        wager = table["wager"]
        edited_lines = edits.pays.get(wager, {})
        wager_figures = edited_figures[wager] if edited_figures else None
        scope = scope_of(sheet, wager)
        names = scope.names if scope else ()
        lines = dict.fromkeys((*pays_of(sheet, wager), *(n for n in edited_lines if n in names)))
        yield LabPayTable(
            wager=wager,
            title=table["title"],
            about=table["about"],
            clause=table["clause"],
            note=table["note"],
            ours=_table_provenance(table["whose"], changed=_is_changed(sheet, wager, edited_lines)),
            field=format_path(line_path(wager, "")[:-1]),
            lines=list(_lines(sheet, wager, list(lines), edited_lines, wager_figures)),
            more=[LabLineLabel(line=n, title=_line_title(n)) for n in names if n not in lines],
            figures=list(_figures(sheet, wager, printed_figures[wager], wager_figures)),
            exact=None if wager_figures is None else str(wager_figures.house_edge),
        )


def _table_provenance(provenance: str, *, changed: bool) -> str:
    """Whether a pay table is our assumption, and whether the user changed it."""
    if not changed:
        return provenance
    return say("lab.ours-changed", ours=provenance) if provenance else say("lab.changed")


def _is_changed(sheet: Sheet, wager: str, edited_lines: Mapping[str, str]) -> bool:
    table = pays_of(sheet, wager)
    return any(
        _parsed_pay_text(text) != _pay_text(table.get(line)) for line, text in edited_lines.items()
    )


def _lines(
    sheet: Sheet,
    wager: str,
    lines: list[str],
    edited_lines: Mapping[str, str],
    edited_figures: Figures | None,
) -> Iterator[LabLine]:
    table = pays_of(sheet, wager)
    rule = sheet.main if wager == "main" else sheet.side[wager]
    rates = line_rates(edited_figures, lines) if edited_figures else {}
    for line in lines:
        printed_pay = _pay_text(table.get(line))
        yield LabLine(
            line=line,
            title=_line_title(line),
            field=format_path(line_path(wager, line)),
            printed=printed_pay,
            now=_parsed_pay_text(edited_lines[line]) if line in edited_lines else printed_pay,
            rate=_one_in(rates[line]) if edited_figures else None,
            ours=(
                describe_assumption(assumed_of_rule(rule, f"pays.{line}")) if line in table else ""
            ),
        )


def _line_title(line: str) -> str:
    return capital(outcome(line))


def _pay_text(pay: Odds | Push | None) -> str:
    return "" if pay is None else str(pay)


def _parsed_pay_text(text: str) -> str | None:
    try:
        return _pay_text(parse_pay(text))
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
    _Figure("house_edge", lambda figures: figures.house_edge),
    _Figure("element_of_risk", lambda figures: figures.element_of_risk, main_only=True),
    _Figure("average_wager", lambda figures: figures.average_wager, percent=False, main_only=True),
    _Figure(
        "standard_deviation", lambda figures: Fraction(figures.standard_deviation), percent=False
    ),
    _Figure("win", lambda figures: figures.share("win")),
    _Figure("push", lambda figures: figures.share("push")),
    _Figure("lose", lambda figures: figures.share("lose")),
)


def _figures(
    sheet: Sheet, wager: str, printed_figures: Figures, edited_figures: Figures | None
) -> Iterator[LabFigure]:
    for figure in _FIGURES:
        if figure.main_only and wager != "main":
            continue  # A side wager is one unit, so these figures add nothing.
        printed, edited = (
            figure.of(printed_figures),
            None if edited_figures is None else figure.of(edited_figures),
        )
        yield LabFigure(
            name=figure.name,
            title=say("lab.figure", figure=figure.name, units=sheet.unit[1]),
            printed=_format_figure(printed, figure.percent),
            now=None if edited is None else _format_figure(edited, figure.percent),
            change="" if edited is None else _change(edited - printed, figure.percent),
        )


def _format_figure(value: Fraction, percent: bool) -> str:
    text = f"{float(abs(value) * (100 if percent else 1)):.3f}"
    sign = MINUS if value < 0 and float(text) else ""
    return f"{sign}{text}{'%' if percent else ''}"


def _change(change: Fraction, percent: bool) -> str:
    if not change:
        return ""
    text = f"{float(abs(change) * (100 if percent else 1)):.3f}"
    if not float(text):
        return say("lab.tiny-points" if percent else "lab.tiny", by="up" if change > 0 else "down")
    signed = f"{'+' if change > 0 else MINUS}{text}"
    return say("lab.points", by=signed) if percent else signed


def _edges_message(tables: list[LabPayTable]) -> str:
    """The edges that changed, as a sentence; the main edge if none did."""
    edges = [(table.title, table.figures[0]) for table in tables]
    changed = [
        say("lab.edge-changed", title=title, now=edge.now, printed=edge.printed)
        for title, edge in edges
        if edge.change
    ]
    title, edge = edges[0]
    if changed:
        return say("lab.said", said=changed)
    return say("lab.edge-printed", title=title, now=edge.now)


def _error_message(findings: Sequence[Finding]) -> str:
    """The first error, wherever its field is on the page."""
    return say("lab.mend", why=capital(printable(errors(findings)[0].message)))


def _assumptions(sheet: Sheet, ante: Cents | None) -> str:
    shoe, staked = figures_shoe_note(sheet), _stake_assumptions(sheet, ante)
    return say("lab.assumed-shoe", assumed=staked, shoe=shoe) if shoe else staked


def _stake_assumptions(sheet: Sheet, ante: Cents | None) -> str:
    if ante is None:
        return say("lab.assumed")
    title, sides = sheet.main_wager.title, bool(sheet.side)
    return say("lab.assumed-at", ante=ante, title=title, sides=sides)


# Caps, findings, differences ----------------------------------------------------------------------


def _caps(sheet: Sheet) -> Iterator[LabCap]:
    rules = {rule.key: rule for rule in rule_texts(sheet)}
    for index, limit in enumerate(sheet.limits):
        rule = rules[f"limits[{index}]"]
        yield LabCap(
            field=format_path(cap_path(index)),
            label=rule.label or "",
            about=capital(rule.subject),
            printed=money(limit.pays_max).removesuffix(".00"),
            clauses=list(rule.clauses),
            ours=describe_assumption(
                assumed_share(rule, short_form=True), " ".join(rule.notes) or None
            ),
        )


def _finding(finding: Finding) -> LabFinding:
    return LabFinding(
        level=finding.level,
        field=format_path(finding.path),
        message=printable(finding.message),
        clause=finding.clause,
    )


def _differences(sheet: Sheet, trial: LabTrial) -> list[str]:
    """How the edited sheet differs from the printed one, as sentences."""
    if trial.sheet is None:
        return []
    house = sheet.house.model_copy(update={"venue": say("lab.your-table")})
    edited_sheet = trial.sheet.model_copy(update={"house": house})
    differences = find_differences(effective_sheet(sheet), edited_sheet)
    return [difference.words for difference in differences if difference.path != ("house", "venue")]
