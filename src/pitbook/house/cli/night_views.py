"""House rules, file errors and tournaments as the night commands print them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from pitbook.cli.language import localize
from pitbook.cli.output import emit, error_sentence
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.state import Player, Tournament
from pitbook.money import money
from pitbook.sheets.findings import Finding, count_left_out, findings_json, printable
from pitbook.sheets.findings import limit_findings as first_of
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.house.nights.house_rules import HouseRules


def say_invalid(findings: Sequence[Finding], *, as_json: bool) -> NoReturn:
    """Print every finding with its place and source line, then exit with 1."""
    if as_json:
        first = findings[0]
        emit(
            {"error": error_sentence(f"{first.where}: {first.message}"), **findings_json(findings)}
        )
    findings_shown, left_out = first_of(findings)
    for finding in findings_shown:
        print(f"pitbook: {finding}", file=sys.stderr)
        print(f"    {printable(finding.quoted)}", file=sys.stderr)
    if left_out_note := count_left_out(left_out):
        print(f"pitbook: {left_out_note}.", file=sys.stderr)
    raise typer.Exit(1)


def print_rules(rules: HouseRules, *, as_json: bool) -> None:
    """Print the rules of a house, each with its clause."""
    if as_json:
        from pitbook.house.nights.house_rules import digest  # noqa: PLC0415

        body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
        emit({"hash": digest(rules), "rules": body})
        return
    print("\n".join(printable(localize(line)) for line in _lines(rules)))


def _lines(rules: HouseRules) -> Iterator[str]:
    from pitbook.house.nights.statement import notice_lines  # noqa: PLC0415

    chance, tournament = rules.bets.chance, rules.bets.tournament
    yield f"{rules.title}, {rules.house.jurisdiction}"
    chance_fields = {"most": chance.bet_max, "counts": chance.counts.value, "clause": chance.clause}
    yield say("cli.rules.chance", **chance_fields)
    limit = tournament.bet_limit
    yield say("cli.rules.tournaments", limit=limit, clause=tournament.clause)
    yield from _spending(rules)
    chips = rules.chips
    yield say("cli.rules.redeemed", clause=chips.redeemed_at.clause)
    latest = str(chips.latest.value) if chips.latest else ""
    fields = {"ends": chips.day_ends.value, "bound": "yes" if latest else "no", "latest": latest}
    yield say("cli.rules.day-ends", **fields, clause=chips.day_ends.clause)
    yield say("cli.rules.owner", owner=chips.owner, clause=chips.clause)
    yield say("cli.rules.posted")
    yield from (f"  {localize(line)}" for line in notice_lines(rules.notice))


def _spending(rules: HouseRules) -> Iterator[str]:
    usual, higher = rules.tournaments.spending, rules.tournaments.higher_spending
    yield say("cli.rules.spending", most=usual.player_max, clause=usual.clause)
    if higher is not None:
        fields = {"number": higher.per_event, "most": higher.player_max, "clause": higher.clause}
        yield say("cli.rules.higher", **fields)


def document_of(state: Tournament, now: datetime) -> dict[str, Any]:
    """A tournament as JSON."""
    last = state.last
    return {
        "tournament": state.tournament,
        "title": state.schedule.title,
        "kind": state.schedule.kind,
        "status": state.status,
        "announced": state.announced,
        "prize_money": money(state.prize_money),
        "fees": money(state.fees),
        "clock": _clock(state, now),
        "players": {name: _player(player) for name, player in state.players.items()},
        "still_in": state.still_in,
        "stopped": list(state.interrupted_tables),
        "prizes": None if state.posted is None else [money(cents) for cents in state.posted],
        "last": None if last is None else {"number": last[0], **facts.dump(last[1])},
    }


def _clock(state: Tournament, now: datetime) -> dict[str, Any]:
    reading_now = reading(state.schedule, state.clock, now)
    return {
        "level": reading_now.level,
        "on_break": reading_now.on_break,
        "seconds_left": int(reading_now.left.total_seconds()),
        "running": reading_now.running,
        "over": reading_now.over,
    }


def _player(player: Player) -> dict[str, Any]:
    amounts = {name: money(getattr(player, name)) for name in ("spent", "chips", "due", "paid")}
    return {**amounts, "table": player.table, "seat": player.seat}


def words_of(state: Tournament, now: datetime) -> Iterator[str]:
    """A tournament as lines of text."""
    document = document_of(state, now)
    yield printable(
        f"{state.tournament}: {state.schedule.title}, {state.schedule.kind}, {state.status}"
    )
    money = {"prizes": document["prize_money"], "fees": document["fees"]}
    yield localize(say("cli.tournament.money", **money))
    if state.interrupted_tables:
        yield localize(say("cli.tournament.stopped", tables=state.interrupted_tables))
    for name, player in document["players"].items():
        yield printable(f"  {localize(_player_line(name, player, due=state.players[name].due))}")
    if (last := document["last"]) is not None:
        fact = last["fact"].removeprefix("tournament-")
        yield printable(localize(say("cli.tournament.last", number=last["number"], fact=fact)))


def _player_line(name: str, player: dict[str, Any], *, due: int) -> str:
    line: str = say(
        "cli.tournament.player", name=name, chips=player["chips"], spent=player["spent"]
    )
    if player["table"]:
        at = {"table": player["table"], "seat": player["seat"]}
        line = say("cli.tournament.seated", player=line, **at)
    if due:
        line = say("cli.tournament.due", player=line, due=player["due"], paid=player["paid"])
    return line
