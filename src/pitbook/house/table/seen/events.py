"""What a table tells its watchers: one event for each fact, the same version for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from pitbook.cards import name
from pitbook.house.table import facts
from pitbook.house.table.acts import taken_back
from pitbook.house.table.facts import FACTS, Fact, Json
from pitbook.house.table.model import TableState, game_of
from pitbook.house.table.seen.offer_shapes import Effects
from pitbook.house.table.seen.shapes import SheetId, ShoeShown
from pitbook.house.table.seen.sight import (
    EVERYONE,
    STAFF_ONLY,
    Audience,
    card_audience,
    is_opened,
    seed_audience,
)
from pitbook.money import money
from pitbook.rules.actions import BOARD, Absent, Action, Decide, Settle, Turn, format_place
from pitbook.rules.costs import cheapest_play
from pitbook.rules.game import Seat
from pitbook.rules.plays import Play, multiple
from pitbook.rules.round import Round
from pitbook.rules.stored import KINDS, encode
from pitbook.rules.words import action_sentence, report_with_words, result_so_far, transcript
from pitbook.text import say

BLANK = "blank"
DOINGS = {kind: do for do, kind in KINDS.items()}
DECISIONS = (Decide, Absent)
SAY_MORE = (*DECISIONS, Settle)  # Actions that all may know, and that their fields leave open.


class Event(NamedTuple):
    """Something that happened, for an audience; `others` is what everybody else is told of it."""

    version: int
    what: str
    audience: Audience
    body: Json
    others: Json | None = None


AudienceTold = tuple[Audience, Json, Json | None]  # As in an event.


def events(before: TableState, fact: Fact, after: TableState) -> list[Event]:
    """The event of a fact."""
    tell = _TELLERS.get(type(fact), _plainly)
    return [Event(after.version, _what(fact), *tell(before, fact, after))]


def _what(fact: Fact) -> str:
    """An event is called as its fact is, a step of the round as the action is."""
    return DOINGS[type(fact.action)] if type(fact) is facts.Acted else FACTS.name(type(fact))


def told_to(event: Event, *, sees: bool) -> tuple[str, Json]:
    """What happened and how, by who sees it; a blank keeps the versions without a gap."""
    if sees:
        return event.what, event.body
    return (BLANK, {}) if event.others is None else (event.what, event.others)


def _plainly(before: TableState, fact: Fact, after: TableState) -> AudienceTold:
    """Facts that everybody may know as they are."""
    return EVERYONE, FACTS.body(fact), None


def _staff(before: TableState, fact: Fact, after: TableState) -> AudienceTold:
    return STAFF_ONLY, FACTS.body(fact), None


def _opened(before: TableState, fact: facts.TableOpened, after: TableState) -> AudienceTold:
    body = {key: value for key, value in FACTS.body(fact).items() if key != "sheet"}
    return EVERYONE, {**body, "sheet": sheet_named(fact.sheet)}, None


def _sheet_changed(before: TableState, fact: facts.SheetChanged, after: TableState) -> AudienceTold:
    return EVERYONE, {"sheet": sheet_named(fact.sheet)}, None


def _sat(before: TableState, fact: facts.Sat | facts.Refilled, after: TableState) -> AudienceTold:
    others = {"seat": fact.seat, "player": fact.player}
    return Audience(players=(fact.player,)), FACTS.body(fact), others


def _announced(before: TableState, fact: facts.SheetAnnounced, after: TableState) -> AudienceTold:
    """Every player is told in time."""
    return EVERYONE, {**FACTS.body(fact), "sheet": sheet_named(fact.sheet)}, None


def _bought_in(
    before: TableState, fact: facts.BoughtIn | facts.ColouredUp, after: TableState
) -> AudienceTold:
    audience = Audience(players=(fact.player,), staff=True)
    return audience, FACTS.body(fact), {"seat": fact.seat, "player": fact.player}


def _shoe_opened(before: TableState, fact: facts.ShoeOpened, after: TableState) -> AudienceTold:
    spot = {"spot": fact.spot} if fact.spot is not None else {}
    return EVERYONE, {"shoe": shoe_shown(fact.record), **spot}, None


def _settled(before: TableState, fact: facts.Settled, after: TableState) -> AudienceTold:
    assert after.round is not None
    body = {"report": report_with_words(fact.report, after.round)}
    ending = say("form.spaced", parts=tuple(transcript(after.round, [])))
    return EVERYONE, {**FACTS.body(fact), **body, "told": ending}, None


def _shoe_revealed(before: TableState, fact: facts.ShoeRevealed, after: TableState) -> AudienceTold:
    if before.cardwise:  # With the seed anybody could open every folded hand (GEN-14).
        return EVERYONE, {"id": fact.id}, None
    audience = seed_audience(before.shoe_players)
    return audience, FACTS.body(fact), {"id": fact.id}


def _seat_seed(before: TableState, fact: facts.SeatSeed, after: TableState) -> AudienceTold:
    audience = Audience(players=(after.seats[fact.seat],))
    return audience, FACTS.body(fact), {"seat": fact.seat}


def _advice(before: TableState, fact: facts.CoachTold, after: TableState) -> AudienceTold:
    return Audience(players=(after.seats[fact.seat],)), FACTS.body(fact), None


def _retired(before: TableState, fact: facts.Retired, after: TableState) -> AudienceTold:
    return STAFF_ONLY, FACTS.body(fact), {}


def _acted(before: TableState, fact: facts.Acted, after: TableState) -> AudienceTold:
    action = fact.action
    assert before.round is not None
    assert after.round is not None
    body = encode(action)
    del body["do"]
    body |= _news(before.round, after.round)
    body["told"] = action_sentence(before.round, action, after.round)
    if type(action) is Turn and action.place > BOARD:
        seat = after.round.seat(action.place)
        assert seat is not None
        audience = card_audience(after, action.place, len(seat.cards) - 1)
        hidden = say("table.events.looks", seat=action.place)
        others = {key: body[key] for key in body if key != "card"} | {"told": hidden}
        return audience, body, others
    if type(action) in SAY_MORE:
        body |= _said(before.round, action, after.round)
    return EVERYONE, body, None


def _said(before: Round, action: Action, after: Round) -> Json:
    """What is worth adding to an action that all may know."""
    if isinstance(action, DECISIONS):
        seat, was = after.seat(action.seat), before.seat(action.seat)
        assert seat is not None
        assert was is not None
        play = seat.plays[len(was.plays)]  # Stages that are passed over may stand behind it.
        cost = money(was.cost(play))
        said = {"play": play, "cost": cost, "folded": seat.folded, **effects(play)}
        return said | (_lacks(before, was) if isinstance(action, Absent) and action.short else {})
    if isinstance(action, Settle):
        number, group = before.to_settle[before.steps_settled]
        seat = after.seat(number)
        assert seat is not None
        shown = [name(card) for card in seat.cards] if is_opened(after, seat) else None
        said = {"seat": number, "wagers": list(group), "cards": shown}
        return said | ({"settled": result_so_far(after, seat)} if action.at_once else {})
    raise AssertionError(action)


def _lacks(round: Round, seat: Seat) -> Json:
    """What a seat has too few chips for."""
    least = cheapest_play(round.game, seat, round.stage)
    return {"lacks": {"bet": round.game.stages[round.stage].title, "least": money(least)}}


def effects(play: Play) -> Effects:
    """What a play says, the wagers it puts, and the multiple that it is called by, if it is."""
    return {"says": play.said, "puts": [wager for wager, _ in play.puts], "bets": multiple(play)}


def _news(before: Round, after: Round) -> Json:
    """Where the round stands, and what was noted."""
    news: Json = {"phase": after.phase, "waiting": list(after.waiting)}
    if noted := after.notes[len(before.notes) :]:
        news["notes"] = [{"note": note.what, "clause": note.clause} for note in noted]
    return news


def _taken_back(before: TableState, fact: facts.TakenBack, after: TableState) -> AudienceTold:
    told = say("form.spaced", parts=tuple(taken_back.told(fact)))
    return EVERYONE, {**FACTS.body(fact), "told": told}, None


def _corrected(before: TableState, fact: facts.Corrected, after: TableState) -> AudienceTold:
    if fact.place <= BOARD:
        return _plainly(before, fact, after)
    audience = card_audience(after, fact.place, fact.number - 1)
    others = {"place": format_place(fact.place), "number": fact.number}
    return audience, FACTS.body(fact), others


def shoe_shown(record: Json) -> ShoeShown:
    """A shoe without its seal."""
    return cast(ShoeShown, {key: value for key, value in record.items() if key != "sealed"})


def sheet_named(sheet: Json) -> SheetId:
    """A sheet by its id, title and hash."""
    loaded = game_of(sheet).sheet
    named: SheetId = {"id": loaded.id, "title": loaded.title, "hash": sheet["hash"]}
    if (currency := loaded.house.currency) is not None:
        named["currency"] = currency
    return named


_TELLERS: dict[type, Callable[[TableState, Any, TableState], AudienceTold]] = {
    facts.TableOpened: _opened,
    facts.SheetChanged: _sheet_changed,
    facts.Sat: _sat,
    facts.Refilled: _sat,
    facts.BoughtIn: _bought_in,
    facts.ShoeOpened: _shoe_opened,
    facts.ShoeRevealed: _shoe_revealed,
    facts.SeatSeed: _seat_seed,
    facts.Settled: _settled,
    facts.Acted: _acted,
    facts.Corrected: _corrected,
    facts.TakenBack: _taken_back,
    facts.CoachTold: _advice,
    facts.RackAsked: _staff,
    facts.RackGranted: _staff,
    facts.RackRefused: _staff,
    facts.ColouredUp: _bought_in,
    facts.SheetAnnounced: _announced,
    facts.Fill: _staff,
    facts.Credit: _staff,
    facts.Retired: _retired,
}

__all__ = [
    "BLANK",
    "Event",
    "effects",
    "events",
    "sheet_named",
    "shoe_shown",
    "told_to",
]
