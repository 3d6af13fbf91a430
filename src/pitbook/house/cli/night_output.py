"""How the night commands print answers, refusals, rules and tournaments."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from pitbook.cli.language import localize
from pitbook.cli.plain_output import emit, error_sentence
from pitbook.house.nights.tournament import facts
from pitbook.house.nights.tournament.clock import reading
from pitbook.house.nights.tournament.state import Player as TournamentPlayer
from pitbook.house.nights.tournament.state import Tournament
from pitbook.money import money
from pitbook.text import say
from pitbook.text.user_input import printable

if TYPE_CHECKING:
    from pitbook.house.nights.house_rules import HouseRules
    from pitbook.house.nights.state import NightState
    from pitbook.house.nights.store import Accepted, Answer
    from pitbook.rules.refusals import Refusal


def require_accepted(answer: Answer, *, as_json: bool) -> Accepted:
    """The answer if accepted; a refusal ends the command."""
    from pitbook.rules.refusals import Refusal  # noqa: PLC0415

    if isinstance(answer, Refusal):
        exit_refused(answer, as_json=as_json)
    return answer


def exit_refused(refusal: Refusal, *, as_json: bool) -> NoReturn:
    """Print a refusal with its clause, and exit with 1."""
    from pitbook.rules.refusals import with_clause  # noqa: PLC0415

    if as_json:
        document = {"error": refusal.message, "code": str(refusal.code), "clause": refusal.clause}
        emit(document)
    print(f"pitbook: {error_sentence(with_clause(refusal))}", file=sys.stderr)
    raise typer.Exit(1)


def print_answer(
    document: dict[str, Any], words: str, *, as_json: bool, night_state: NightState | None = None
) -> None:
    """Print one JSON document or a sentence, with a note for rehearsals."""
    if as_json:
        emit(document if night_state is None else {**document, "rehearsal": night_state.rehearsal})
        return
    if night_state is not None and night_state.rehearsal:
        print(localize(say("cli.night.rehearsal")))
    print(localize(words))


def print_rules(rules: HouseRules, *, as_json: bool) -> None:
    """Print the rules of a house, each with its clause."""
    if as_json:
        from pitbook.house.nights.house_rules import digest  # noqa: PLC0415

        body = rules.model_dump(mode="json", by_alias=True, exclude_none=True)
        emit({"hash": digest(rules), "rules": body})
        return
    print("\n".join(printable(localize(line)) for line in _rule_lines(rules)))


def _rule_lines(rules: HouseRules) -> Iterator[str]:
    from pitbook.house.nights.statement import notice_lines  # noqa: PLC0415

    chance, tournament = rules.bets.chance, rules.bets.tournament
    yield f"{rules.title}, {rules.house.jurisdiction}"
    chance_fields = {"most": chance.bet_max, "counts": chance.counts.value, "clause": chance.clause}
    yield say("cli.rules.chance", **chance_fields)
    limit = tournament.bet_limit
    yield say("cli.rules.tournaments", limit=limit, clause=tournament.clause)
    yield from _spending_lines(rules)
    chips = rules.chips
    yield say("cli.rules.redeemed", clause=chips.redeemed_at.clause)
    latest = str(chips.latest.value) if chips.latest else ""
    fields = {"ends": chips.day_ends.value, "bound": "yes" if latest else "no", "latest": latest}
    yield say("cli.rules.day-ends", **fields, clause=chips.day_ends.clause)
    yield say("cli.rules.owner", owner=chips.owner, clause=chips.clause)
    yield say("cli.rules.posted")
    yield from (f"  {localize(line)}" for line in notice_lines(rules.notice))


def _spending_lines(rules: HouseRules) -> Iterator[str]:
    usual, higher = rules.tournaments.spending, rules.tournaments.higher_spending
    yield say("cli.rules.spending", most=usual.player_max, clause=usual.clause)
    if higher is not None:
        fields = {"number": higher.per_event, "most": higher.player_max, "clause": higher.clause}
        yield say("cli.rules.higher", **fields)


def tournament_document(state: Tournament, now: datetime) -> dict[str, Any]:
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


def _player(player: TournamentPlayer) -> dict[str, Any]:
    amounts = {name: money(getattr(player, name)) for name in ("spent", "chips", "due", "paid")}
    return {**amounts, "table": player.table, "seat": player.seat}


def tournament_lines(state: Tournament, now: datetime) -> Iterator[str]:
    """A tournament as lines of text."""
    document = tournament_document(state, now)
    yield printable(
        f"{state.tournament}: {state.schedule.title}, {state.schedule.kind}, {state.status}"
    )
    money = {"prizes": document["prize_money"], "fees": document["fees"]}
    yield localize(say("cli.tournament.money", **money))
    if state.interrupted_tables:
        yield localize(say("cli.tournament.stopped", tables=state.interrupted_tables))
    for name, player in document["players"].items():
        yield printable(
            f"  {localize(_player_line(name, player, amount_due=state.players[name].due))}"
        )
    if (last := document["last"]) is not None:
        fact = last["fact"].removeprefix("tournament-")
        yield printable(localize(say("cli.tournament.last", number=last["number"], fact=fact)))


def _player_line(name: str, player: dict[str, Any], *, amount_due: int) -> str:
    line: str = say(
        "cli.tournament.player", name=name, chips=player["chips"], spent=player["spent"]
    )
    if player["table"]:
        at = {"table": player["table"], "seat": player["seat"]}
        line = say("cli.tournament.seated", player=line, **at)
    if amount_due:
        line = say("cli.tournament.due", player=line, due=player["due"], paid=player["paid"])
    return line
