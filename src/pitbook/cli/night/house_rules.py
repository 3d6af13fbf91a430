"""House rules in words, and what is wrong with a file that should hold some."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

import typer

from pitbook.cli.common.output import emit, sentence
from pitbook.money import spoken
from pitbook.sheets.findings import Finding, listed, more, printable
from pitbook.sheets.findings import first as first_of

if TYPE_CHECKING:
    from pitbook.nights.rules.house_rules import HouseRules


def say_invalid(findings: Sequence[Finding], *, as_json: bool) -> NoReturn:
    """Every finding with its place and the line that it stands in; then it ends with 1."""
    if as_json:
        first = findings[0]
        emit({"error": sentence(f"{first.where}: {first.message}"), **listed(findings)})
    kept, left_out = first_of(findings)
    for one in kept:
        print(f"pitbook: {one}", file=sys.stderr)
        print(f"    {printable(one.quoted)}", file=sys.stderr)
    if rest := more(left_out):
        print(f"pitbook: {rest}.", file=sys.stderr)
    raise typer.Exit(1)


def print_rules(rules: HouseRules, *, as_json: bool) -> None:
    """The rules of a house, each with its clause."""
    if as_json:
        from pitbook.nights.rules.house_rules import digest  # noqa: PLC0415

        body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
        emit({"hash": digest(rules), "rules": body})
        return
    print("\n".join(printable(line) for line in _lines(rules)))


def _lines(rules: HouseRules) -> Iterator[str]:
    from pitbook.nights.printed.receipts import notice_lines  # noqa: PLC0415

    chance, tournament = rules.bets.chance, rules.bets.tournament
    yield f"{rules.title}, {rules.house.jurisdiction}"
    counted = (
        "each bet, raise and re-raise alone" if chance.counts.value == "each-bet" else "a circle"
    )
    yield f"Games of chance: {spoken(chance.bet_max)} at most, {counted} ({chance.clause})"
    limit = "no bet limit" if tournament.bet_limit == "none" else "the same"
    yield f"Tournaments: {limit} ({tournament.clause})"
    yield from _spending(rules)
    chips = rules.chips
    latest = f", at {chips.latest.value} at the latest" if chips.latest else ""
    ends = f"when the event closes{latest}" if chips.day_ends.value == "closing" else "at midnight"
    yield f"Chips are redeemed at face value on the gaming date ({chips.redeemed_at.clause})"
    yield f"The gaming date ends {ends} ({chips.day_ends.clause})"
    yield f"Chips stay the property of {chips.owner} ({chips.clause})"
    yield "Posted:"
    yield from (f"  {line}" for line in notice_lines(rules.notice))


def _spending(rules: HouseRules) -> Iterator[str]:
    usual, higher = rules.tournaments.spending, rules.tournaments.higher_spending
    yield f"A player spends {spoken(usual.player_max)} at most on one ({usual.clause})"
    if higher is not None:
        most = spoken(higher.player_max)
        yield f"{higher.per_event} of an event may allow {most} ({higher.clause})"
