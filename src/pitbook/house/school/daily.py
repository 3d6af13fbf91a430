"""The daily deal: ten hands a day, the same for everyone, one try each."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import NamedTuple, NotRequired
from zoneinfo import ZoneInfo

from typing_extensions import TypedDict

from pitbook.cards import name
from pitbook.coach.hands import HANDS, asked, hand, mine, numbers
from pitbook.coach.values import Sum, document
from pitbook.coach.verdicts import Weighed, weigh
from pitbook.exact.work import TooLarge
from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import StreamReader
from pitbook.house.ledger.stream_writer import PendingWrite, RequestKey, StreamWriter
from pitbook.house.people.names import GUEST_PREFIX
from pitbook.house.people.roster import ZONE
from pitbook.house.school.events import FACTS, STREAM, Day, Fact, Opened, Played, cost_of, evolve
from pitbook.house.table.offers import price_of_play
from pitbook.house.table.view_types import Priced
from pitbook.money import money
from pitbook.rules.felt import felt
from pitbook.rules.game import Game, compile_game
from pitbook.rules.narration import wager_title
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.report import StakedWager
from pitbook.rules.round import Round
from pitbook.rules.stored import sheet_document, stored_sheet
from pitbook.sheets.model import Sheet
from pitbook.shoe.vault import Vault

SEED_BYTES = 32


class Tries(NamedTuple):
    """Who tries a day's deal: the names that are theirs, and whether they are a guest."""

    names: tuple[str, ...]
    guest: bool


class TryStanding(NamedTuple):
    """Where a try stands: which hand, by its place among the ten, and what was played in it."""

    hand: int
    plays: tuple[str, ...]
    round: Round


class DailyHands(NamedTuple):
    """The ten hands of a day, for whoever holds the house's seal."""

    game: Game
    seed: str

    def standing(self, played: Sequence[Played]) -> TryStanding | None:
        """The next decision of somebody who has played so much; None: all hands are over."""
        for place, number in enumerate(numbers(self.game, self.seed), 1):
            plays = tuple(one.play for one in played if one.hand == place)
            round = hand(self.game, self.seed, number, plays)
            if round.phase != "over":
                return TryStanding(place, plays, round)
        return None

    def at(self, place: int, plays: Sequence[str]) -> Round:
        """A hand after some plays."""
        return hand(self.game, self.seed, numbers(self.game, self.seed)[place - 1], plays)

    def weighed(self, at: TryStanding) -> Weighed:
        """What every play is worth there."""
        return weigh(at.round, mine(at.round))


class Daily:
    """The days of a house; safe to use from several threads."""

    def __init__(self, ledger: Ledger, vault: Vault) -> None:
        self._ledger, self._vault = ledger, vault
        self._writers: dict[str, StreamWriter[Day, Fact]] = {}

    def day(self, day: str) -> Day:
        """A day as the book has it now; without an opening nobody has begun it yet."""
        return self._writer(day).catch_up()

    def open(self, day: str, sheet: Sheet) -> Day:
        """The day, opened by these rules where nobody has opened it before."""
        seed = secrets.token_hex(SEED_BYTES)
        made = Opened(
            day,
            json.dumps(sheet_document(sheet)),
            self._vault.seal(seed.encode(), _about(day)),
            hashlib.sha256(seed.encode()).hexdigest(),
            guests_apart=True,
        )
        self._writer(day).write(
            lambda now: None if now.opened else PendingWrite([made]), RequestKey()
        )
        return self.day(day)

    def hands(self, opened: Opened, who: Tries | None = None) -> DailyHands:
        """Its hands for somebody; nobody but the house can name them before they are played."""
        seed = self._vault.unseal(opened.sealed, _about(opened.day)).decode()
        if who is not None and who.guest:
            seed = hashlib.sha256(f"{seed}/{who.names[0]}".encode()).hexdigest()
        return DailyHands(compile_game(stored_sheet(json.loads(opened.sheet))), seed)

    def play(
        self,
        day: Day,
        who: Tries,
        at: TryStanding,
        play: str,
        *,
        weighed: Weighed,
        now: datetime,
    ) -> Played | Refusal:
        """One decision on record, if the try still stands where its player saw it.

        What was played under any of the player's names is the one try.
        """
        assert day.opened is not None
        hands, names, wanted = self.hands(day.opened, who), who.names, (at.hand, at.plays)
        if play not in asked(at.round):
            return refuse(Code.UNKNOWN_PLAY, "train.daily.no-play", play=play)
        cost = str(weighed.cost(play))
        made = Played(names[0], at.hand, play, str(weighed.best), cost, now.isoformat())

        def decide(state: Day) -> PendingWrite[Fact] | Refusal:
            found = hands.standing(state.of(names))
            if found is None or (found.hand, found.plays) != wanted:
                return refuse(Code.NOT_NOW, "train.daily.moved-on")
            under = state.of(names)
            name = under[0].player if under else names[0]
            return PendingWrite([made._replace(player=name)])

        written = self._writer(day.opened.day).write(decide, RequestKey(names[0]))
        return written if isinstance(written, Refusal) else made

    def _writer(self, day: str) -> StreamWriter[Day, Fact]:
        if day not in self._writers:
            while len(self._writers) > 1:
                del self._writers[next(iter(self._writers))]
            reader = StreamReader(self._ledger, f"{STREAM}{day}", Day(), _read)
            self._writers[day] = StreamWriter(reader, FACTS)
        return self._writers[day]


def today(now: datetime) -> str:
    """The day where the house is."""
    return now.astimezone(ZoneInfo(ZONE)).date().isoformat()


def _read(day: Day, entries: Iterable[Entry]) -> Day:
    return evolve(day, [fact for entry in entries for fact in FACTS.load_entry(entry)])


def _about(day: str) -> str:
    return f"daily deal {day}"


# Views --------------------------------------------------------------------------------------------


class DailyLies(TypedDict):
    """Cards in common; null lies face down."""

    title: str
    cards: list[str | None]


class Bet(TypedDict):
    """A wager that lies there, by its name."""

    title: str
    amount: str


class PlayOffered(Priced):
    """A play, and what it costs now."""

    play: str
    title: str


class DailyHand(TypedDict):
    """The hand that waits for its player: `decision` counts what was played in it."""

    hand: int
    decision: int
    street: str
    cards: list[str]
    common: list[DailyLies]
    wagers: list[StakedWager]
    bets: list[Bet]
    plays: list[PlayOffered]


class DailyPlayed(TypedDict):
    """A decision that was made."""

    hand: int
    street: str
    cards: list[str]
    common: list[DailyLies]
    play: str
    best: str
    cost: Sum


class DailyResult(TypedDict):
    """How somebody did; a guest had other hands, has no place, and is shown to no one else."""

    player: str
    guest: bool
    place: int | None
    cost: Sum
    best: int
    decisions: int
    you: bool


class SheetOfDay(TypedDict):
    """The sheet of a day; `currency`: what its money is in, where that is no US dollars."""

    sheet: str
    title: str
    currency: NotRequired[str]


class DailyShown(SheetOfDay):
    """A day's deal; `commitment` is null until somebody has begun it, `seed` until its day is over.

    Until it is begun the sheet is the one whose turn it is; nothing else is there yet. `trial`:
    whoever looks is a guest, has hands of their own and will have no place.
    """

    day: str
    hands: int
    commitment: str | None
    seed: str | None
    begun: bool
    trial: bool
    hand: DailyHand | None
    played: list[DailyPlayed]
    cost: Sum
    results: list[DailyResult]
    playing: int


class Looking(NamedTuple):
    """Who looks, without a name for a stranger, and whether they begin now."""

    who: Tries
    begins: bool


def in_time(day: str, sheets: Sequence[Sheet]) -> Sheet | None:
    """The first of some sheets whose hands can be weighed in time."""
    for sheet in sheets:
        hands = DailyHands(compile_game(sheet), day)  # Any seed will do to see how long it takes.
        try:
            at = hands.standing(())
            if at is not None:
                hands.weighed(at)
                return sheet
        except TooLarge:
            continue
    return None


def awaited(day: str, sheet: Sheet, *, trial: bool) -> DailyShown:
    """A day that nobody has begun: no card of it is drawn yet."""
    return {
        "day": day,
        **_named(sheet),
        "hands": HANDS,
        "commitment": None,
        "seed": None,
        "begun": False,
        "trial": trial,
        "hand": None,
        "played": [],
        "cost": document(Fraction(0)),
        "results": [],
        "playing": 0,
    }


def _named(sheet: Sheet) -> SheetOfDay:
    named: SheetOfDay = {"sheet": sheet.id, "title": sheet.title}
    return {**named, "currency": sheet.house.currency} if sheet.house.currency else named


def shown(daily: Daily, day: Day, opening: Opened, looking: Looking, now: datetime) -> DailyShown:
    """The deal for somebody; whoever has not begun sees no card of it."""
    who = looking.who
    hands, played = daily.hands(opening, who if who.names else None), day.of(who.names)
    begun = looking.begins or bool(played)
    at = hands.standing(played) if begun else None
    results = list(_results(daily, day, opening, looking))
    return {
        "day": opening.day,
        **_named(hands.game.sheet),
        "hands": HANDS,
        "commitment": opening.commitment,
        "seed": daily.hands(opening).seed if today(now) > opening.day else None,
        "begun": begun,
        "trial": who.guest,
        "hand": None if at is None else _hand(at),
        "played": list(_played(hands, played)),
        "cost": document(cost_of(played)),
        "results": results,
        "playing": sum(not one.guest for one in _whose(day).values())
        - sum(not one["guest"] for one in results),
    }


def _hand(at: TryStanding) -> DailyHand:
    round, seat = at.round, mine(at.round)
    stage = round.game.stages[round.stage]
    plays = {str(play): play for play in stage.plays}
    return {
        "hand": at.hand,
        "decision": len(at.plays),
        "street": stage.title,
        "cards": [name(card) for card in seat.cards],
        "common": _common(round),
        "wagers": [[wager, money(amount)] for wager, amount in seat.stakes],
        "bets": [
            {"title": wager_title(round, wager), "amount": money(amount)}
            for wager, amount in seat.stakes
        ],
        "plays": [
            {"play": play, "title": play.label, **price_of_play(round.game, seat, play)}
            for play in (plays[one] for one in asked(round))
        ],
    }


def _common(round: Round) -> list[DailyLies]:
    """What lies open, and what lies there still closed."""
    groups = felt(round.game).groups
    return [
        {
            "title": group.label,
            "cards": [*map(name, pile.cards), *[None] * (pile.laid - len(pile.cards))],
        }
        for group, pile in zip(groups, round.piles, strict=True)
    ]


def _played(hands: DailyHands, played: Sequence[Played]) -> Iterator[DailyPlayed]:
    before: dict[int, tuple[str, ...]] = {}
    for one in played:
        round = hands.at(one.hand, before.get(one.hand, ()))
        before[one.hand] = (*before.get(one.hand, ()), one.play)
        stage = round.game.stages[round.stage]
        titles = {str(play): play.label for play in stage.plays}
        yield {
            "hand": one.hand,
            "street": stage.title,
            "cards": [name(card) for card in mine(round).cards],
            "common": _common(round),
            "play": titles[one.play],
            "best": titles[one.best],
            "cost": document(Fraction(one.cost)),
        }


def _results(daily: Daily, day: Day, opening: Opened, looking: Looking) -> Iterator[DailyResult]:
    """Whoever is through, by what was given away; equal costs share a place."""
    whose = _whose(day)
    shown = {one: who for one, who in whose.items() if one in looking.who.names or not who.guest}
    done = {
        one: day.played[one]
        for one, who in shown.items()
        if daily.hands(opening, who).standing(day.played[one]) is None
    }
    costs = {one: cost_of(plays) for one, plays in done.items()}
    members = sorted(costs[one] for one in done if not whose[one].guest)
    for one in sorted(done, key=lambda one: (costs[one], done[one][-1].at)):
        guest = whose[one].guest
        yield {
            "player": whose[one].names[0],
            "guest": guest,
            "place": None if guest else 1 + members.index(costs[one]),
            "cost": document(costs[one]),
            "best": sum(not Fraction(play.cost) for play in done[one]),
            "decisions": len(done[one]),
            "you": one in looking.who.names,
        }


def _whose(day: Day) -> dict[str, Tries]:
    """Who made each try."""
    return {name: Tries((name,), guest=name.startswith(GUEST_PREFIX)) for name in day.played}
