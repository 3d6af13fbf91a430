"""The daily deal: ten hands a day, the same for everyone, one try each."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, NotRequired
from zoneinfo import ZoneInfo

from typing_extensions import TypedDict

from pitbook.cards import name
from pitbook.coach.practice_hands import HANDS, hand, hand_numbers, legal_plays, only_seat
from pitbook.coach.verdicts import Sum, WeighedDecision, amount_json, weigh
from pitbook.exact.long_computations import TooLarge
from pitbook.house.ledger.hash_chain import Entry
from pitbook.house.ledger.ledger import Ledger
from pitbook.house.ledger.streams import PendingWrite, RequestKey, StreamReader, StreamWriter
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.people.roster_store import ZONE
from pitbook.house.school.facts import (
    FACTS,
    STREAM,
    Day,
    DayOpened,
    Fact,
    HandPlayed,
    evolve,
    total_cost,
)
from pitbook.house.table.offers import price_of_play
from pitbook.house.table.view_types import PlayPrice
from pitbook.money import money
from pitbook.rules.felt import felt
from pitbook.rules.game import Game, compile_game
from pitbook.rules.narration import wager_title
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.result_json import StakedWager
from pitbook.rules.round import Round
from pitbook.rules.stored_rounds import sheet_document, stored_sheet
from pitbook.sheets.model import Sheet
from pitbook.shoe.crypto import Vault

SEED_BYTES = 32


class PlayerTry(NamedTuple):
    """Who is trying a day's deal: their names, and whether they are a guest."""

    names: tuple[str, ...]
    guest: bool


class Spot(NamedTuple):
    """The position of a try: the hand's place among the ten, and the plays made in it."""

    hand: int
    plays: tuple[str, ...]
    round: Round


class DailyHands(NamedTuple):
    """The ten hands of a day, unsealed."""

    game: Game
    seed: str

    def next_spot(self, decisions: Sequence[HandPlayed]) -> Spot | None:
        """The next decision after these plays; None if all hands are over."""
        for position, number in enumerate(hand_numbers(self.game, self.seed), 1):
            plays = tuple(decision.play for decision in decisions if decision.hand == position)
            round = hand(self.game, self.seed, number, plays)
            if round.phase != "over":
                return Spot(position, plays, round)
        return None

    def at(self, place: int, plays: Sequence[str]) -> Round:
        """A hand after some plays."""
        return hand(self.game, self.seed, hand_numbers(self.game, self.seed)[place - 1], plays)

    def weigh(self, spot: Spot) -> WeighedDecision:
        """The value of every play at a spot."""
        return weigh(spot.round, only_seat(spot.round))


class Daily:
    """The daily deals of a house. Thread-safe."""

    def __init__(self, ledger: Ledger, vault: Vault) -> None:
        self._ledger, self._vault = ledger, vault
        self._writers: dict[str, StreamWriter[Day, Fact]] = {}

    def day(self, day: str) -> Day:
        """A day as recorded; without an opening no one has begun it."""
        return self._writer(day).catch_up()

    def open(self, day: str, sheet: Sheet) -> Day:
        """The day, opened with this sheet unless it is open already."""
        seed = secrets.token_hex(SEED_BYTES)
        opened = DayOpened(
            day,
            json.dumps(sheet_document(sheet)),
            self._vault.seal(seed.encode(), _seal_context(day)),
            hashlib.sha256(seed.encode()).hexdigest(),
            guests_apart=True,
        )
        self._writer(day).write(
            lambda day_state: None if day_state.opened else PendingWrite([opened]), RequestKey()
        )
        return self.day(day)

    def hands(self, opened: DayOpened, player_try: PlayerTry | None = None) -> DailyHands:
        """The day's hands for a player; guests have hands of their own."""
        seed = self._vault.unseal(opened.sealed, _seal_context(opened.day)).decode()
        if player_try is not None and player_try.guest:
            seed = hashlib.sha256(f"{seed}/{player_try.names[0]}".encode()).hexdigest()
        return DailyHands(_recorded_game(opened.sheet), seed)

    def play(
        self,
        day: Day,
        player_try: PlayerTry,
        spot: Spot,
        play: str,
        *,
        weighed: WeighedDecision,
        now: datetime,
    ) -> HandPlayed | Refusal:
        """Record a decision if the try is still where its player saw it.

        Plays under any of the player's names belong to the same try.
        """
        assert day.opened is not None
        hands, names, expected_totals = (
            self.hands(day.opened, player_try),
            player_try.names,
            (spot.hand, spot.plays),
        )
        if play not in legal_plays(spot.round):
            return refuse(Code.UNKNOWN_PLAY, "train.daily.no-play", play=play)
        cost = str(weighed.cost(play))
        decision = HandPlayed(names[0], spot.hand, play, str(weighed.best), cost, now.isoformat())

        def decide(state: Day) -> PendingWrite[Fact] | Refusal:
            spot_now = hands.next_spot(state.plays_of(names))
            if spot_now is None or (spot_now.hand, spot_now.plays) != expected_totals:
                return refuse(Code.NOT_NOW, "train.daily.moved-on")
            earlier = state.plays_of(names)
            name = earlier[0].player if earlier else names[0]
            return PendingWrite([decision._replace(player=name)])

        written = self._writer(day.opened.day).write(decide, RequestKey(names[0]))
        return written if isinstance(written, Refusal) else decision

    def _writer(self, day: str) -> StreamWriter[Day, Fact]:
        if day not in self._writers:
            while len(self._writers) > 1:
                del self._writers[next(iter(self._writers))]
            reader = StreamReader(self._ledger, f"{STREAM}{day}", Day(), _replay_entries)
            self._writers[day] = StreamWriter(reader, FACTS)
        return self._writers[day]


def today(now: datetime) -> str:
    """The date at the house."""
    return now.astimezone(ZoneInfo(ZONE)).date().isoformat()


def _replay_entries(day: Day, entries: Iterable[Entry]) -> Day:
    return evolve(day, [fact for entry in entries for fact in FACTS.load_entry(entry)])


def _seal_context(day: str) -> str:
    return f"daily deal {day}"


# Views --------------------------------------------------------------------------------------------


class DailyBoard(TypedDict):
    """Common cards; null is face down."""

    title: str
    cards: list[str | None]


class Bet(TypedDict):
    """A wager on the layout, with its title."""

    title: str
    amount: str


class DailyOption(PlayPrice):
    """A play, and what it costs now."""

    play: str
    title: str


class DailyHand(TypedDict):
    """The hand in progress; `decision` counts the plays made in it."""

    hand: int
    decision: int
    street: str
    cards: list[str]
    common: list[DailyBoard]
    wagers: list[StakedWager]
    bets: list[Bet]
    plays: list[DailyOption]


class DailyDecision(TypedDict):
    """A decision that was made."""

    hand: int
    street: str
    cards: list[str]
    common: list[DailyBoard]
    play: str
    best: str
    cost: Sum


class DailyResult(TypedDict):
    """A player's result; guests have other hands and no place, and only they see their result."""

    player: str
    guest: bool
    place: int | None
    cost: Sum
    best: int
    decisions: int
    you: bool


class SheetOfDay(TypedDict):
    """The sheet of a day; `currency` is omitted for US dollars."""

    sheet: str
    title: str
    currency: NotRequired[str]


class DailyView(SheetOfDay):
    """A day's deal; `commitment` is null until someone begins, `seed` until the day is over.

    Before that only the scheduled sheet is known. `trial`: the caller is a guest, who has hands
    of their own and no place.
    """

    day: str
    hands: int
    commitment: str | None
    seed: str | None
    begun: bool
    trial: bool
    hand: DailyHand | None
    played: list[DailyDecision]
    cost: Sum
    results: list[DailyResult]
    playing: int


@lru_cache(maxsize=16)
def _recorded_game(sheet: str) -> Game:
    """The game of a day's recorded rules."""
    return compile_game(stored_sheet(json.loads(sheet)))


class DailyViewer(NamedTuple):
    """Who is looking, with no name for a stranger, and whether they begin now."""

    who: PlayerTry
    begins: bool


def first_playable_sheet(day: str, sheets: Sequence[Sheet]) -> Sheet | None:
    """The first sheet whose hands can be evaluated in time."""
    for sheet in sheets:
        hands = DailyHands(compile_game(sheet), day)  # Any seed shows how long it takes.
        try:
            spot = hands.next_spot(())
            if spot is not None:
                hands.weigh(spot)
                return sheet
        except TooLarge:
            continue
    return None


def unopened_day_view(day: str, sheet: Sheet, *, trial: bool) -> DailyView:
    """The view of a day that no one has begun."""
    return {
        "day": day,
        **_sheet_json(sheet),
        "hands": HANDS,
        "commitment": None,
        "seed": None,
        "begun": False,
        "trial": trial,
        "hand": None,
        "played": [],
        "cost": amount_json(Fraction(0)),
        "results": [],
        "playing": 0,
    }


def _sheet_json(sheet: Sheet) -> SheetOfDay:
    named: SheetOfDay = {"sheet": sheet.id, "title": sheet.title}
    return {**named, "currency": sheet.house.currency} if sheet.house.currency else named


def daily_view(
    daily: Daily, day: Day, opening: DayOpened, viewer: DailyViewer, now: datetime
) -> DailyView:
    """The deal for a caller; no cards before they begin."""
    player_try = viewer.who
    hands, played = (
        daily.hands(opening, player_try if player_try.names else None),
        day.plays_of(player_try.names),
    )
    begun = viewer.begins or bool(played)
    spot = hands.next_spot(played) if begun else None
    results = list(_results(daily, day, opening, viewer))
    return {
        "day": opening.day,
        **_sheet_json(hands.game.sheet),
        "hands": HANDS,
        "commitment": opening.commitment,
        "seed": daily.hands(opening).seed if today(now) > opening.day else None,
        "begun": begun,
        "trial": player_try.guest,
        "hand": None if spot is None else _hand_view(spot),
        "played": list(_played_views(hands, played)),
        "cost": amount_json(total_cost(played)),
        "results": results,
        "playing": sum(not tries.guest for tries in _tries_by_name(day).values())
        - sum(not result["guest"] for result in results),
    }


def _hand_view(spot: Spot) -> DailyHand:
    round, seat = spot.round, only_seat(spot.round)
    stage = round.game.stages[round.stage]
    plays = {str(play): play for play in stage.plays}
    return {
        "hand": spot.hand,
        "decision": len(spot.plays),
        "street": stage.title,
        "cards": [name(card) for card in seat.cards],
        "common": _common_cards(round),
        "wagers": [[wager, money(amount)] for wager, amount in seat.stakes],
        "bets": [
            {"title": wager_title(round, wager), "amount": money(amount)}
            for wager, amount in seat.stakes
        ],
        "plays": [
            {"play": play, "title": play.label, **price_of_play(round.game, seat, play)}
            for play in (plays[play] for play in legal_plays(round))
        ],
    }


def _common_cards(round: Round) -> list[DailyBoard]:
    """The common cards, face up and face down."""
    groups = felt(round.game).groups
    return [
        {
            "title": group.label,
            "cards": [*map(name, pile.cards), *[None] * (pile.cards_dealt - len(pile.cards))],
        }
        for group, pile in zip(groups, round.piles, strict=True)
    ]


def _played_views(hands: DailyHands, decisions: Sequence[HandPlayed]) -> Iterator[DailyDecision]:
    before: dict[int, tuple[str, ...]] = {}
    for decision in decisions:
        round = hands.at(decision.hand, before.get(decision.hand, ()))
        before[decision.hand] = (*before.get(decision.hand, ()), decision.play)
        stage = round.game.stages[round.stage]
        titles = {str(play): play.label for play in stage.plays}
        yield {
            "hand": decision.hand,
            "street": stage.title,
            "cards": [name(card) for card in only_seat(round).cards],
            "common": _common_cards(round),
            "play": titles[decision.play],
            "best": titles[decision.best],
            "cost": amount_json(Fraction(decision.cost)),
        }


def _results(
    daily: Daily, day: Day, opening: DayOpened, viewer: DailyViewer
) -> Iterator[DailyResult]:
    """Finished tries by cost; equal costs share a place."""
    whose = _tries_by_name(day)
    visible = {
        player: tries
        for player, tries in whose.items()
        if player in viewer.who.names or not tries.guest
    }
    finished = {
        player: day.played[player]
        for player, tries in visible.items()
        if daily.hands(opening, tries).next_spot(day.played[player]) is None
    }
    costs = {player: total_cost(plays) for player, plays in finished.items()}
    members = sorted(costs[player] for player in finished if not whose[player].guest)
    for player in sorted(finished, key=lambda player: (costs[player], finished[player][-1].at)):
        guest = whose[player].guest
        yield {
            "player": whose[player].names[0],
            "guest": guest,
            "place": None if guest else 1 + members.index(costs[player]),
            "cost": amount_json(costs[player]),
            "best": sum(not Fraction(play.cost) for play in finished[player]),
            "decisions": len(finished[player]),
            "you": player in viewer.who.names,
        }


def _tries_by_name(day: Day) -> dict[str, PlayerTry]:
    """Who made each try."""
    return {name: PlayerTry((name,), guest=name.startswith(GUEST_PREFIX)) for name in day.played}
