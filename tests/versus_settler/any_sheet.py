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
    """A sheet's text, asked what its plays are and what each wager comes to."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.size: int = document["hands"]["cards"]
        payouts = document["payouts"]
        self.low = payouts["ace_in_straights"]["is"] == "high-or-low"
        self.first = payouts["several_lines"]["is"] == "first-listed"
        self.wagers: Document = document.get("wagers", {})
        main = document["main"]
        said = main if main.get("prose", {}).get("decides") != "prose" else main["prose"]
        self.table: Mapping[str, str] = {**main["pays"], **said["pays"]}

    def allowed(self, own: Sequence[int], board: Sequence[int], plays: Sequence[str]) -> list[Any]:
        """What is offered at each decision that comes to a hand which goes on as it did."""
        found, made, raised = [], list(plays), False
        for one in self.document["decisions"] if "war" not in self.document else ():
            if (one.get("once") and raised) or not made:
                continue
            cards = (*own, *board[: one.get("community", 0)])
            needs = one.get("needs", ())
            strong = best(cards, self.size, low=self.low) if needs else (0, ())
            raises = {
                f"{times}x"
                for times in one["times"]
                if all(
                    times < need["times"] or self.at_least(strong, need["hand"]) for need in needs
                )
            }
            found.append({one["instead"], *raises})
            raised = raised or made.pop(0).endswith("x")
        return found

    def at_least(self, found: Value, name: str, kicker: str | None = None) -> bool:
        """Whether a hand is as good as the least one of a name: "pair-4", "high-card-A"."""
        kind, ranks = _parts(name)
        least = (ranks[0],) if ranks else ()
        if kicker is not None:
            least = (*least, RANKS.index(kicker))
        if kind in ("royal-flush", "mini-royal", "four-aces"):
            return _is(found, kind, self.size)
        return (found[0], found[1][: len(least)]) >= (RISING[self.size].index(KINDS[kind]), least)

    def results(self, hand: Hand) -> Results:
        """What each wager comes to beside its stake."""
        found: Results = {}
        for wager, stake in hand.bets.items():
            if wager in self.document.get("side", {}) and stake:
                found[wager] = self.side(hand, wager, stake)
        ante = hand.bets.get("ante", 0)
        if ante:
            for wager in ("ante", *self.wagers):
                found |= self.main(hand, wager, ante)
        return found

    def capped(self, seats: Sequence[Results]) -> list[Results]:
        """What seats, from the lowest number on, come to where caps on bet, hand and round hold."""
        found = [dict(one) for one in seats]
        order = ("ante", *self.wagers, *self.document.get("side", {}))
        for per in ("bet", "hand", "round"):
            for rule in self.document.get("limits", ()):
                if rule["per"] == per:
                    self.cut(found, per, 100 * int(rule["pays_max"]), order)
        return found

    def cut(self, seats: list[Results], per: str, most: int, order: Sequence[str]) -> None:
        """GEN-4: shares in proportion, to the cent, the odd ones to the largest remainders."""
        wins = [[one.get(wager, 0) for wager in order] for one in seats]
        wins = [[max(win, 0) for win in hand] for hand in wins]
        paid = [[min(win, most) for win in hand] for hand in wins] if per == "bet" else wins
        if per == "hand":
            paid = [_shared(most, hand) for hand in wins]
        if per == "round":
            upward = self.document["payouts"]["share_ties"]["is"] == "lower-seat"
            totals = [sum(hand) for hand in wins][:: 1 if upward else -1]
            hands = _shared(most, totals)[:: 1 if upward else -1]
            paid = [_shared(own, hand) for own, hand in zip(hands, wins, strict=True)]
        for one, hand, before in zip(seats, paid, wins, strict=True):
            for wager, pay, due in zip(order, hand, before, strict=True):
                if due:
                    one[wager] = pay

    def side(self, hand: Hand, wager: str, stake: int) -> int:
        rule = self.document["side"][wager]
        if ("fold" in hand.plays or "surrender" in hand.plays) and not rule["after_fold"]["plays"]:
            return -stake
        if rule["looks_at"] == "duel":
            return _won(stake, rule["pays"].get(_compared(hand.own[0] // 4, hand.dealer[0] // 4)))
        cards, size = hand.own + hand.board, self.size
        if rule["looks_at"] == "both-hands":
            cards, size = cards + hand.dealer, 5
        return _won(stake, self.paid(rule["pays"], best(cards, size, low=self.low), size))

    def main(self, hand: Hand, wager: str, ante: int) -> Results:
        rule = self.document["ante"] if wager == "ante" else self.wagers[wager]
        made = "with-ante" if wager == "ante" else rule["made"]
        stake = ante * (self.times(hand, wager) if made == "by-play" else 1)
        if not stake:
            return {}
        result = self.result(hand, rule["settles"])
        bonus = made == "on-ante"
        if result in ("lose", "push") and bonus:
            return {}
        if result == "half":
            assert stake % 2 == 0
            return {wager: -stake // 2}
        return {wager: _won(stake, None if result == "lose" else result)}

    def times(self, hand: Hand, wager: str) -> int:
        """The antes that plays have put on a wager."""
        total, plays, raised = 0, list(hand.plays), False
        for one in self.document["decisions"]:
            if not plays or (one.get("once") and raised):
                continue
            play = plays.pop(0)
            if play.endswith("x") or play == "war":
                raised = True
                if one["puts"] == wager:
                    total += one["times"][0] if play == "war" else int(play[:-1])
        return total

    def result(self, hand: Hand, settles: Document) -> str:
        """What a wager's rule says of how the hand ended: "lose", "push", "half" or odds."""
        said = settles.get("fold", "lose")
        if not {"fold", "surrender"} & set(hand.plays):
            war = "war" in self.document
            said = settles[self.war_event(hand)] if war else self.compared(hand, settles)
        if not said.startswith("pays"):
            return str(said)
        paid = self.paid(self.table, self.own(hand), self.size)
        return paid or str(said).removeprefix("pays or ").replace("pays", "lose")

    def own(self, hand: Hand) -> Value:
        cards = hand.own[:1] if "war" in self.document else hand.own + hand.board
        return best(cards, self.size, low=self.low)

    def compared(self, hand: Hand, settles: Document) -> Any:
        dealer = best(hand.dealer + hand.board, self.size, low=self.low)
        rule = self.document.get("dealer")
        plays = not rule or self.at_least(dealer, rule["qualifies"], rule.get("kicker"))
        if not plays and "below" in settles:
            return settles["below"]
        return settles[_compared(self.own(hand), dealer)]

    def war_event(self, hand: Hand) -> str:
        first = _compared(hand.own[0] // 4, hand.dealer[0] // 4)
        if first != "tie":
            return first
        return "war_" + _compared(hand.own[1] // 4, hand.dealer[1] // 4)

    def paid(self, table: Mapping[str, str], found: Value, size: int) -> str | None:
        """The odds of a hand, or "push": the best line that fits, or the first; None for none."""
        fitting = [pay for line, pay in table.items() if _fits(line, found, size)]
        if not fitting:
            return None
        return fitting[0] if self.first else max(fitting, key=_worth)


def _parts(name: str) -> tuple[str, list[int]]:
    """A line's kind and its ranks, from the lowest on: "pair-6-10" is sixes to tens."""
    for kind in ("high-card", "pair"):
        if name.startswith(f"{kind}-"):
            ranks = name.removeprefix(f"{kind}-").split("-")
            return kind, sorted(RANKS.index(rank) for rank in ranks)
    return name, []


def _fits(line: str, found: Value, size: int) -> bool:
    kind, ranks = _parts(line)
    if kind in ("royal-flush", "mini-royal", "four-aces"):
        return _is(found, kind, size)
    own = RISING[size][found[0]]
    if own == "straight-flush" and kind in ("straight", "flush"):
        return True
    if KINDS[kind] != own:
        return False
    return not ranks or ranks[0] <= found[1][0] <= ranks[-1]


def _is(found: Value, kind: str, size: int) -> bool:
    """A hand with a name of its own within its kind."""
    own = "four" if kind == "four-aces" else "straight-flush"
    return RISING[size][found[0]] == own and found[1][0] == ACE


def _compared(own: Any, other: Any) -> str:
    return "win" if own > other else "lose" if own < other else "tie"


def _worth(pay: str) -> Fraction:
    return Fraction(0) if pay == "push" else Fraction(pay.replace(":", "/"))


def _won(stake: int, pay: str | None) -> int:
    if pay is None:
        return -stake
    won = stake * _worth(pay)
    assert won.denominator == 1, (stake, pay)
    return int(won)


def _shared(most: int, due: Sequence[int]) -> list[int]:
    """What each gets of at most so much."""
    total = sum(due)
    if total <= most:
        return list(due)
    shares = [most * one // total for one in due]
    by_rest = sorted(range(len(due)), key=lambda place: -(most * due[place] % total))
    for place in by_rest[: most - sum(shares)]:
        shares[place] += 1
    return shares
