"""A table as one viewer may see it: layout, dealer's panel and offers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, cast

from pydantic_core import to_json

from pitbook.cards import Card, name
from pitbook.house.people.access_list import OPEN_TO_ALL, AccessList
from pitbook.house.people.roster import Roster
from pitbook.house.table.events import public_shoe, sheet_id
from pitbook.house.table.facts import dump_stakes, reason_text
from pitbook.house.table.offers import offers
from pitbook.house.table.state import TableState
from pitbook.house.table.view_types import (
    BoardView,
    CommunityCards,
    DealerArea,
    DealerHands,
    DealerView,
    HandDeclaration,
    HandName,
    HandView,
    InterruptionView,
    LastShoe,
    Layout,
    NextAction,
    Payout,
    Points,
    PracticeSpot,
    SeatView,
    SharedView,
    ShoeView,
    Shortfall,
    TablePhase,
    TableStatus,
    View,
)
from pitbook.house.table.visibility import STAFF, Audience, Viewer, hand_audiences, seed_audience
from pitbook.money import Cents, money
from pitbook.rules.actions import PASSED, Absent, PlaceNumber, Settle, format_place
from pitbook.rules.cost_to_end import shortfall
from pitbook.rules.felt import place_name
from pitbook.rules.game import Area, Seat
from pitbook.rules.hand_names import name_hand
from pitbook.rules.mishaps import common_place_text
from pitbook.rules.narration import chips_json, report_lines, report_with_words, result_so_far
from pitbook.rules.refusals import Refusal
from pitbook.rules.result_json import RoundResult
from pitbook.rules.round import Pile, Round
from pitbook.rules.round_progress import earlier_spot, next_turn
from pitbook.rules.settlement import lines_of_next_step, opens_hand
from pitbook.rules.step import step
from pitbook.shoe.stored_shoe import CARD_FORMAT
from pitbook.text import capital
from pitbook.text.sentences import translate_document

WalletOf = Callable[[str], Cents]


def table_view(
    state: TableState, viewer: Viewer, wallet: WalletOf, access_list: AccessList = OPEN_TO_ALL
) -> View:
    """The table's view for one viewer."""
    return ViewCache(state).render_for(viewer, wallet, access_list)


# The parts of a view that are the same for every viewer, except for closed cards in `seats`.
PUBLIC_KEYS = frozenset(
    {"table", "kind", "unit", "version", "coach", "shuffler"}
    | Layout.__annotations__.keys()
    | TableStatus.__annotations__.keys()
)


class ViewCache:
    """Cache of one state's views; shared parts are computed once."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self._views: dict[Viewer, _CachedView] = {}
        self._public_texts: dict[str, _PublicTexts] = {}

    def render_for(
        self, viewer: Viewer, wallet: WalletOf, access_list: AccessList = OPEN_TO_ALL
    ) -> View:
        """The viewer's view, cached until anything changes; callers must not modify it."""
        return self._current_view(viewer, wallet, access_list).view

    def text_for(
        self, viewer: Viewer, wallet: WalletOf, access_list: AccessList, language: str
    ) -> str:
        """The same as JSON in a language; what everyone sees is encoded once."""
        cached = self._current_view(viewer, wallet, access_list)
        if language not in cached.texts:
            cached.texts[language] = self._encode(cached.view, language)
        return cached.texts[language]

    def _encode(self, view: View, language: str) -> str:
        public = self._public_texts.get(language)
        if public is None:
            public = self._public_texts[language] = self._encode_public(view, language)
        open_seats = self._layout.open_seats
        seats = ",".join(
            public.seats[index] if seat is open_seats[index] else _json_text(seat, language)
            for index, seat in enumerate(view["seats"])
        )
        private_parts = {key: part for key, part in view.items() if key not in PUBLIC_KEYS}
        return f'{public.members},"seats":[{seats}],{_json_text(private_parts, language)[1:]}'

    def _encode_public(self, view: View, language: str) -> _PublicTexts:
        public = {key: part for key, part in view.items() if key in PUBLIC_KEYS and key != "seats"}
        seats = [_json_text(seat, language) for seat in self._layout.open_seats]
        return _PublicTexts(_json_text(public, language)[:-1], seats)

    def _current_view(
        self, viewer: Viewer, wallet: WalletOf, access_list: AccessList
    ) -> _CachedView:
        cached = self._views.get(viewer)
        if cached is None or not cached.is_current(wallet, access_list):
            balances: dict[str, Cents] = {}

            def read_balance(player: str) -> Cents:
                if player not in balances:
                    balances[player] = wallet(player)
                return balances[player]

            view = self._render(viewer, read_balance, access_list)
            exclusions = _exclusions(access_list, (viewer.name, *self.state.seats.values()))
            cached = self._views[viewer] = _CachedView(
                view, balances, access_list.roster, exclusions, {}
            )
        return cached

    @cached_property
    def _layout(self) -> LayoutRenderer:
        return LayoutRenderer(self.state)

    @cached_property
    def _table_status(self) -> TableStatus:
        """The parts around the layout that everyone sees."""
        state = self.state
        return {
            "next_sheet": sheet_id(state.next_sheet) if state.next_sheet else None,
            "deadlines": dict(state.deadlines),
            "ready": [seat for seat, player in state.seats.items() if player in state.ready],
            "interruption": _interruption(state),
            "shoe": _shoe(state),
            "spot": cast(PracticeSpot | None, state.spot),
        }

    def _render(self, viewer: Viewer, wallet: WalletOf, access_list: AccessList) -> View:
        state = self.state
        shared: SharedView = {
            "table": state.table,
            "kind": state.kind,
            "unit": state.unit,
            "version": state.version,
            **self._layout.render_for(viewer),
            **self._table_status,
            "seat_seeds": _seat_seeds(state, viewer),
            "revealed": _last_shoe(state, viewer),
            "coach": state.coach,
            "shuffler": state.shuffler,
            "offers": offers(state, viewer, wallet, access_list),
        }
        view = cast(View, shared)
        if viewer.role == "player":
            view["wallet"] = money(wallet(viewer.name))
            view["short"] = _shortfall(state, viewer.name, wallet(viewer.name))
        if viewer.role in STAFF:
            view["rack"] = money(state.rack)
            view["dealer"] = state.dealer
            if state.typed:
                balances = {seat: wallet(player) for seat, player in state.seats.items()}
                view["dealing"] = dealer_view(state, balances)
        return view


class _CachedView(NamedTuple):
    """A cached view, and what it depends on besides the state."""

    view: View
    wallets: dict[str, Cents]
    roster: Roster
    exclusions: dict[str, Refusal | None]
    texts: dict[str, str]  # As JSON, by language.

    def is_current(self, wallet: WalletOf, access_list: AccessList) -> bool:
        """Whether the view would be the same now."""
        if (
            access_list.roster is not self.roster
            or _exclusions(access_list, self.exclusions) != self.exclusions
        ):
            return False
        return all(wallet(player) == held for player, held in self.wallets.items())


class _PublicTexts(NamedTuple):
    """What everyone sees as JSON: an object without its last brace, and each seat."""

    members: str
    seats: list[str]


def _json_text(document: Any, language: str) -> str:
    return to_json(translate_document(document, language)).decode()


def _exclusions(access_list: AccessList, players: Iterable[str]) -> dict[str, Refusal | None]:
    if not (access_list.roster.excluded or access_list.roster.rests):
        return {}
    return {player: access_list.exclusion_of(player) for player in players}


def _shortfall(state: TableState, player: str, balance: Cents) -> Shortfall | None:
    """What a player lacks to pay the smallest bet of every street (GEN-10), before the deal."""
    lack = shortfall(state.round, player, balance) if state.round is not None else None
    if lack is None:
        return None
    return {
        "left": money(lack.available),
        "needed": money(lack.needed),
        "more": money(lack.missing),
        "message": lack.message,
        "clause": lack.clause,
    }


def _interruption(state: TableState) -> InterruptionView | None:
    if state.interruption is None:
        return None
    answers = None if state.awaiting is None else dict(state.awaiting)
    return {"why": reason_text(state.interruption), "answers": answers}


def _shoe(state: TableState) -> ShoeView | None:
    """The public part of the shoe, with its history if cards are committed singly."""
    if state.shoe is None:
        return None
    shoe = public_shoe(state.shoe)
    return {**shoe, "history": state.history} if state.card_commitments else shoe


def _seat_seeds(state: TableState, viewer: Viewer) -> dict[str, str | None]:
    """Which seats have added a seed; the text is visible to its player only."""
    return {
        str(seat): text.rpartition("\n")[2] if _is_own_seed(state, seat, viewer) else None
        for seat, text in state.seat_seeds.items()
    }


def _is_own_seed(state: TableState, seat: int, viewer: Viewer) -> bool:
    player = state.seats.get(seat, "")
    is_own = not state.card_commitments or state.seed_authors.get(seat) == player
    return is_own and Audience(players=(player,)).has(viewer)


def _last_shoe(state: TableState, viewer: Viewer) -> LastShoe | None:
    """The last shoe; with single-card commitments its seed is never revealed."""
    if state.revealed is None:
        return None
    players = tuple(state.revealed["players"])
    if state.revealed.get("format") != CARD_FORMAT and seed_audience(players).has(viewer):
        return cast(LastShoe, state.revealed)
    return {"id": state.revealed["id"], "commitment": state.revealed["commitment"]}


def render_layout(state: TableState, viewer: Viewer) -> Layout:
    """The round on the layout as this viewer may see it."""
    return LayoutRenderer(state).render_for(viewer)


class LayoutRenderer:
    """Renders the layout of one state; shared parts are computed once."""

    def __init__(self, state: TableState) -> None:
        round = state.round
        self._state = state
        self._forced = {
            action.seat: action for action in state.actions if isinstance(action, Absent)
        }
        self._waiting = round.waiting if round is not None else ()
        # Hands that some viewers see more of.
        self._closed: list[tuple[int, Seat, list[Audience]]] = []
        self._open: Layout = {
            "phase": _phase(state),
            "sheet": sheet_id(state.sheet if round is not None else state.upcoming_sheet),
            "round": state.round_id if round is not None else None,
            "arranged": cast(PracticeSpot | None, state.arranged) if round is not None else None,
            "board": _board(state),
            "common": common_cards(round),
            "seats": list(self._seats(round, state.numbers)),
            "result": _result(state),
        }

    @property
    def open_seats(self) -> list[SeatView]:
        """The seats as everyone may see them."""
        return self._open["seats"]

    def render_for(self, viewer: Viewer) -> Layout:
        """The layout for one viewer; seats without private cards are shared."""
        seats = list(self._open["seats"])
        for index, seat, audiences in self._closed:
            if any(audience.has(viewer) for audience in {*audiences} if not audience.everyone):
                pairs = zip(seat.cards, audiences, strict=True)
                cards = [card if audience.has(viewer) else None for card, audience in pairs]
                seats[index] = {**seats[index], **self._cards(seat, cards)}
        return {**self._open, "seats": seats}

    def _seats(self, round: Round | None, numbers: Sequence[int]) -> Iterator[SeatView]:
        for index, number in enumerate(numbers):
            seat = round.seat(number) if round is not None else None
            if round is None or seat is None:
                yield {"seat": number, "player": self._state.seats.get(number)}
                continue
            audiences = hand_audiences(self._state, seat)
            if not all(audience.everyone for audience in audiences):
                self._closed.append((index, seat, audiences))
            pairs = zip(seat.cards, audiences, strict=True)
            cards = [card if audience.everyone else None for card, audience in pairs]
            yield self._seat(round, seat, self._cards(seat, cards))

    def _cards(self, seat: Seat, visible: list[Card | None]) -> HandView:
        assert self._state.round is not None
        cards = [*visible, *[None] * (seat.cards_dealt - len(visible))]
        faces = [None if card is None else name(card) for card in cards]
        round = self._state.round
        points, hand_name = _visible_points(round, cards), _hand_name(round, seat, cards)
        return {"cards": faces, "points": points, "named": hand_name}

    def _seat(self, round: Round, seat: Seat, cards: HandView) -> SeatView:
        state, number, sheet = self._state, seat.number, round.game.sheet
        open_stakes = round.open_stakes(seat)
        return {
            "seat": number,
            "player": seat.player if state.has_live_wagers else state.seats.get(number),
            "played_by": seat.player,
            "wagers": dump_stakes(seat.stakes),
            "chips": {wager: chips_json(sheet, amount) for wager, amount in seat.stakes},
            "held": money(sum(amount for _, amount in open_stakes)),
            **cards,
            "plays": [play for play in seat.plays if play != PASSED],
            **_declaration(seat),
            "waiting": number in self._waiting and earlier_spot(round, number) is None,
            "folded": seat.folded,
            "forced": _forced_reason(self._forced.get(number)),
            "tucked": round.game.tucked_under(seat),
            "void": seat.void,
            "net": None if open_stakes else _seat_net(round, seat),
            "settled": result_so_far(round, seat),
        }


def _phase(state: TableState) -> TablePhase:
    if state.retired:
        return "retired"
    if state.awaiting is not None:
        return "agreement"
    return state.round.phase if state.round is not None else "open"


def _board(state: TableState) -> BoardView:
    round = state.round
    faces = _card_faces(round.piles[0]) if round else []
    text = round.game.board_text(round.board) if round else None
    kind = round.game.board_name if round else state.game.board_name
    return {"name": kind, "cards": faces, "told": text, "arranged": _dealer_hands(round)}


def common_cards(round: Round | None) -> list[CommunityCards]:
    """Every common place with its name and cards; the board is the first."""
    piles = round.piles if round else ()
    return [
        {"place": place_name(number), "cards": _card_faces(pile)}
        for number, pile in enumerate(piles)
    ]


def _card_faces(pile: Pile) -> list[str | None]:
    return [*map(name, pile.cards), *[None] * (pile.cards_dealt - len(pile.cards))]


def _dealer_hands(round: Round | None) -> DealerHands | None:
    """The dealer's two hands once they are set (MHL-8)."""
    areas = round.game.board_areas(round.board) if round else None
    if areas is None:
        return None
    return {
        "low": _dealer_area(areas.low),
        "shared": _dealer_area(areas.shared) if areas.shared else None,
        "high": _dealer_area(areas.high),
        "laid": [name(card) for card in areas.row],
        "shared_at": areas.shared_at,
        "areas": [_dealer_area(area) for area in areas.in_row],
    }


def _dealer_area(area: Area) -> DealerArea:
    cards = [name(card) for card in area.cards]
    return {"title": area.title, "cards": cards, "points": area.points}


def _declaration(seat: Seat) -> HandDeclaration:
    """The seat's declaration, and how many main wagers it added."""
    play = next((play for play in reversed(seat.plays) if play.declaration), None)
    return {"said": play.declaration if play else None, "added": play.times if play else 0}


def _forced_reason(last: Absent | None) -> Literal["chips", "absent"] | None:
    """Why a hand was played automatically (GEN-10): too few chips, or player absent."""
    return None if last is None else "chips" if last.short else "absent"


def _visible_points(round: Round, cards: Sequence[Card | None]) -> Points | None:
    """The points of a complete hand that the viewer may see."""
    visible = tuple(card for card in cards if card is not None)
    points = round.game.points_of(visible) if len(visible) == round.game.hand_size else None
    return None if points is None else {"low": points[0], "high": points[1]}


def _hand_name(round: Round, seat: Seat, cards: Sequence[Card | None]) -> HandName | None:
    """The hand's name so far, if the viewer may see all of it and it is in play."""
    visible = tuple(card for card in cards if card is not None)
    if len(visible) < len(cards) or seat.folded or seat.void is not None:
        return None
    common = tuple(tuple(pile.cards) for pile in round.piles)
    named = name_hand(round.game, visible, common, _declaration(seat)["said"])
    if named is None:
        return None
    return {"name": named.name, "told": named.note, "cards": [name(card) for card in named.cards]}


def _seat_net(round: Round, seat: Seat) -> str | None:
    """The round's result for a seat with nothing open."""
    if round.phase not in ("settle", "over"):
        return None
    return money(sum(line.net for number, line in round.results if number == seat.number))


def _result(state: TableState) -> RoundResult | None:
    if state.result is None or state.round is None:
        return None
    return report_with_words(state.result, state.round)


SETTLE_NEXT = Settle(at_once=True)


def dealer_view(state: TableState, balances: dict[int, Cents]) -> DealerView:
    """The dealer's next act, the places where a card may be typed, and the payouts due."""
    round = state.round if state.has_live_wagers else None
    return {
        "next": None if round is None else next_act(round),
        "places": [] if round is None else [format_place(place) for place in _open_places(round)],
        "titles": {
            str(format_place(-at)): capital(common_place_text(place))
            for at, place in enumerate(state.game.places[1:])
        },
        "payouts": [] if round is None else list(payouts(round)),
        "purses": {str(seat): money(cents) for seat, cents in balances.items()},
    }


def next_act(round: Round) -> NextAction | None:
    """What the round waits for: a card, a player's decision, or settlement."""
    if round.phase == "wagers":
        return {"do": "close-betting"}
    if round.phase == "play":
        return _next_in_play(round)
    if round.phase == "settle":
        return _next_in_settlement(round)
    return None


def payouts(round: Round) -> Iterator[Payout]:
    """The payouts of each seat in paying order, as far as closed cards cannot change them."""
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


def _next_in_play(round: Round) -> NextAction | None:
    if round.game.places[0].open and (closed_seat := _closed_seat(round.seats)) is not None:
        return _type_card(closed_seat)
    if round.waiting:
        return {"do": "decide", "seat": round.waiting[0]}
    if (place := next_turn(round)) is not None:
        return _type_card(place)
    closed_seat = _closed_seat(
        seat for seat in round.seats if not seat.folded and seat.void is None
    )
    return None if closed_seat is None else _type_card(closed_seat)


def _next_in_settlement(round: Round) -> NextAction:
    """The next hand to open in paying order, or a settlement."""
    for number, group in round.to_settle[round.steps_settled :]:
        seat = round.seat(number)
        assert seat is not None
        closed = len(seat.cards) < seat.cards_dealt and seat.void is None
        if closed and opens_hand(round, seat, group):
            return _type_card(number)
    return {"do": "settle"}


def _open_places(round: Round) -> Iterator[PlaceNumber]:
    """The places where a card may be typed now."""
    if round.phase not in ("play", "settle"):
        return
    if round.phase == "play" and (place := next_turn(round)) is not None:
        yield place
    for seat in round.seats:
        is_unneeded = seat.folded and not round.game.looks_at_hand(seat)
        if len(seat.cards) < seat.cards_dealt and not is_unneeded:
            yield seat.number


def _closed_seat(seats: Iterator[Seat] | tuple[Seat, ...]) -> int | None:
    return next((seat.number for seat in seats if len(seat.cards) < seat.cards_dealt), None)


def _type_card(place: PlaceNumber) -> NextAction:
    return {"do": "type-card", "place": format_place(place)}
