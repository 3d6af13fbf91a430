"""House rules, file errors and tournaments as the night commands print them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from pitbook.cli.language import worded
from pitbook.cli.output import emit, sentence
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
    """Every finding with its place and the line that it stands in; then it ends with 1."""
    if as_json:
        first = findings[0]
        emit({"error": sentence(f"{first.where}: {first.message}"), **findings_json(findings)})
    kept, left_out = first_of(findings)
    for one in kept:
        print(f"pitbook: {one}", file=sys.stderr)
        print(f"    {printable(one.quoted)}", file=sys.stderr)
    if rest := count_left_out(left_out):
        print(f"pitbook: {rest}.", file=sys.stderr)
    raise typer.Exit(1)


def print_rules(rules: HouseRules, *, as_json: bool) -> None:
    """The rules of a house, each with its clause."""
    if as_json:
        from pitbook.house.nights.house_rules import digest  # noqa: PLC0415

        body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
        emit({"hash": digest(rules), "rules": body})
        return
    print("\n".join(printable(worded(line)) for line in _lines(rules)))


def _lines(rules: HouseRules) -> Iterator[str]:
    from pitbook.house.nights.statement import notice_lines  # noqa: PLC0415

    chance, tournament = rules.bets.chance, rules.bets.tournament
    yield f"{rules.title}, {rules.house.jurisdiction}"
    most = {"most": chance.bet_max, "counts": chance.counts.value, "clause": chance.clause}
    yield say("cli.rules.chance", **most)
    limit = tournament.bet_limit
    yield say("cli.rules.tournaments", limit=limit, clause=tournament.clause)
    yield from _spending(rules)
    chips = rules.chips
    yield say("cli.rules.redeemed", clause=chips.redeemed_at.clause)
    latest = str(chips.latest.value) if chips.latest else ""
    ends = {"ends": chips.day_ends.value, "bound": "yes" if latest else "no", "latest": latest}
    yield say("cli.rules.day-ends", **ends, clause=chips.day_ends.clause)
    yield say("cli.rules.owner", owner=chips.owner, clause=chips.clause)
    yield say("cli.rules.posted")
    yield from (f"  {worded(line)}" for line in notice_lines(rules.notice))


def _spending(rules: HouseRules) -> Iterator[str]:
    usual, higher = rules.tournaments.spending, rules.tournaments.higher_spending
    yield say("cli.rules.spending", most=usual.player_max, clause=usual.clause)
    if higher is not None:
        of = {"number": higher.per_event, "most": higher.player_max, "clause": higher.clause}
        yield say("cli.rules.higher", **of)


def document_of(one: Tournament, now: datetime) -> dict[str, Any]:
    """A tournament as JSON."""
    last = one.last
    return {
        "tournament": one.tournament,
        "title": one.schedule.title,
        "kind": one.schedule.kind,
        "status": one.status,
        "announced": one.announced,
        "prize_money": money(one.prize_money),
        "fees": money(one.fees),
        "clock": _clock(one, now),
        "players": {name: _player(player) for name, player in one.players.items()},
        "still_in": one.still_in,
        "stopped": list(one.stopped),
        "prizes": None if one.posted is None else [money(cents) for cents in one.posted],
        "last": None if last is None else {"number": last[0], **facts.dump(last[1])},
    }


def _clock(one: Tournament, now: datetime) -> dict[str, Any]:
    shown = reading(one.schedule, one.clock, now)
    return {
        "level": shown.level,
        "on_break": shown.on_break,
        "seconds_left": int(shown.left.total_seconds()),
        "running": shown.running,
        "over": shown.over,
    }


def _player(one: Player) -> dict[str, Any]:
    amounts = {name: money(getattr(one, name)) for name in ("spent", "chips", "due", "paid")}
    return {**amounts, "table": one.table, "seat": one.seat}


def words_of(one: Tournament, now: datetime) -> Iterator[str]:
    """A tournament in lines."""
    document = document_of(one, now)
    yield printable(f"{one.tournament}: {one.schedule.title}, {one.schedule.kind}, {one.status}")
    money = {"prizes": document["prize_money"], "fees": document["fees"]}
    yield worded(say("cli.tournament.money", **money))
    if one.stopped:
        yield worded(say("cli.tournament.stopped", tables=one.stopped))
    for name, player in document["players"].items():
        yield printable(f"  {worded(_player_told(name, player, due=one.players[name].due))}")
    if (last := document["last"]) is not None:
        fact = last["fact"].removeprefix("tournament-")
        yield printable(worded(say("cli.tournament.last", number=last["number"], fact=fact)))


def _player_told(name: str, player: dict[str, Any], *, due: int) -> str:
    told: str = say(
        "cli.tournament.player", name=name, chips=player["chips"], spent=player["spent"]
    )
    if player["table"]:
        at = {"table": player["table"], "seat": player["seat"]}
        told = say("cli.tournament.seated", player=told, **at)
    if due:
        told = say("cli.tournament.due", player=told, due=player["due"], paid=player["paid"])
    return told
