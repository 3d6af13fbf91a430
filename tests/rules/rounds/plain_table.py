"""A table that takes a journal's actions at their word and reports what they come to.

It judges nothing: whether an action was legal is the engine's affair, what it means is known here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.rules.rounds import oracle
from tests.rules.rounds.oracle import Json, Line, cents, line_of, written

BOARD = "board"


class Hand:
    """One seat's wagers, cards and plays."""

    def __init__(self, seat: int, player: str) -> None:
        self.seat = seat
        self.player = player
        self.bets: dict[str, int] = {}
        self.cards: list[str] = []
        self.plays: list[str] = []
        self.void: str | None = None

    @property
    def folded(self) -> bool:
        return "fold" in self.plays


class PlainTable:
    """The sheet as JSON, and what has happened so far."""

    def __init__(self, sheet: Json) -> None:
        self.sheet = sheet
        self.stud = sheet["family"] == "street-stud"
        self.main = "ante" if self.stud else "bet"
        self.hands: dict[int, Hand] = {}
        self.board: list[str] = []
        self.settled = 0
        self.ending: tuple[str, str] | None = None

    def take(self, action: Json) -> None:
        """One action of the journal."""
        getattr(self, "_" + action["do"].replace("-", "_"))(action)

    def report(self) -> Json:
        """The finished round as a command prints it, but for hash and notes."""
        hands = {seat: self.hands[seat] for seat in sorted(self.hands)}
        bites: list[Json] = []
        if self.ending:
            result = self.ending[0]
            lines = {seat: self.returned(hand, self.ending[1]) for seat, hand in hands.items()}
        else:
            result = "settled"
            lines = {seat: self.lines(hand) for seat, hand in hands.items()}
            bites = oracle.capped(self.sheet, lines)
        seats = [seat_report(hand, lines[seat]) for seat, hand in hands.items()]
        house = -sum(cents_signed(one["net"]) for one in seats)
        return {
            "sheet": self.sheet["id"],
            "result": result,
            "seats": seats,
            "limits": bites,
            "house_net": written(house),
        }

    def lines(self, hand: Hand) -> list[Line]:
        """A hand's lines before any cap."""
        if hand.void:
            return self.voided(hand)
        return [self.main_line(hand, *one) for one in self.main_bets(hand)] + [
            self.side_line(hand, wager, stake) for wager, stake in self.side_bets(hand)
        ]

    def main_bets(self, hand: Hand) -> list[tuple[str, int]]:
        unit = hand.bets[self.main]
        if not self.stud:
            times = self.sheet["double"]["times"] if hand.plays[0:1] and "+" in hand.plays[0] else 0
            return [("bet", unit)] + ([("double", unit * times)] if times else [])
        streets = zip(self.sheet["streets"], hand.plays, strict=False)
        bets = [(one["id"], unit * int(p.removesuffix("x"))) for one, p in streets if p != "fold"]
        return [("ante", unit), *(one for one in bets if one[1])]

    def side_bets(self, hand: Hand) -> list[tuple[str, int]]:
        return [(wager, hand.bets[wager]) for wager in self.sheet["side"] if wager in hand.bets]

    def main_line(self, hand: Hand, wager: str, stake: int) -> Line:
        clause = self.sheet["main"]["clause"]
        if hand.folded:
            return line_of(wager, stake, self.sheet["fold"]["clause"], "fold", "lose")
        if self.stud:
            found = oracle.pay(self.sheet, "main", hand.cards + self.board)
        else:
            ahead = oracle.totals(self.sheet, hand.cards, self.board)
            play = hand.plays[0]
            found = oracle.declared(self.sheet, play, ahead[play.split("+")[0]])
        return oracle.priced(self.sheet, wager, stake, found, clause)

    def side_line(self, hand: Hand, wager: str, stake: int) -> Line:
        side = self.sheet["side"][wager]
        if hand.folded and not side["after_fold"]["plays"]:
            return line_of(wager, stake, side["after_fold"]["clause"], "fold", "lose")
        whole = hand.cards + self.board if self.stud else hand.cards
        cards = {"community": self.board, "hole": hand.cards, "hand": whole}
        held = {one[0] for one in hand.cards}
        matched = sum(one[0] in held for one in self.board)
        found = oracle.pay(self.sheet, wager, cards.get(side["looks_at"], []), matched)
        return oracle.priced(self.sheet, wager, stake, found, side["clause"])

    def returned(self, hand: Hand, clause: str) -> list[Line]:
        """A hand of a void round; GEN-7 where an offence prevails."""
        offence = not self.rules["misdeal_over_offence"]["is"] and hand.void == "information"
        return self.voided(hand) if offence else self.back(hand, clause)

    def voided(self, hand: Hand) -> list[Line]:
        if hand.void == "information":
            rule = self.rules["information"]
            if rule["result"] == "forfeit":
                bets = self.main_bets(hand) + self.side_bets(hand)
                return [line_of(*one, rule["clause"], None, "forfeit") for one in bets]
            return self.back(hand, rule["clause"])
        rules = {"exposed": "exposed_card", "off-table": "cards_off_table"}
        return self.back(hand, self.rules[rules.get(hand.void or "", "misdeal")]["clause"])

    def back(self, hand: Hand, clause: str) -> list[Line]:
        """GEN-6: every wager returns; where only live ones do, what a fold lost stays lost."""
        lost = hand.folded and self.rules["misdeal"]["returns"] == "live-wagers"
        lines = []
        for wager, stake in self.main_bets(hand):
            line = line_of(wager, stake, clause)
            lines.append(self.main_line(hand, wager, stake) if lost else line)
        for wager, stake in self.side_bets(hand):
            line = line_of(wager, stake, clause)
            dead = lost and not self.sheet["side"][wager]["after_fold"]["plays"]
            lines.append(self.side_line(hand, wager, stake) if dead else line)
        return lines

    @property
    def rules(self) -> Json:
        rules: Json = self.sheet["irregularities"]
        return rules

    @property
    def order(self) -> list[int]:
        """The seats in the order of settlement, once for every pass that concerns them."""
        rule = self.sheet["settlement"]
        seats = sorted(self.hands, reverse=rule["direction"] == "right-to-left")
        return [
            seat
            for group in rule["passes"]
            for seat in seats
            if "main" in group or set(group) & set(self.hands[seat].bets)
        ]

    @property
    def over(self) -> bool:
        return self.ending is not None or self.settled == len(self.order) > 0

    @property
    def too_late(self) -> bool:
        return self.rules["misdeal"]["until"] == "first-seat-settled" and self.settled > 0

    def _end(self, result: str, clause: str) -> None:
        if not self.over:
            self.ending = (result, clause)

    def _void(self, seat: int, reason: str) -> None:
        hand = self.hands[seat]
        if hand.void is None and (not self.settled or seat in self.order[self.settled :]):
            hand.void = reason

    def _wager(self, action: Json) -> None:
        hand = self.hands.setdefault(action["seat"], Hand(action["seat"], action["player"]))
        hand.bets[action["wager"]] = cents(action["amount"])

    def _withdraw(self, action: Json) -> None:
        del self.hands[action["seat"]].bets[action["wager"]]
        if action["wager"] == self.main:
            del self.hands[action["seat"]]

    def _close(self, action: Json) -> None: ...

    def _deal(self, action: Json) -> None: ...

    def _turn(self, action: Json) -> None:
        place = action["place"]
        (self.board if place == BOARD else self.hands[place].cards).append(action["card"])

    def _decide(self, action: Json) -> None:
        self.hands[action["seat"]].plays.append(action["play"])

    def _absent(self, action: Json) -> None:
        """GEN-10."""
        hand = self.hands[action["seat"]]
        if self.stud:
            street = self.sheet["streets"][len(hand.plays)]
            short = action.get("short") or self.sheet["absent"]["is"] == "fold"
            folds = street["fold"] and short
            hand.plays.append("fold" if folds else f"{min(street['bets'])}x")
            return
        values = self.sheet["points"]["values"] | self.sheet["points"]["in_high_hand"]
        high = self.sheet["declare"]["absent_high_at"]["is"]
        hand.plays.append("high" if oracle.points(hand.cards, values) >= high else "low")

    def _settle(self, action: Json) -> None:
        self.settled += 1

    def _misdeal(self, action: Json) -> None:
        rule = self.rules["wrong_card_count" if action["card_count"] else "misdeal"]
        if not self.too_late:
            self._end("misdeal", rule["clause"])

    def _fouled(self, action: Json) -> None:
        if not self.too_late:
            self._end("misdeal", self.rules["fouled_deck"]["clause"])

    def _expose(self, action: Json) -> None:
        self._turn(action)
        rule = self.rules["early_card" if action["place"] == BOARD else "exposed_card"]
        if rule["is"] == "void-round" and not self.too_late:
            self._end("misdeal", rule["clause"])
        elif rule["is"] == "void-hand":
            self._void(action["place"], "exposed")

    def _void_hand(self, action: Json) -> None:
        warned = action["reason"] == "information" and self.rules["information"]["result"] == "warn"
        if not warned:
            self._void(action["seat"], action["reason"])

    def _warn(self, action: Json) -> None:
        rule = self.rules.get("cards_off_table")
        if rule and rule["is"] == "void":
            self._void(action["seat"], "off-table")

    def _interrupted(self, action: Json) -> None:
        rule = self.rules["interruption"]
        if rule["is"] == "agree-or-dead" and not action["agreed"]:
            self._end("dead", rule["clause"])


def settled(sheet: Json, actions: Iterable[Json]) -> Json:
    """The report of a whole journal."""
    table = PlainTable(sheet)
    for action in actions:
        table.take(action)
    return table.report()


def seat_report(hand: Hand, lines: list[Line]) -> dict[str, Any]:
    wins = sum(one["wins"] for one in lines)
    loses = sum(one["stake"] for one in lines if one["result"] in ("lose", "forfeit"))
    shown = [one | {"stake": written(one["stake"]), "wins": written(one["wins"])} for one in lines]
    return {
        "seat": hand.seat,
        "player": hand.player,
        "lines": shown,
        "wins": written(wins),
        "loses": written(loses),
        "net": written(wins - loses),
    }


def cents_signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)
