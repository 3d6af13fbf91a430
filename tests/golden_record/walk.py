"""Rounds played at random from what is offered, told in JSON; wrong actions are tried beside."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from tests.golden_record.adapter import Json, Played, body_of

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fay")
QUIET = ("deal", "turn", "decide", "absent", "settle")
ENDS_ALL = ("misdeal", "fouled", "interrupted")
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
WORDS = ("fold", "0x", "1x", "2x", "3x", "9x", "1X", "", "low", "high", "low+double", "Low")


def walked(sheet: str, luck: Random, *, mishaps: bool) -> tuple[Played, list[Json], list[Json]]:
    """A whole round, what was offered before each action, and how wrong actions were refused."""
    played, shoe = Played(sheet), shuffled(sheet, luck)
    seated: list[str] = []
    offered, wrong = [], []
    while played.phase != "over":
        player = luck.choice(PLAYERS if luck.random() < 0.4 or not seated else seated)
        offers = played.offers(player)
        offered.append([player, offers])
        if luck.random() < 0.25:
            tried = mistaken(sheet, played, luck)
            wrong.append([len(played.actions), tried, played.tried(tried)])
        turn = Turn(sheet, played.phase, offers, player, mishaps)
        action = chosen(turn, shoe, luck)
        played.do(action)
        if action["do"] == "wager":
            seated.append(player)
    return played, offered, wrong


def shuffled(sheet: str, luck: Random) -> list[str]:
    """A shoe dealt from its end, often rich: cards of one suit, or of few ranks, come first."""
    shoe = DECK * body_of(sheet)["deck"]["decks"]
    luck.shuffle(shoe)
    suit, low = luck.choice("cdhs"), luck.randrange(9)
    ranks = "23456789TJQKA"
    rich = luck.choice(["no", "suit", "ranks", "few", "both"])
    wanted = ranks[low] + ranks[low + 2] if rich == "few" else ranks[low : low + 5]

    def worth(card: str) -> int:
        of_suit = rich in ("suit", "both") and card[1] == suit
        return of_suit + (rich in ("ranks", "few", "both") and card[0] in wanted)

    return sorted(shoe, key=worth)


class Turn(NamedTuple):
    """A moment of a round: who may do what."""

    sheet: str
    phase: str
    offers: list[Json]
    player: str
    mishaps: bool


def chosen(turn: Turn, shoe: list[str], luck: Random) -> Json:
    """One of the actions on offer, the dull ones more often than the calamities."""
    offers, player, mishaps = turn.offers, turn.player, turn.mishaps
    if turn.phase == "wagers":
        return concrete(_bet(turn.sheet, offers, luck), player, shoe, luck)
    quiet = [one for one in offers if one["do"] in QUIET]
    quiet = [one for one in quiet if not mishaps or one.get("choices") != ["at-once"]]
    loud = [one for one in offers if one["do"] not in QUIET]
    if mishaps and loud and luck.random() < 0.1:
        weights = [1 if one["do"] in ENDS_ALL else 4 for one in loud]
        return concrete(luck.choices(loud, weights)[0], player, shoe, luck)
    weights = [1 if one["do"] == "absent" else 9 for one in quiet]
    offer = luck.choices(quiet, weights)[0]
    if offer["do"] == "settle" and mishaps:  # What is settled at once stands or is taken back.
        return {"do": "settle"}
    return concrete(offer, player, shoe, luck)


def _bet(sheet: str, offers: list[Json], luck: Random) -> Json:
    """Mostly a wager that is not made yet; now and then one is changed or taken back."""
    if offers[-1]["do"] == "close" and luck.random() < 0.1:
        return offers[-1]
    made = {(one["place"], one["wager"]) for one in offers if one["do"] == "withdraw"}
    wagers = [one for one in offers if one["do"] == "wager"]
    new = [one for one in wagers if (one["place"], one["wager"]) not in made]
    needed = [k for k, v in body_of(sheet)["side"].items() if v["stake"]["required"]]
    missing = [one for one in new if one["wager"] in needed]
    if (missing or new) and luck.random() < 0.9:
        return luck.choice(missing or new)
    return luck.choice(offers)


def concrete(offer: Json, player: str, shoe: list[str], luck: Random) -> Json:
    """An action that an offer covers."""
    do, place = offer["do"], offer.get("place")
    many: dict[str, list[Json]] = {
        "close": [{}],
        "deal": [{"place": place or "board"}],
        "absent": [{"seat": place}],
        "warn": [{"seat": place, "breach": "cards off the table"}],
        "withdraw": [{"seat": place, "wager": offer.get("wager")}],
        "fouled": [{"card": "2c"}, {"card": "2d"}],
        "misdeal": [
            {"reason": "boxed card", "card_count": False},
            {"reason": "short hand", "card_count": True},
        ],
        "interrupted": [{"agreed": True}, {"agreed": False}],
        "settle": [{"at_once": True} if one == "at-once" else {} for one in choices(offer)],
        "void-hand": [{"seat": place, "reason": one} for one in choices(offer)],
        "decide": [{"seat": place, "play": one} for one in _bold(offer, luck)],
    }
    if do == "wager":
        amount = luck.choice(amounts(offer))
        more = {"seat": place, "player": player, "wager": offer["wager"], "amount": amount}
    elif do in ("turn", "expose"):
        more = {"place": place or "board", "card": shoe.pop()}
    else:
        more = luck.choice(many[do])
    return {"do": do, **more}


def choices(offer: Json) -> list[str]:
    """The words of an offer."""
    found: list[str] = offer.get("choices", [])
    return found


def _bold(offer: Json, luck: Random) -> list[str]:
    """The plays of an offer, a fold only now and then."""
    if offer["do"] != "decide":
        return []
    kept = [one for one in choices(offer) if one != "fold" or luck.random() < 0.4]
    return kept or choices(offer)


def amounts(offer: Json) -> list[str]:
    """The least, the next, the middle and the most that may be wagered."""
    least, most, step = (round(float(offer[name]) * 100) for name in ("least", "most", "step"))
    every = range(least, most + 1, step)
    some = dict.fromkeys((every[0], every[:2][-1], every[len(every) // 2], every[-1]))
    return [f"{one // 100}.{one % 100:02d}" for one in some]


def mistaken(sheet: str, played: Played, luck: Random) -> Json:
    """An action that is most likely wrong."""
    body: dict[str, Any] = body_of(sheet)
    seat = luck.randint(-1, body["seats"]["count"] + 1)
    wagers = ["ante", "bet", *body["side"], "main", "double", "flop", ""]
    stake = body.get("ante") or body["bet"]
    amount = luck.choice((stake["min"], stake["max"], "0.00", "0.01", "3.33", "99999.00"))
    card, player = luck.choice(DECK), luck.choice(PLAYERS)
    named = [one["card"] for one in played.actions if one["do"] == "turn"]
    card = luck.choice(named) if named and luck.random() < 0.5 else card
    wager = luck.choice(wagers)
    where = luck.choice([seat, "board"])
    return luck.choice(
        [
            {"do": "wager", "seat": seat, "player": player, "wager": wager, "amount": amount},
            {"do": "withdraw", "seat": seat, "wager": wager},
            {"do": "decide", "seat": seat, "play": luck.choice(WORDS)},
            {"do": "turn", "place": where, "card": card},
            {"do": "expose", "place": where, "card": card},
            {"do": "deal", "place": where},
            {"do": "absent", "seat": seat},
            {"do": "warn", "seat": seat, "breach": "talking"},
            {"do": "void-hand", "seat": seat, "reason": luck.choice(["information", "supervisor"])},
            {"do": "fouled", "card": card},
            {"do": "misdeal", "reason": "boxed card", "card_count": luck.random() < 0.5},
            {"do": "interrupted", "agreed": luck.random() < 0.5},
            {"do": luck.choice(["close", "settle"])},
            {"do": "settle", "at_once": True},
        ]
    )
