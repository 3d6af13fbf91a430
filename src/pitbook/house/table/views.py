"""A table as one viewer may see it: layout, dealer's panel and offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, cast

from pitbook.cards import Card, name
from pitbook.house.people.roster import OPEN_TO_ALL, AccessList, Roster
from pitbook.house.table.events import public_shoe, sheet_id
from pitbook.house.table.facts import dump_stakes, reason_text
from pitbook.house.table.offers import offers
from pitbook.house.table.state import TableState
from pitbook.house.table.view_types import (
    AreaLaid,
    Around,
    ArrangedFor,
    BoardShown,
    CardsShown,
    CommonCards,
    DealerHands,
    DealerView,
    Declared,
    HandNamed,
    Interrupted,
    Layout,
    NextAct,
    Payout,
    Points,
    Revealed,
    SeatShown,
    SeenByAll,
    ShoeShown,
    Short,
    TablePhase,
    View,
)
from pitbook.house.table.visibility import STAFF, Audience, Viewer, hand_audiences, seed_audience
from pitbook.money import Cents, money
from pitbook.rules.actions import Absent, PlaceNumber, Settle, format_place
from pitbook.rules.costs import shortfall
from pitbook.rules.felt import place_name
from pitbook.rules.flow import earlier_spot, next_turn
from pitbook.rules.game import Area, Seat
from pitbook.rules.hand_names import name_hand
from pitbook.rules.mishaps import is_common_place
from pitbook.rules.narration import can_pay_in_chips, report_lines, report_with_words, result_so_far
from pitbook.rules.payouts import lines_of_next_step, opens_hand
from pitbook.rules.plays import PASSED
from pitbook.rules.refusals import Refusal
from pitbook.rules.report import RoundResult
from pitbook.rules.round import Pile, Round
from pitbook.rules.step import step
from pitbook.shoe.record import CARD_FORMAT
from pitbook.text import capital

WalletOf = Callable[[str], Cents]


def table_view(
    state: TableState, viewer: Viewer, wallet: WalletOf, door: AccessList = OPEN_TO_ALL
) -> View:
    """Everything on and around the layout, for this viewer's eyes."""
    return ViewCache(state).render_for(viewer, wallet, door)


class ViewCache:
    """A table at one moment, for all who look at it then: what they share is worked out once."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._views: dict[Viewer, _CachedView] = {}

    def render_for(self, viewer: Viewer, wallet: WalletOf, door: AccessList = OPEN_TO_ALL) -> View:
        """A view that nobody writes into: the same one until anything changes."""
        kept = self._views.get(viewer)
        if kept is None or not kept.is_current(wallet, door):
            asked: dict[str, Cents] = {}

            def asking(player: str) -> Cents:
                if player not in asked:
                    asked[player] = wallet(player)
                return asked[player]

            seen = self._render(viewer, asking, door)
            shut = _exclusions(door, (viewer.name, *self.state.seats.values()))
            kept = self._views[viewer] = _CachedView(seen, asked, door.roster, shut)
        return kept.seen

    @cached_property
    def _layout(self) -> LayoutRenderer:
        return LayoutRenderer(self.state)

    @cached_property
    def _around(self) -> Around:
        """What stands around the layout, for everybody."""
        state = self.state
        return {
            "next_sheet": sheet_id(state.next_sheet) if state.next_sheet else None,
            "deadlines": dict(state.deadlines),
            "ready": [seat for seat, player in state.seats.items() if player in state.ready],
            "interruption": _interruption(state),
            "shoe": _shoe(state),
            "spot": cast(ArrangedFor | None, state.spot),
        }

    def _render(self, viewer: Viewer, wallet: WalletOf, door: AccessList) -> View:
        state = self.state
        shown: SeenByAll = {
            "table": state.table,
            "kind": state.kind,
            "unit": state.unit,
            "version": state.version,
            **self._layout.render_for(viewer),
            **self._around,
            "seat_seeds": _seat_seeds(state, viewer),
            "revealed": _last_shoe(state, viewer),
            "coach": state.coach,
            "shuffler": state.shuffler,
            "offers": offers(state, viewer, wallet, door),
        }
        seen = cast(View, shown)
        if viewer.role == "player":
            seen["wallet"] = money(wallet(viewer.name))
            seen["short"] = _shortfall(state, viewer.name, wallet(viewer.name))
        if viewer.role in STAFF:
            seen["rack"] = money(state.rack)
            seen["dealer"] = state.dealer
            if state.typed:
                purses = {seat: wallet(player) for seat, player in state.seats.items()}
                seen["dealing"] = dealer_view(state, purses)
        return seen


class _CachedView(NamedTuple):
    """A view, and what it hangs on beside the state: wallets, and who is known or barred."""

    seen: View
    wallets: dict[str, Cents]
    roster: Roster
    shut: dict[str, Refusal | None]

    def is_current(self, wallet: WalletOf, door: AccessList) -> bool:
        """Whether it would be the same now."""
        if door.roster is not self.roster or _exclusions(door, self.shut) != self.shut:
            return False
        return all(wallet(player) == held for player, held in self.wallets.items())


def _exclusions(door: AccessList, players: Iterable[str]) -> dict[str, Refusal | None]:
    if not (door.roster.excluded or door.roster.rests):
        return {}
    return {player: door.exclusion_of(player) for player in players}


def _shortfall(state: TableState, player: str, left: Cents) -> Short | None:
    """Before the deal: what a player lacks to pay the smallest bet of every street (GEN-10)."""
    found = shortfall(state.round, player, left) if state.round is not None else None
    if found is None:
        return None
    return {
        "left": money(found.left),
        "needed": money(found.needed),
        "more": money(found.more),
        "message": found.told,
        "clause": found.clause,
    }


def _interruption(state: TableState) -> Interrupted | None:
    if state.interruption is None:
        return None
    answers = None if state.awaiting is None else dict(state.awaiting)
    return {"why": reason_text(state.interruption), "answers": answers}


def _shoe(state: TableState) -> ShoeShown | None:
    """The shoe without its seal, and what was dealt from it under one hash."""
    if state.shoe is None:
        return None
    shown = public_shoe(state.shoe)
    return {**shown, "history": state.history} if state.cardwise else shown


def _seat_seeds(state: TableState, viewer: Viewer) -> dict[str, str | None]:
    """Which seats have added a seed; its words are its player's own until betting has closed."""
    return {
        str(seat): text.rpartition("\n")[2] if _is_own_seed(state, seat, viewer) else None
        for seat, text in state.seat_seeds.items()
    }


def _is_own_seed(state: TableState, seat: int, viewer: Viewer) -> bool:
    player = state.seats.get(seat, "")
    mine = not state.cardwise or state.seeded.get(seat) == player
    return mine and Audience(players=(player,)).has(viewer)


def _last_shoe(state: TableState, viewer: Viewer) -> Revealed | None:
    """The last shoe; one that is committed to card by card tells nobody its seed."""
    if state.revealed is None:
        return None
    players = tuple(state.revealed["players"])
    if state.revealed.get("format") != CARD_FORMAT and seed_audience(players).has(viewer):
        return cast(Revealed, state.revealed)
    return {"id": state.revealed["id"], "commitment": state.revealed["commitment"]}


def render_layout(state: TableState, viewer: Viewer) -> Layout:
    """The round on the layout, with nothing that this viewer may not see."""
    return LayoutRenderer(state).render_for(viewer)


class LayoutRenderer:
    """The layout at one moment: what is the same for all who look is written once."""

    def __init__(self, state: TableState) -> None:
        round = state.round
        self._state = state
        self._forced = {one.seat: one for one in state.actions if isinstance(one, Absent)}
        self._waiting = round.waiting if round is not None else ()
        self._closed: list[tuple[int, Seat, list[Audience]]] = []  # Hands that some see more of.
        self._open: Layout = {
            "phase": _phase(state),
            "sheet": sheet_id(state.sheet if round is not None else state.coming),
            "round": state.round_id if round is not None else None,
            "arranged": cast(ArrangedFor | None, state.arranged) if round is not None else None,
            "board": _board(state),
            "common": common_cards(round),
            "seats": list(self._seats(round, state.numbers)),
            "result": _result(state),
        }

    def render_for(self, viewer: Viewer) -> Layout:
        """As one viewer sees it; whatever is not the viewer's alone is shared with all others."""
        seats = list(self._open["seats"])
        for place, seat, audiences in self._closed:
            if any(one.has(viewer) for one in {*audiences} if not one.everyone):
                named = zip(seat.cards, audiences, strict=True)
                cards = [card if one.has(viewer) else None for card, one in named]
                seats[place] = {**seats[place], **self._cards(seat, cards)}
        return {**self._open, "seats": seats}

    def _seats(self, round: Round | None, numbers: Sequence[int]) -> Iterator[SeatShown]:
        for place, number in enumerate(numbers):
            seat = round.seat(number) if round is not None else None
            if round is None or seat is None:
                yield {"seat": number, "player": self._state.seats.get(number)}
                continue
            audiences = hand_audiences(self._state, seat)
            if not all(one.everyone for one in audiences):
                self._closed.append((place, seat, audiences))
            named = zip(seat.cards, audiences, strict=True)
            cards = [card if one.everyone else None for card, one in named]
            yield self._seat(round, seat, self._cards(seat, cards))

    def _cards(self, seat: Seat, named: list[Card | None]) -> CardsShown:
        assert self._state.round is not None
        cards = [*named, *[None] * (seat.laid - len(named))]
        shown = [None if card is None else name(card) for card in cards]
        round = self._state.round
        points, called = _points(round, cards), _hand_name(round, seat, cards)
        return {"cards": shown, "points": points, "named": called}

    def _seat(self, round: Round, seat: Seat, cards: CardsShown) -> SeatShown:
        state, number, sheet = self._state, seat.number, round.game.sheet
        left = round.open_stakes(seat)
        return {
            "seat": number,
            "player": seat.player if state.live else state.seats.get(number),
            "played_by": seat.player,
            "wagers": dump_stakes(seat.stakes),
            "chips": {wager: can_pay_in_chips(sheet, amount) for wager, amount in seat.stakes},
            "held": money(sum(amount for _, amount in left)),
            **cards,
            "plays": [play for play in seat.plays if play != PASSED],
            **_declared(seat),
            "waiting": number in self._waiting and earlier_spot(round, number) is None,
            "folded": seat.folded,
            "forced": _forced_reason(self._forced.get(number)),
            "tucked": round.game.tucked_under(seat),
            "void": seat.void,
            "net": None if left else _net(round, seat),
            "settled": result_so_far(round, seat),
        }


def _phase(state: TableState) -> TablePhase:
    if state.retired:
        return "retired"
    if state.awaiting is not None:
        return "agreement"
    return state.round.phase if state.round is not None else "open"


def _board(state: TableState) -> BoardShown:
    round = state.round
    faces = _card_faces(round.piles[0]) if round else []
    told = round.game.board_told(round.board) if round else None
    kind = round.game.board_name if round else state.game.board_name
    return {"name": kind, "cards": faces, "told": told, "arranged": _dealer_hands(round)}


def common_cards(round: Round | None) -> list[CommonCards]:
    """Every place in common, as the felt names it, with its cards; the board is the first."""
    piles = round.piles if round else ()
    return [
        {"place": place_name(number), "cards": _card_faces(pile)}
        for number, pile in enumerate(piles)
    ]


def _card_faces(pile: Pile) -> list[str | None]:
    return [*map(name, pile.cards), *[None] * (pile.laid - len(pile.cards))]


def _dealer_hands(round: Round | None) -> DealerHands | None:
    """The dealer's two hands as they lie, once they do (MHL-8)."""
    laid = round.game.board_areas(round.board) if round else None
    if laid is None:
        return None
    return {
        "low": _area(laid.low),
        "shared": _area(laid.shared) if laid.shared else None,
        "high": _area(laid.high),
        "laid": [name(card) for card in laid.row],
        "shared_at": laid.shared_at,
        "areas": [_area(one) for one in laid.in_row],
    }


def _area(area: Area) -> AreaLaid:
    cards = [name(card) for card in area.cards]
    return {"title": area.title, "cards": cards, "points": area.points}


def _declared(seat: Seat) -> Declared:
    """What a seat has declared, and how many main wagers it put on the table with that."""
    play = next((play for play in reversed(seat.plays) if play.said), None)
    return {"said": play.said if play else None, "added": play.times if play else 0}


def _forced_reason(last: Absent | None) -> Literal["chips", "absent"] | None:
    """Why the house had to play a hand (GEN-10): its player had too few chips, or was absent."""
    return None if last is None else "chips" if last.short else "absent"


def _points(round: Round, cards: Sequence[Card | None]) -> Points | None:
    """What a whole hand counts, in a game of points, if the viewer may see it."""
    seen = tuple(card for card in cards if card is not None)
    points = round.game.points_of(seen) if len(seen) == round.game.hand_size else None
    return None if points is None else {"low": points[0], "high": points[1]}


def _hand_name(round: Round, seat: Seat, cards: Sequence[Card | None]) -> HandNamed | None:
    """What a hand is called so far, where the viewer may see all of it and it is played on."""
    seen = tuple(card for card in cards if card is not None)
    if len(seen) < len(cards) or seat.folded or seat.void is not None:
        return None
    common = tuple(tuple(pile.cards) for pile in round.piles)
    found = name_hand(round.game, seen, common, _declared(seat)["said"])
    if found is None:
        return None
    return {"name": found.name, "told": found.told, "cards": [name(one) for one in found.cards]}


def _net(round: Round, seat: Seat) -> str | None:
    """What the round comes to for a seat of which nothing is open."""
    if round.phase not in ("settle", "over"):
        return None
    return money(sum(line.net for number, line in round.results if number == seat.number))


def _result(state: TableState) -> RoundResult | None:
    if state.result is None or state.round is None:
        return None
    return report_with_words(state.result, state.round)


SETTLE_NEXT = Settle(at_once=True)


def dealer_view(state: TableState, purses: dict[int, Cents]) -> DealerView:
    """The dealer's next act, the places that a card may be typed at, and what is due."""
    round = state.round if state.live else None
    return {
        "next": None if round is None else next_act(round),
        "places": [] if round is None else [format_place(one) for one in _open_places(round)],
        "titles": {
            str(format_place(-at)): capital(is_common_place(place))
            for at, place in enumerate(state.game.places[1:])
        },
        "payouts": [] if round is None else list(payouts(round)),
        "purses": {str(seat): money(cents) for seat, cents in purses.items()},
    }


def next_act(round: Round) -> NextAct | None:
    """What the round waits for: a card at a place, a seat's word, or to be paid."""
    if round.phase == "wagers":
        return {"do": "close-betting"}
    if round.phase == "play":
        return _next_in_play(round)
    if round.phase == "settle":
        return _next_in_settlement(round)
    return None


def payouts(round: Round) -> Iterator[Payout]:
    """What each seat is due in the paying order, as far as nothing closed can alter it."""
    players = {seat.number: seat.player for seat in round.seats}
    while round.phase == "settle":
        number, _ = round.to_settle[round.steps_settled]
        after = step(round, SETTLE_NEXT)
        if not isinstance(after, Round):
            return
        lines = report_lines(after, lines_of_next_step(round, after))
        if lines:
            yield {"seat": number, "player": players[number], "lines": lines}
        round = after


def _next_in_play(round: Round) -> NextAct | None:
    if round.game.places[0].open and (closed := _closed_seat(round.seats)) is not None:
        return _type_card(closed)
    if round.waiting:
        return {"do": "decide", "seat": round.waiting[0]}
    if (place := next_turn(round)) is not None:
        return _type_card(place)
    closed = _closed_seat(one for one in round.seats if not one.folded and one.void is None)
    return None if closed is None else _type_card(closed)


def _next_in_settlement(round: Round) -> NextAct:
    """Hands are opened in the paying order; what is known by then can be paid."""
    for number, group in round.to_settle[round.steps_settled :]:
        seat = round.seat(number)
        assert seat is not None
        closed = len(seat.cards) < seat.laid and seat.void is None
        if closed and opens_hand(round, seat, group):
            return _type_card(number)
    return {"do": "settle"}


def _open_places(round: Round) -> Iterator[PlaceNumber]:
    """Where a card may be named now, the place that is next among them."""
    if round.phase not in ("play", "settle"):
        return
    if round.phase == "play" and (place := next_turn(round)) is not None:
        yield place
    for seat in round.seats:
        stays = seat.folded and not round.game.looks_at_hand(seat)
        if len(seat.cards) < seat.laid and not stays:
            yield seat.number


def _closed_seat(seats: Iterator[Seat] | tuple[Seat, ...]) -> int | None:
    return next((one.number for one in seats if len(one.cards) < one.laid), None)


def _type_card(place: PlaceNumber) -> NextAct:
    return {"do": "type-card", "place": format_place(place)}
