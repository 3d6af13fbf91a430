"""A table that applies a journal's actions without checking them and reports the results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.rules import oracle
from tests.rules.oracle import Json, Line, cents, format_cents, line_of

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
    """The sheet as JSON, and the state so far."""

    def __init__(self, sheet: Json) -> None:
        self.sheet = sheet
        self.stud = sheet["family"] == "street-stud"
        self.main = "ante" if self.stud else "bet"
        self.hands: dict[int, Hand] = {}
        self.board: list[str] = []
        self.settled = 0
        self.ending: tuple[str, str] | None = None

    def apply(self, action: Json) -> None:
        """Apply one action of the journal."""
        getattr(self, "_" + action["do"].replace("-", "_"))(action)

    def report(self) -> Json:
        """The finished round as a command prints it, without hash and notes."""
        hands = {seat: self.hands[seat] for seat in sorted(self.hands)}
        limits: list[Json] = []
        if self.ending:
            result = self.ending[0]
            lines = {
                seat: self.void_round_lines(hand, self.ending[1]) for seat, hand in hands.items()
            }
        else:
            result = "settled"
            lines = {seat: self.lines(hand) for seat, hand in hands.items()}
            limits = oracle.apply_caps(self.sheet, lines)
        seats = [seat_report(hand, lines[seat]) for seat, hand in hands.items()]
        house = -sum(cents_signed(seat_json["net"]) for seat_json in seats)
        return {
            "sheet": self.sheet["id"],
            "result": result,
            "seats": seats,
            "limits": limits,
            "house_net": format_cents(house),
        }

    def lines(self, hand: Hand) -> list[Line]:
        """A hand's lines before any cap."""
        if hand.void:
            return self.void_lines(hand)
        return [self.main_line(hand, *wager_bet) for wager_bet in self.main_bets(hand)] + [
            self.side_line(hand, wager, stake) for wager, stake in self.side_bets(hand)
        ]

    def main_bets(self, hand: Hand) -> list[tuple[str, int]]:
        unit = hand.bets[self.main]
        if not self.stud:
            times = self.sheet["double"]["times"] if hand.plays[0:1] and "+" in hand.plays[0] else 0
            return [("bet", unit)] + ([("double", unit * times)] if times else [])
        streets = zip(self.sheet["streets"], hand.plays, strict=False)
        bets = [
            (street["id"], unit * int(play.removesuffix("x")))
            for street, play in streets
            if play != "fold"
        ]
        return [("ante", unit), *(street_bet for street_bet in bets if street_bet[1])]

    def side_bets(self, hand: Hand) -> list[tuple[str, int]]:
        return [(wager, hand.bets[wager]) for wager in self.sheet["side"] if wager in hand.bets]

    def main_line(self, hand: Hand, wager: str, stake: int) -> Line:
        clause = self.sheet["main"]["clause"]
        if hand.folded:
            return line_of(wager, stake, self.sheet["fold"]["clause"], "fold", "lose")
        if self.stud:
            pay = oracle.pay(self.sheet, "main", hand.cards + self.board)
        else:
            ahead = oracle.totals(self.sheet, hand.cards, self.board)
            play = hand.plays[0]
            pay = oracle.main_pay(self.sheet, play, ahead[play.split("+")[0]])
        return oracle.price_wager(self.sheet, wager, stake, pay, clause)

    def side_line(self, hand: Hand, wager: str, stake: int) -> Line:
        side = self.sheet["side"][wager]
        if hand.folded and not side["after_fold"]["plays"]:
            return line_of(wager, stake, side["after_fold"]["clause"], "fold", "lose")
        full_hand = hand.cards + self.board if self.stud else hand.cards
        cards = {"community": self.board, "hole": hand.cards, "hand": full_hand}
        ranks = {card[0] for card in hand.cards}
        matched = sum(card[0] in ranks for card in self.board)
        pay = oracle.pay(self.sheet, wager, cards.get(side["looks_at"], []), matched)
        return oracle.price_wager(self.sheet, wager, stake, pay, side["clause"])

    def void_round_lines(self, hand: Hand, clause: str) -> list[Line]:
        """A hand of a void round; GEN-7 if an offense prevails."""
        offense = not self.rules["misdeal_over_offence"]["is"] and hand.void == "information"
        return self.void_lines(hand) if offense else self.return_wagers(hand, clause)

    def void_lines(self, hand: Hand) -> list[Line]:
        if hand.void == "information":
            rule = self.rules["information"]
            if rule["result"] == "forfeit":
                bets = self.main_bets(hand) + self.side_bets(hand)
                return [line_of(*wager_bet, rule["clause"], None, "forfeit") for wager_bet in bets]
            return self.return_wagers(hand, rule["clause"])
        rules = {"exposed": "exposed_card", "off-table": "cards_off_table"}
        return self.return_wagers(hand, self.rules[rules.get(hand.void or "", "misdeal")]["clause"])

    def return_wagers(self, hand: Hand, clause: str) -> list[Line]:
        """GEN-6: every wager returns; if only live ones do, those lost by a fold stay lost."""
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
        """The seats in settlement order, once per pass."""
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


def settle_journal(sheet: Json, actions: Iterable[Json]) -> Json:
    """The report of a whole journal."""
    table = PlainTable(sheet)
    for action in actions:
        table.apply(action)
    return table.report()


def seat_report(hand: Hand, lines: list[Line]) -> dict[str, Any]:
    wins = sum(wager_line["wins"] for wager_line in lines)
    loses = sum(
        wager_line["stake"] for wager_line in lines if wager_line["result"] in ("lose", "forfeit")
    )
    printed_lines = [
        wager_line
        | {"stake": format_cents(wager_line["stake"]), "wins": format_cents(wager_line["wins"])}
        for wager_line in lines
    ]
    return {
        "seat": hand.seat,
        "player": hand.player,
        "lines": printed_lines,
        "wins": format_cents(wins),
        "loses": format_cents(loses),
        "net": format_cents(wins - loses),
    }


def cents_signed(text: str) -> int:
    return -cents(text[1:]) if text.startswith("-") else cents(text)
