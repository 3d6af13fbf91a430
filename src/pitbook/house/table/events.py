"""The event that each fact sends to a table's watchers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from pitbook.cards import name
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.table import facts, transfers
from pitbook.house.table.facts import FACTS
from pitbook.house.table.state import TableState
from pitbook.house.table.stored_sheets import game_of
from pitbook.house.table.view_types import PlayEffects, SheetId, ShoeView
from pitbook.house.table.visibility import (
    EVERYONE,
    STAFF_ONLY,
    Audience,
    card_audience,
    is_opened,
    seed_audience,
)
from pitbook.money import money
from pitbook.rules.actions import (
    BOARD,
    Absent,
    Action,
    Decide,
    Play,
    Settle,
    Turn,
    format_place,
    multiple,
)
from pitbook.rules.cost_to_end import cheapest_play
from pitbook.rules.game import Seat
from pitbook.rules.narration import action_sentence, report_with_words, result_so_far, transcript
from pitbook.rules.round import Round
from pitbook.rules.stored_rounds import KINDS, encode
from pitbook.text import say

BLANK = "blank"
ACTION_NAMES = {kind: action_name for action_name, kind in KINDS.items()}
DECISIONS = (Decide, Absent)
# Actions that need details beyond their fields.
DETAILED_ACTIONS = *DECISIONS, Settle


class Event(NamedTuple):
    """Something that happened, for an audience; `others` is what everyone else gets."""

    version: int
    what: str
    audience: Audience
    body: Json
    others: Json | None = None


EventBodies = tuple[Audience, Json, Json | None]  # As in an event.


def events(before: TableState, fact: Fact, after: TableState) -> list[Event]:
    """The events of a fact."""
    handler = _HANDLERS.get(type(fact), _on_public)
    return [Event(after.version, _event_name(fact), *handler(before, fact, after))]


def _event_name(fact: Fact) -> str:
    """The fact's name; for an action, the action's name."""
    return ACTION_NAMES[type(fact.action)] if type(fact) is facts.Acted else FACTS.name(type(fact))


def visible_event(event: Event, *, is_visible: bool) -> tuple[str, Json]:
    """An event's name and body as its reader may see it; a blank keeps versions without gaps."""
    if is_visible:
        return event.what, event.body
    return (BLANK, {}) if event.others is None else (event.what, event.others)


def _on_public(before: TableState, fact: Fact, after: TableState) -> EventBodies:
    """A fact that everyone may see in full."""
    return EVERYONE, FACTS.body(fact), None


def _on_staff_only(before: TableState, fact: Fact, after: TableState) -> EventBodies:
    return STAFF_ONLY, FACTS.body(fact), None


def _on_table_opened(before: TableState, fact: facts.TableOpened, after: TableState) -> EventBodies:
    body = {key: value for key, value in FACTS.body(fact).items() if key != "sheet"}
    return EVERYONE, {**body, "sheet": sheet_id(fact.sheet)}, None


def _on_sheet_changed(
    before: TableState, fact: facts.SheetChanged, after: TableState
) -> EventBodies:
    return EVERYONE, {"sheet": sheet_id(fact.sheet)}, None


def _on_sat(before: TableState, fact: facts.Sat | facts.Refilled, after: TableState) -> EventBodies:
    others = {"seat": fact.seat, "player": fact.player}
    return Audience(players=(fact.player,)), FACTS.body(fact), others


def _on_sheet_announced(
    before: TableState, fact: facts.SheetAnnounced, after: TableState
) -> EventBodies:
    return EVERYONE, {**FACTS.body(fact), "sheet": sheet_id(fact.sheet)}, None


def _on_bought_in(
    before: TableState, fact: facts.BoughtIn | facts.ColoredUp, after: TableState
) -> EventBodies:
    audience = Audience(players=(fact.player,), staff=True)
    return audience, FACTS.body(fact), {"seat": fact.seat, "player": fact.player}


def _on_shoe_opened(before: TableState, fact: facts.ShoeOpened, after: TableState) -> EventBodies:
    spot = {"spot": fact.spot} if fact.spot is not None else {}
    return EVERYONE, {"shoe": public_shoe(fact.record), **spot}, None


def _on_settled(before: TableState, fact: facts.Settled, after: TableState) -> EventBodies:
    assert after.round is not None
    body = {"report": report_with_words(fact.report, after.round)}
    ending = say("form.spaced", parts=tuple(transcript(after.round, [])))
    return EVERYONE, {**FACTS.body(fact), **body, "told": ending}, None


def _on_shoe_revealed(
    before: TableState, fact: facts.ShoeRevealed, after: TableState
) -> EventBodies:
    if before.card_commitments:  # The seed would reveal every folded hand (GEN-14).
        return EVERYONE, {"id": fact.id}, None
    audience = seed_audience(before.shoe_players)
    return audience, FACTS.body(fact), {"id": fact.id}


def _on_seat_seed(before: TableState, fact: facts.SeatSeed, after: TableState) -> EventBodies:
    audience = Audience(players=(after.seats[fact.seat],))
    return audience, FACTS.body(fact), {"seat": fact.seat}


def _on_advice(before: TableState, fact: facts.CoachAdvice, after: TableState) -> EventBodies:
    return Audience(players=(after.seats[fact.seat],)), FACTS.body(fact), None


def _on_retired(before: TableState, fact: facts.Retired, after: TableState) -> EventBodies:
    return STAFF_ONLY, FACTS.body(fact), {}


def _on_acted(before: TableState, fact: facts.Acted, after: TableState) -> EventBodies:
    action = fact.action
    assert before.round is not None
    assert after.round is not None
    body = encode(action)
    del body["do"]
    body |= _round_changes(before.round, after.round)
    body["told"] = action_sentence(before.round, action, after.round)
    if type(action) is Turn and action.place > BOARD:
        seat = after.round.seat(action.place)
        assert seat is not None
        audience = card_audience(after, action.place, len(seat.cards) - 1)
        hidden = say("table.events.looks", seat=action.place)
        others = {key: body[key] for key in body if key != "card"} | {"told": hidden}
        return audience, body, others
    if type(action) in DETAILED_ACTIONS:
        body |= _action_details(before.round, action, after.round)
    return EVERYONE, body, None


def _action_details(before: Round, action: Action, after: Round) -> Json:
    """Details of an action that everyone may know."""
    if isinstance(action, DECISIONS):
        seat, seat_before = after.seat(action.seat), before.seat(action.seat)
        assert seat is not None
        assert seat_before is not None
        play = seat.plays[len(seat_before.plays)]  # Skipped stages may follow it.
        cost = money(seat_before.cost(play))
        details = {"play": play, "cost": cost, "folded": seat.folded, **play_effects(play)}
        return details | (
            _shortage(before, seat_before) if isinstance(action, Absent) and action.short else {}
        )
    if isinstance(action, Settle):
        number, group = before.to_settle[before.steps_settled]
        seat = after.seat(number)
        assert seat is not None
        faces = [name(card) for card in seat.cards] if is_opened(after, seat) else None
        details = {"seat": number, "wagers": list(group), "cards": faces}
        return details | ({"settled": result_so_far(after, seat)} if action.at_once else {})
    raise AssertionError(action)


def _shortage(round: Round, seat: Seat) -> Json:
    """The bet that a seat cannot pay, and its minimum."""
    bet_min = cheapest_play(round.game, seat, round.stage)
    return {"lacks": {"bet": round.game.stages[round.stage].title, "least": money(bet_min)}}


def play_effects(play: Play) -> PlayEffects:
    """A play's declaration, the wagers it adds, and its multiple."""
    return {
        "says": play.declaration,
        "puts": [wager for wager, _ in play.puts],
        "bets": multiple(play),
    }


def _round_changes(before: Round, after: Round) -> Json:
    """The round's phase, who is to act, and new notes."""
    changes: Json = {"phase": after.phase, "waiting": list(after.waiting)}
    if new_notes := after.notes[len(before.notes) :]:
        changes["notes"] = [{"note": note.what, "clause": note.clause} for note in new_notes]
    return changes


def _on_settlement_reversed(
    before: TableState, fact: facts.SettlementReversed, after: TableState
) -> EventBodies:
    text = say("form.spaced", parts=tuple(transfers.reversal_sentences(fact)))
    return EVERYONE, {**FACTS.body(fact), "told": text}, None


def _on_corrected(before: TableState, fact: facts.Corrected, after: TableState) -> EventBodies:
    if fact.place <= BOARD:
        return _on_public(before, fact, after)
    audience = card_audience(after, fact.place, fact.number - 1)
    others = {"place": format_place(fact.place), "number": fact.number}
    return audience, FACTS.body(fact), others


def public_shoe(record: Json) -> ShoeView:
    """A shoe's record without its sealed part."""
    return cast(ShoeView, {key: value for key, value in record.items() if key != "sealed"})


def sheet_id(sheet: Json) -> SheetId:
    """A sheet's id, title, hash and currency."""
    loaded = game_of(sheet).sheet
    identity: SheetId = {"id": loaded.id, "title": loaded.title, "hash": sheet["hash"]}
    if (currency := loaded.house.currency) is not None:
        identity["currency"] = currency
    return identity


_HANDLERS: dict[type, Callable[[TableState, Any, TableState], EventBodies]] = {
    facts.TableOpened: _on_table_opened,
    facts.SheetChanged: _on_sheet_changed,
    facts.Sat: _on_sat,
    facts.Refilled: _on_sat,
    facts.BoughtIn: _on_bought_in,
    facts.ShoeOpened: _on_shoe_opened,
    facts.ShoeRevealed: _on_shoe_revealed,
    facts.SeatSeed: _on_seat_seed,
    facts.Settled: _on_settled,
    facts.Acted: _on_acted,
    facts.Corrected: _on_corrected,
    facts.SettlementReversed: _on_settlement_reversed,
    facts.CoachAdvice: _on_advice,
    facts.RackRequested: _on_staff_only,
    facts.RackGranted: _on_staff_only,
    facts.RackRefused: _on_staff_only,
    facts.ColoredUp: _on_bought_in,
    facts.SheetAnnounced: _on_sheet_announced,
    facts.Fill: _on_staff_only,
    facts.Credit: _on_staff_only,
    facts.Retired: _on_retired,
}
