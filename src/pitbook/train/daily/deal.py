"""A house's daily deal over its book: opened once a day by whoever begins first, one try a person.

The seed is drawn when the day is opened and kept under the house's seal: nobody knows a card
before, and no request has a say in it. A guest's name costs nothing, so each guest has hands of
their own: whoever comes back under another name has seen none of the house's.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitbook.house.ledger.chain import Entry
from pitbook.house.ledger.journal import Ledger
from pitbook.house.ledger.stream_reader import ReadState
from pitbook.house.ledger.stream_writer import KnownRequest, Shell, Writing
from pitbook.house.people.roster import ZONE
from pitbook.rules.game import Game, compile_game
from pitbook.rules.refusals import Code, Refusal, refuse
from pitbook.rules.round import Round
from pitbook.rules.stored import sheet_document, stored_sheet
from pitbook.sheets.model import Sheet
from pitbook.shoe.vault import Vault
from pitbook.train.coach import Weighed, weigh
from pitbook.train.daily.facts import FACTS, STREAM, Day, Fact, Opened, Played, evolve
from pitbook.train.daily.hands import asked, hand, mine, numbers

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
        self._shells: dict[str, Shell[Day, Fact]] = {}

    def day(self, day: str) -> Day:
        """A day as the book has it now; without an opening nobody has begun it yet."""
        return self._shell(day).read_on()

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
        self._shell(day).write(lambda now: None if now.opened else Writing([made]), KnownRequest())
        return self.day(day)

    def hands(self, opened: Opened, who: Tries | None = None) -> DailyHands:
        """Its hands for somebody; nobody but the house can name them before they are played."""
        seed = self._vault.unseal(opened.sealed, _about(opened.day)).decode()
        if who is not None and who.guest and opened.guests_apart:
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

        def decide(state: Day) -> Writing[Fact] | Refusal:
            found = hands.standing(state.of(names))
            if found is None or (found.hand, found.plays) != wanted:
                return refuse(Code.NOT_NOW, "train.daily.moved-on")
            under = state.of(names)
            name = under[0].player if under else names[0]
            return Writing([made._replace(player=name)])

        written = self._shell(day.opened.day).write(decide, KnownRequest(names[0]))
        return written if isinstance(written, Refusal) else made

    def _shell(self, day: str) -> Shell[Day, Fact]:
        if day not in self._shells:
            while len(self._shells) > 1:
                del self._shells[next(iter(self._shells))]
            fold = ReadState(self._ledger, f"{STREAM}{day}", Day(), _read)
            self._shells[day] = Shell(fold, FACTS)
        return self._shells[day]


def today(now: datetime) -> str:
    """The day where the house is."""
    return now.astimezone(ZoneInfo(ZONE)).date().isoformat()


def _read(day: Day, entries: Iterable[Entry]) -> Day:
    return evolve(day, [fact for entry in entries for fact in FACTS.told(entry)])


def _about(day: str) -> str:
    return f"daily deal {day}"
