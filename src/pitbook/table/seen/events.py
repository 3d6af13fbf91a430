"""What a table tells its watchers: one event for each fact, the same version for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pitbook.cards import name
from pitbook.engine.actions import (
    BOARD,
    Absent,
    Action,
    Decide,
    Settle,
    Turn,
    place_read,
)
from pitbook.engine.round import Round
from pitbook.engine.told import report_told, result_so_far
from pitbook.engine.words import action_told, transcript
from pitbook.game.plays import Play, multiple
from pitbook.money import money
from pitbook.table.acts import taken_back
from pitbook.table.facts import Fact, Json
from pitbook.table.model import TableState, game_of
from pitbook.table.seen.sight import (
    EVERYONE,
    STAFF_ONLY,
    Audience,
    Viewer,
    card_audience,
    is_opened,
    seed_audience,
)

BLANK = "blank"
DECISIONS = (Decide, Absent)
SAY_MORE = (*DECISIONS, Settle)  # Actions that all may know, and that their fields leave open.


class Event(NamedTuple):
    """Something that happened, for an audience; `others` is what everybody else is told of it."""

    version: int
    what: str
    audience: Audience
    body: Json
    others: Json | None = None


Told = tuple[str, Audience, Json, Json | None]


def events(before: TableState, fact: Fact, after: TableState) -> list[Event]:
    """The event of a fact."""
    tell = _TELLERS.get(fact["fact"], _plainly)
    what, audience, body, others = tell(before, fact, after)
    return [Event(after.version, what, audience, body, others)]


def for_viewer(event: Event, viewer: Viewer) -> Event:
    """The event as one viewer may read it; a blank keeps the versions without a gap."""
    what, body = told_to(event, sees=event.audience.has(viewer))
    return Event(event.version, what, EVERYONE, body)


def told_to(event: Event, *, sees: bool) -> tuple[str, Json]:
    """What happened and how, for those who see it or for everybody else."""
    if sees:
        return event.what, event.body
    return (BLANK, {}) if event.others is None else (event.what, event.others)


def _plainly(before: TableState, fact: Fact, after: TableState) -> Told:
    """Facts that everybody may know as they are."""
    return fact["fact"], EVERYONE, _rest(fact), None


def _staff(before: TableState, fact: Fact, after: TableState) -> Told:
    return fact["fact"], STAFF_ONLY, _rest(fact), None


def _opened(before: TableState, fact: Fact, after: TableState) -> Told:
    body = {key: value for key, value in _rest(fact).items() if key != "sheet"}
    return fact["fact"], EVERYONE, {**body, "sheet": sheet_named(fact["sheet"])}, None


def _sheet_changed(before: TableState, fact: Fact, after: TableState) -> Told:
    return fact["fact"], EVERYONE, {"sheet": sheet_named(fact["sheet"])}, None


def _sat(before: TableState, fact: Fact, after: TableState) -> Told:
    others = {"seat": fact["seat"], "player": fact["player"]}
    return fact["fact"], Audience(players=(fact["player"],)), _rest(fact), others


def _shoe_opened(before: TableState, fact: Fact, after: TableState) -> Told:
    spot = {"spot": fact["spot"]} if "spot" in fact else {}
    return fact["fact"], EVERYONE, {"shoe": shoe_shown(fact["record"]), **spot}, None


def _settled(before: TableState, fact: Fact, after: TableState) -> Told:
    assert after.round is not None
    body = {"report": report_told(fact["report"], after.round)}
    ending = " ".join(transcript(after.round, []))
    return fact["fact"], EVERYONE, {**_rest(fact), **body, "told": ending}, None


def _shoe_revealed(before: TableState, fact: Fact, after: TableState) -> Told:
    if before.cardwise:  # With the seed anybody could open every folded hand (GEN-14).
        return fact["fact"], EVERYONE, {"id": fact["id"]}, None
    audience = seed_audience(before.shoe_players)
    return fact["fact"], audience, _rest(fact), {"id": fact["id"]}


def _seat_seed(before: TableState, fact: Fact, after: TableState) -> Told:
    audience = Audience(players=(after.seats[fact["seat"]],))
    return fact["fact"], audience, _rest(fact), {"seat": fact["seat"]}


def _advice(before: TableState, fact: Fact, after: TableState) -> Told:
    return fact["fact"], Audience(players=(after.seats[fact["seat"]],)), _rest(fact), None


def _retired(before: TableState, fact: Fact, after: TableState) -> Told:
    return fact["fact"], STAFF_ONLY, _rest(fact), {}


def _acted(before: TableState, fact: Fact, after: TableState) -> Told:
    action = after.actions[-1]
    assert before.round is not None
    assert after.round is not None
    body = {**fact["action"], **_news(before.round, after.round)}
    what = body.pop("do")
    body["told"] = action_told(before.round, action, after.round)
    if isinstance(action, Turn) and action.place > BOARD:
        seat = after.round.seat(action.place)
        assert seat is not None
        audience = card_audience(after, action.place, len(seat.cards) - 1)
        hidden = f"Seat {action.place} looks at a card."
        others = {key: body[key] for key in body if key != "card"} | {"told": hidden}
        return what, audience, body, others
    if isinstance(action, SAY_MORE):
        body |= _said(before.round, action, after.round)
    return what, EVERYONE, body, None


def _said(before: Round, action: Action, after: Round) -> Json:
    """What is worth adding to an action that all may know."""
    if isinstance(action, DECISIONS):
        seat, was = after.seat(action.seat), before.seat(action.seat)
        assert seat is not None
        assert was is not None
        play = seat.plays[len(was.plays)]  # Stages that are passed over may stand behind it.
        cost = money(was.cost(play))
        return {"play": play, "cost": cost, "folded": seat.folded, **effects(play)}
    if isinstance(action, Settle):
        number, group = before.to_settle[before.steps_settled]
        seat = after.seat(number)
        assert seat is not None
        shown = [name(card) for card in seat.cards] if is_opened(after, seat) else None
        said = {"seat": number, "wagers": list(group), "cards": shown}
        return said | ({"settled": result_so_far(after, seat)} if action.at_once else {})
    raise AssertionError(action)


def effects(play: Play) -> Json:
    """What a play says, the wagers it puts, and the multiple that it is called by, if it is."""
    return {"says": play.said, "puts": [wager for wager, _ in play.puts], "bets": multiple(play)}


def _news(before: Round, after: Round) -> Json:
    """Where the round stands, and what was noted."""
    news: Json = {"phase": after.phase, "waiting": list(after.waiting)}
    if noted := after.notes[len(before.notes) :]:
        news["notes"] = [{"note": note.what, "clause": note.clause} for note in noted]
    return news


def _taken_back(before: TableState, fact: Fact, after: TableState) -> Told:
    return fact["fact"], EVERYONE, {**_rest(fact), "told": " ".join(taken_back.told(fact))}, None


def _corrected(before: TableState, fact: Fact, after: TableState) -> Told:
    place = place_read(fact["place"])
    if place <= BOARD:
        return _plainly(before, fact, after)
    audience = card_audience(after, place, fact["number"] - 1)
    others = {"place": fact["place"], "number": fact["number"]}
    return fact["fact"], audience, _rest(fact), others


def shoe_shown(record: Json) -> Json:
    """A shoe without its seal."""
    return {key: value for key, value in record.items() if key != "sealed"}


def sheet_named(sheet: Json) -> Json:
    """A sheet by its id, title and hash."""
    loaded = game_of(sheet).sheet
    return {"id": loaded.id, "title": loaded.title, "hash": sheet["hash"]}


def _rest(fact: Fact) -> Json:
    body = {key: value for key, value in fact.items() if key not in ("fact", "format")}
    return {key: dict(value) if isinstance(value, dict) else value for key, value in body.items()}


_TELLERS: dict[str, Callable[[TableState, Fact, TableState], Told]] = {
    "table-opened": _opened,
    "sheet-changed": _sheet_changed,
    "sat": _sat,
    "refilled": _sat,
    "shoe-opened": _shoe_opened,
    "shoe-revealed": _shoe_revealed,
    "seat-seed": _seat_seed,
    "settled": _settled,
    "acted": _acted,
    "corrected": _corrected,
    "taken-back": _taken_back,
    "advice": _advice,
    "fill": _staff,
    "credit": _staff,
    "retired": _retired,
}

__all__ = [
    "BLANK",
    "Event",
    "effects",
    "events",
    "for_viewer",
    "sheet_named",
    "shoe_shown",
    "told_to",
]
