"""Any sheet of a hand against the dealer's settled from its text, as its documents say.

Nothing of the family is imported: what a field means stands in docs/rule-sheets.md and
docs/fields.md, and this reads the TOML by that alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.versus_settler.hands import ACE, RISING, Value, best
from tests.versus_settler.settler import Hand, Results

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
KINDS = {
    "high-card": "high",
    "pair": "pair",
    "two-pair": "two-pair",
    "three-of-a-kind": "three",
    "straight": "straight",
    "flush": "flush",
    "full-house": "full-house",
    "four-of-a-kind": "four",
    "straight-flush": "straight-flush",
}
Document = Mapping[str, Any]


class AnySheet:
    """A sheet's text, interpreted for its plays and the result of each wager."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.size: int = document["hands"]["cards"]
        payouts = document["payouts"]
        self.low = payouts["ace_in_straights"]["is"] == "high-or-low"
        self.first = payouts["several_lines"]["is"] == "first-listed"
        self.wagers: Document = document.get("wagers", {})
        main = document["main"]
        deciding_table = main if main.get("prose", {}).get("decides") != "prose" else main["prose"]
        self.table: Mapping[str, str] = {**main["pays"], **deciding_table["pays"]}

    def offered_plays(
        self, hole: Sequence[int], board: Sequence[int], plays: Sequence[str]
    ) -> list[Any]:
        """The plays offered at each decision of a hand that stays in."""
        offers, plays_made, raised = [], list(plays), False
        for decision in self.document["decisions"] if "war" not in self.document else ():
            if (decision.get("once") and raised) or not plays_made:
                continue
            cards = (*hole, *board[: decision.get("community", 0)])
            needs = decision.get("needs", ())
            strong = best(cards, self.size, low=self.low) if needs else (0, ())
            raises = {
                f"{times}x"
                for times in decision["times"]
                if all(
                    times < need["times"] or self.at_least(strong, need["hand"]) for need in needs
                )
            }
            offers.append({decision["instead"], *raises})
            raised = raised or plays_made.pop(0).endswith("x")
        return offers

    def at_least(self, hand_value: Value, name: str, kicker: str | None = None) -> bool:
        """Whether a hand is at least as good as a named one: "pair-4", "high-card-A"."""
        kind, ranks = _parts(name)
        least = (ranks[0],) if ranks else ()
        if kicker is not None:
            least = (*least, RANKS.index(kicker))
        if kind in ("royal-flush", "mini-royal", "four-aces"):
            return _is(hand_value, kind, self.size)
        return (hand_value[0], hand_value[1][: len(least)]) >= (
            RISING[self.size].index(KINDS[kind]),
            least,
        )

    def results(self, hand: Hand) -> Results:
        """The result of each wager apart from its stake."""
        results: Results = {}
        for wager, stake in hand.bets.items():
            if wager in self.document.get("side", {}) and stake:
                results[wager] = self.side(hand, wager, stake)
        ante = hand.bets.get("ante", 0)
        if ante:
            for wager in ("ante", *self.wagers):
                results |= self.main(hand, wager, ante)
        return results

    def apply_caps(self, seats: Sequence[Results]) -> list[Results]:
        """The results of all seats after caps on bet, hand and round."""
        capped_results = [dict(seat_results) for seat_results in seats]
        order = ("ante", *self.wagers, *self.document.get("side", {}))
        for per in ("bet", "hand", "round"):
            for rule in self.document.get("limits", ()):
                if rule["per"] == per:
                    self.cut(capped_results, per, 100 * int(rule["pays_max"]), order)
        return capped_results

    def cut(self, seats: list[Results], per: str, most: int, order: Sequence[str]) -> None:
        """GEN-4: shares in proportion, to the cent; remaining cents go to the largest
        remainders.
        """
        wins = [[seat_results.get(wager, 0) for wager in order] for seat_results in seats]
        wins = [[max(win, 0) for win in hand] for hand in wins]
        paid = [[min(win, most) for win in hand] for hand in wins] if per == "bet" else wins
        if per == "hand":
            paid = [_share_out(most, hand) for hand in wins]
        if per == "round":
            upward = self.document["payouts"]["share_ties"]["is"] == "lower-seat"
            totals = [sum(hand) for hand in wins][:: 1 if upward else -1]
            hands = _share_out(most, totals)[:: 1 if upward else -1]
            paid = [_share_out(due, hand) for due, hand in zip(hands, wins, strict=True)]
        for seat_results, hand, before in zip(seats, paid, wins, strict=True):
            for wager, pay, due in zip(order, hand, before, strict=True):
                if due:
                    seat_results[wager] = pay

    def side(self, hand: Hand, wager: str, stake: int) -> int:
        rule = self.document["side"][wager]
        if ("fold" in hand.plays or "surrender" in hand.plays) and not rule["after_fold"]["plays"]:
            return -stake
        if rule["looks_at"] == "duel":
            return _won(stake, rule["pays"].get(_compare(hand.hole[0] // 4, hand.dealer[0] // 4)))
        cards, size = hand.hole + hand.board, self.size
        if rule["looks_at"] == "both-hands":
            cards, size = cards + hand.dealer, 5
        return _won(stake, self.payout(rule["pays"], best(cards, size, low=self.low), size))

    def main(self, hand: Hand, wager: str, ante: int) -> Results:
        rule = self.document["ante"] if wager == "ante" else self.wagers[wager]
        condition = "with-ante" if wager == "ante" else rule["made"]
        stake = ante * (self.times(hand, wager) if condition == "by-play" else 1)
        if not stake:
            return {}
        result = self.result(hand, rule["settles"])
        bonus = condition == "on-ante"
        if result in ("lose", "push") and bonus:
            return {}
        if result == "half":
            assert stake % 2 == 0
            return {wager: -stake // 2}
        return {wager: _won(stake, None if result == "lose" else result)}

    def times(self, hand: Hand, wager: str) -> int:
        """The antes that plays have added to a wager."""
        total, plays, raised = 0, list(hand.plays), False
        for decision in self.document["decisions"]:
            if not plays or (decision.get("once") and raised):
                continue
            play = plays.pop(0)
            if play.endswith("x") or play == "war":
                raised = True
                if decision["puts"] == wager:
                    total += decision["times"][0] if play == "war" else int(play[:-1])
        return total

    def result(self, hand: Hand, settles: Document) -> str:
        """The result of a wager's rule for an outcome: "lose", "push", "half" or odds."""
        fold_result = settles.get("fold", "lose")
        if not {"fold", "surrender"} & set(hand.plays):
            war = "war" in self.document
            fold_result = (
                settles[self.war_event(hand)] if war else self.compare_hands(hand, settles)
            )
        if not fold_result.startswith("pays"):
            return str(fold_result)
        paid = self.payout(self.table, self.own(hand), self.size)
        return paid or str(fold_result).removeprefix("pays or ").replace("pays", "lose")

    def own(self, hand: Hand) -> Value:
        cards = hand.hole[:1] if "war" in self.document else hand.hole + hand.board
        return best(cards, self.size, low=self.low)

    def compare_hands(self, hand: Hand, settles: Document) -> Any:
        dealer = best(hand.dealer + hand.board, self.size, low=self.low)
        rule = self.document.get("dealer")
        plays = not rule or self.at_least(dealer, rule["qualifies"], rule.get("kicker"))
        if not plays and "below" in settles:
            return settles["below"]
        return settles[_compare(self.own(hand), dealer)]

    def war_event(self, hand: Hand) -> str:
        first = _compare(hand.hole[0] // 4, hand.dealer[0] // 4)
        if first != "tie":
            return first
        return "war_" + _compare(hand.hole[1] // 4, hand.dealer[1] // 4)

    def payout(self, table: Mapping[str, str], hand_value: Value, size: int) -> str | None:
        """The odds of a hand, or "push": the best matching line, or the first; None if none
        matches.
        """
        fitting = [pay for line, pay in table.items() if _fits(line, hand_value, size)]
        if not fitting:
            return None
        return fitting[0] if self.first else max(fitting, key=_worth)


def _parts(name: str) -> tuple[str, list[int]]:
    """A line's kind and ranks, ascending: "pair-6-10" is sixes to tens."""
    for kind in ("high-card", "pair"):
        if name.startswith(f"{kind}-"):
            ranks = name.removeprefix(f"{kind}-").split("-")
            return kind, sorted(RANKS.index(rank) for rank in ranks)
    return name, []


def _fits(line: str, hand_value: Value, size: int) -> bool:
    kind, ranks = _parts(line)
    if kind in ("royal-flush", "mini-royal", "four-aces"):
        return _is(hand_value, kind, size)
    strength = RISING[size][hand_value[0]]
    if strength == "straight-flush" and kind in ("straight", "flush"):
        return True
    if KINDS[kind] != strength:
        return False
    return not ranks or ranks[0] <= hand_value[1][0] <= ranks[-1]


def _is(hand_value: Value, kind: str, size: int) -> bool:
    """Whether a hand is a specially named one within its kind."""
    base_kind = "four" if kind == "four-aces" else "straight-flush"
    return RISING[size][hand_value[0]] == base_kind and hand_value[1][0] == ACE


def _compare(player_value: Any, dealer_value: Any) -> str:
    return (
        "win" if player_value > dealer_value else "lose" if player_value < dealer_value else "tie"
    )


def _worth(pay: str) -> Fraction:
    return Fraction(0) if pay == "push" else Fraction(pay.replace(":", "/"))


def _won(stake: int, pay: str | None) -> int:
    if pay is None:
        return -stake
    won = stake * _worth(pay)
    assert won.denominator == 1, (stake, pay)
    return int(won)


def _share_out(most: int, due: Sequence[int]) -> list[int]:
    """The shares of a limited amount."""
    total = sum(due)
    if total <= most:
        return list(due)
    shares = [most * amount_due // total for amount_due in due]
    by_rest = sorted(range(len(due)), key=lambda place: -(most * due[place] % total))
    for place in by_rest[: most - sum(shares)]:
        shares[place] += 1
    return shares
