"""A past round step by step, its proof, and a version without names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from pitbook.errors import ShoeError
from pitbook.house.ledger.fact_codec import Fact, Json
from pitbook.house.people.names import is_guest_number
from pitbook.house.table import facts
from pitbook.house.table.apply_facts import apply
from pitbook.house.table.commands import CLOCK
from pitbook.house.table.explain import fact_sentences
from pitbook.house.table.facts import FACTS
from pitbook.house.table.round_records import JournalStep, RoundRecord, round_of
from pitbook.house.table.round_types import ReplayStep, RevealedCard
from pitbook.house.table.state import TableState
from pitbook.house.table.view_types import Layout
from pitbook.house.table.views import render_layout
from pitbook.house.table.visibility import Viewer, card_audience
from pitbook.rules.actions import (
    BOARD,
    Action,
    Deal,
    PlaceNumber,
    Settle,
    Turn,
    VoidHand,
    Wager,
    Withdraw,
    parse_place,
)
from pitbook.rules.narration import transcript
from pitbook.rules.result_json import report
from pitbook.rules.round import new_round
from pitbook.rules.stored_rounds import KINDS, store
from pitbook.shoe.crypto import Vault
from pitbook.shoe.proof import build_card_proof, build_revealed_proof
from pitbook.shoe.stored_shoe import ShoeRecord
from pitbook.text import say

# Facts that change nothing on the layout or concern only the staff.
LEFT_OUT = (facts.Fill, facts.ShoeRevealed)
DEALERS = ("deal", "turn", "settle")
_ACTION_NAMES = {kind: action_name for action_name, kind in KINDS.items()}


class _Key(NamedTuple):
    """What a step is; adjacent parts with the same key form one step."""

    what: str
    seat: int | None = None
    number: int = 0


class _Part(NamedTuple):
    """A fact with its entry's time and actor, and its action."""

    key: _Key
    at: str
    actor: str
    fact: Fact
    action: Action | None


def replay_steps(record: RoundRecord, viewer: Viewer) -> Iterator[ReplayStep]:
    """One step for each action of a player or the dealer, with the layout after it."""
    state, view = record.before, render_layout(record.before, viewer)
    for number, (key, group) in enumerate(
        groupby(_proof_parts(record, viewer), lambda part: part.key), 1
    ):
        parts, before = list(group), state
        for part in parts:
            state = apply(state, part.fact)
        after = render_layout(state, viewer)
        yield {
            "n": number,
            "at": parts[0].at,
            "actor": say("table.past.dealer") if key.what in DEALERS else parts[0].actor,
            "what": key.what,
            "seat": key.seat,
            "told": _step_text(key, parts, before, state, viewer),
            "shown": list(_revealed_cards(view, after)),
            "view": after,
        }
        view = after


def _proof_parts(record: RoundRecord, viewer: Viewer) -> Iterator[_Part]:
    number = 0
    for step in record.steps:
        for fact in step.facts:
            if isinstance(fact, LEFT_OUT) or not _is_visible(fact, record, viewer):
                continue
            number += 1
            action = fact.action if isinstance(fact, facts.Acted) else None
            yield _Part(_key(fact, action, number), step.at, step.actor, fact, action)


def _is_visible(fact: Fact, record: RoundRecord, viewer: Viewer) -> bool:
    """Whether the viewer may see the fact: advice is only for its player."""
    if not isinstance(fact, facts.CoachAdvice):
        return True
    round = record.state.round
    seat = round.seat(fact.seat) if round else None
    return viewer.role == "player" and seat is not None and seat.player == viewer.name


def _key(fact: Fact, action: Action | None, number: int) -> _Key:
    if isinstance(action, Wager | Withdraw):
        return _Key("wagers", action.seat)
    if isinstance(fact, facts.Wagered | facts.Undone):
        return _Key("wagers", fact.seat)
    if isinstance(fact, facts.Settled) or isinstance(action, Settle):
        return _Key("settle")
    if isinstance(action, Deal):
        return _Key("deal")
    if isinstance(action, Turn):
        common = action.place <= BOARD
        return _Key("turn", None, number) if common else _Key("look", action.place)
    if action is not None:
        return _Key(_ACTION_NAMES[type(action)], getattr(action, "seat", None), number)
    return _Key(FACTS.name(type(fact)), getattr(fact, "seat", None), number)


def _step_text(
    key: _Key, parts: Sequence[_Part], before: TableState, after: TableState, viewer: Viewer
) -> list[str]:
    actions = [part.action for part in parts if part.action is not None]
    if key.what == "wagers":
        return _wagers_text(key.seat, after)
    if key.what == "look" and not _may_see(key.seat, after, viewer):
        return [say("table.past.looks", seat=key.seat)]
    first = parts[0].fact
    if isinstance(first, facts.Corrected) and not _may_see(first.place, after, viewer):
        return [say("table.past.corrected", seat=first.place)]
    if not actions or before.round is None:
        return fact_sentences(first)
    return transcript(before.round, actions)


def _wagers_text(number: int | None, after: TableState) -> list[str]:
    """The final wagers of a seat, ignoring changes in between."""
    seat = after.round.seat(number) if after.round and number else None
    if seat is None or after.round is None:
        return [say("table.past.back", seat=number)]
    # The seat names a guest well enough.
    name = f"seat {number}" if is_guest_number(seat.player) else seat.player
    wagers = [Wager(seat.number, name, wager, amount) for wager, amount in seat.stakes]
    return transcript(new_round(after.round.game), wagers)


def _may_see(place: PlaceNumber | None, state: TableState, viewer: Viewer) -> bool:
    """Whether a viewer may see all cards at a place."""
    seats = {seat["seat"]: seat for seat in render_layout(state, viewer)["seats"]}
    if place is not None and place <= BOARD:
        return True
    return place in seats and None not in seats[place].get("cards", [None])


def _revealed_cards(before: Layout, after: Layout) -> Iterator[RevealedCard]:
    """The cards that became visible between two layouts."""
    cards_before = {pile["place"]: pile["cards"] for pile in before["common"]}
    for pile in after["common"]:
        yield from _new_cards(pile["place"], cards_before.get(pile["place"], []), pile["cards"])
    hands_before = {seat["seat"]: seat.get("cards", []) for seat in before["seats"]}
    for seat in after["seats"]:
        yield from _new_cards(
            seat["seat"], hands_before.get(seat["seat"], []), seat.get("cards", [])
        )


def _new_cards(
    place: int | str, before: list[str | None], after: list[str | None]
) -> Iterator[RevealedCard]:
    for number, card in enumerate(after):
        if card is not None and (number >= len(before) or before[number] is None):
            yield {"place": place, "card": card}


NAMING_ACTIONS = ("turn", "expose")


def build_proof(
    record: RoundRecord, vault: Vault, viewer: Viewer | None = None, *, named: bool = True
) -> Json:
    """The round's proof for `pitbook verify-deal`; raises ShoeError before it is available.

    Contains what `viewer` may see, or everything for the auditor.
    """
    if (problem := proof_problem(record, is_complete=viewer is None)) is not None:
        raise ShoeError(say("table.past.unproved", round=record.id, why=problem))
    assert record.before.shoe is not None
    shoe, state = ShoeRecord.of(record.before.shoe), record.state
    if shoe.opens_by_card:
        return _partial_proof(record, shoe, vault, viewer, named=named)
    assert record.revealed is not None
    return build_revealed_proof(
        shoe,
        vault,
        seat_seeds=dict(record.revealed.seat_seeds),
        drawn=record.before.drawn,
        round=store(round_of(state), state.actions),
        round_id=record.id,
    )


def proof_problem(record: RoundRecord, *, is_complete: bool) -> str | None:
    """Why there is no proof yet, or None."""
    if not record.before.card_commitments or is_complete:
        is_sealed = record.revealed is None or record.revealed.seed is None
        return say("table.past.no-seed-told") if is_sealed else None
    return None if record.settled is not None else say("table.past.not-over")


def _partial_proof(
    record: RoundRecord, shoe: ShoeRecord, vault: Vault, viewer: Viewer | None, *, named: bool
) -> Json:
    state = record.state
    shown_state = state if named else anonymize(record).state
    round = store(round_of(shown_state), shown_state.actions)
    if viewer is not None:
        round["actions"] = _redact_actions(state, round["actions"], viewer)
    *past, deal = state.past
    return build_card_proof(
        shoe,
        vault,
        seeds=deal.seeds,
        past=tuple(past),
        round=round,
        round_id=record.id,
        whole=viewer is None,
    )


def _redact_actions(state: TableState, actions: list[Json], viewer: Viewer) -> list[Json]:
    """The actions, with null for each card that the viewer may not see."""
    turned: Counter[int | str] = Counter()
    shown_actions = []
    for action in actions:
        if action["do"] in NAMING_ACTIONS:
            place, number = action["place"], turned[action["place"]]
            turned[place] += 1
            seat = parse_place(place)
            if seat > BOARD and not card_audience(state, seat, number).has(viewer):
                action = {**action, "card": None}  # noqa: PLW2901  A redacted copy.
        shown_actions.append(action)
    return shown_actions


REDACTED = "not told"  # Replaces the staff's own words.
WRITTEN = ("reason", "breach", "why")  # Written by the staff.
SECRET = (facts.CoachAdvice, facts.SeatSeed, facts.ShoeRevealed, facts.Fill)

Names = Mapping[str, str]


def seat_names(record: RoundRecord) -> dict[str, str]:
    """Each player's name as a seat: "seat 2"."""
    seats = {seat.number: seat.player for seat in round_of(record.state).seats}
    seats = {**record.before.seats, **seats}
    return {
        seats[number]: say("engine.place.seat", seat=number)
        for number in sorted(seats, reverse=True)
    }


def anonymize(record: RoundRecord) -> RoundRecord:
    """The same round with seats instead of names."""
    names = seat_names(record)
    seats = {number: names[player] for number, player in record.before.seats.items()}
    before = record.before._replace(seats=seats, last={}, guests=(), shoe_players=(), owner="")
    state, steps = before, []
    for step in record.steps:
        shown_facts = []
        for fact in (step_fact for step_fact in step.facts if not isinstance(step_fact, SECRET)):
            shown_facts.append(_anonymize_fact(fact, names, state))
            state = apply(state, shown_facts[-1])
        if shown_facts:
            server_name = step.actor if step.actor == CLOCK.name else say("table.past.house")
            actor = names.get(step.actor, server_name)
            steps.append(JournalStep(step.seq, step.at, actor, tuple(shown_facts), ()))
    return record._replace(before=before, steps=tuple(steps), revealed=None)


def _anonymize_fact(fact: Fact, names: Names, state: TableState) -> Fact:
    if isinstance(fact, facts.Settled):
        return facts.Settled(state.round_id, report(round_of(state)))
    if isinstance(fact, facts.Acted):
        return facts.Acted(_anonymize_fields(fact.action, names))
    if isinstance(fact, facts.Interrupted) and fact.awaiting:
        fact = fact._replace(awaiting=tuple(names[player] for player in fact.awaiting))
    anonymous: Fact = _anonymize_fields(fact, names)
    return anonymous


def _anonymize_fields(record: Any, names: Names) -> Any:
    """A fact or action with a seat for its player, and without the staff's words."""
    fields = {key: value for key, value in record._asdict().items() if value is not None}
    changes = {key: REDACTED for key in WRITTEN if key in fields}
    if isinstance(record, VoidHand):  # Its reason is a rule's term.
        del changes["reason"]
    if "player" in fields:
        changes["player"] = names[fields["player"]]
    return record._replace(**changes)
