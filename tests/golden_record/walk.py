"""Random rounds played from the offered actions, as JSON; wrong actions are tried, too."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from tests.golden_record.adapter import Json, RoundByHand, body_of

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fay")
QUIET = ("deal", "turn", "decide", "absent", "settle")
ENDS_ALL = ("misdeal", "fouled", "interrupted")
DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
WORDS = ("fold", "0x", "1x", "2x", "3x", "9x", "1X", "", "low", "high", "low+double", "Low")


def random_walk(
    sheet: str, rng: Random, *, mishaps: bool
) -> tuple[RoundByHand, list[Json], list[Json]]:
    """A whole round, the offers before each action, and the refusals of wrong actions."""
    round_, shoe = RoundByHand(sheet), shuffled_shoe(sheet, rng)
    seated: list[str] = []
    offers_made, refusals = [], []
    while round_.phase != "over":
        player = rng.choice(PLAYERS if rng.random() < 0.4 or not seated else seated)
        offers = round_.offers(player)
        offers_made.append([player, offers])
        if rng.random() < 0.25:
            wrong_action = random_wrong_action(sheet, round_, rng)
            refusals.append([len(round_.actions), wrong_action, round_.refusal_of(wrong_action)])
        turn = Turn(sheet, round_.phase, offers, player, mishaps)
        action = choose_action(turn, shoe, rng)
        round_.do(action)
        if action["do"] == "wager":
            seated.append(player)
    return round_, offers_made, refusals


def shuffled_shoe(sheet: str, rng: Random) -> list[str]:
    """A shoe dealt from its end, often biased: cards of one suit or of few ranks come first."""
    shoe = DECK * body_of(sheet)["deck"]["decks"]
    rng.shuffle(shoe)
    suit, low = rng.choice("cdhs"), rng.randrange(9)
    ranks = "23456789TJQKA"
    bias = rng.choice(["no", "suit", "ranks", "few", "both"])
    favored_ranks = ranks[low] + ranks[low + 2] if bias == "few" else ranks[low : low + 5]

    def worth(card: str) -> int:
        in_suit = bias in ("suit", "both") and card[1] == suit
        return in_suit + (bias in ("ranks", "few", "both") and card[0] in favored_ranks)

    return sorted(shoe, key=worth)


class Turn(NamedTuple):
    """The situation before an action."""

    sheet: str
    phase: str
    offers: list[Json]
    player: str
    mishaps: bool


def choose_action(turn: Turn, shoe: list[str], rng: Random) -> Json:
    """One of the offered actions; routine ones are more likely than mishaps."""
    offers, player, mishaps = turn.offers, turn.player, turn.mishaps
    if turn.phase == "wagers":
        return action_from_offer(_choose_bet(turn.sheet, offers, rng), player, shoe, rng)
    routine = [offer_ for offer_ in offers if offer_["do"] in QUIET]
    routine = [offer_ for offer_ in routine if not mishaps or offer_.get("choices") != ["at-once"]]
    mishap_offers = [offer_ for offer_ in offers if offer_["do"] not in QUIET]
    if mishaps and mishap_offers and rng.random() < 0.1:
        weights = [1 if offer_["do"] in ENDS_ALL else 4 for offer_ in mishap_offers]
        return action_from_offer(rng.choices(mishap_offers, weights)[0], player, shoe, rng)
    weights = [1 if offer_["do"] == "absent" else 9 for offer_ in routine]
    offer = rng.choices(routine, weights)[0]
    if offer["do"] == "settle" and mishaps:  # A seat settled at once is confirmed or taken back.
        return {"do": "settle"}
    return action_from_offer(offer, player, shoe, rng)


def _choose_bet(sheet: str, offers: list[Json], rng: Random) -> Json:
    """Mostly a wager not made yet; sometimes one is changed or withdrawn."""
    if offers[-1]["do"] == "close" and rng.random() < 0.1:
        return offers[-1]
    placed = {(offer["place"], offer["wager"]) for offer in offers if offer["do"] == "withdraw"}
    wagers = [offer for offer in offers if offer["do"] == "wager"]
    unplaced = [offer for offer in wagers if (offer["place"], offer["wager"]) not in placed]
    required = [
        wager for wager, rule in body_of(sheet)["side"].items() if rule["stake"]["required"]
    ]
    missing = [offer for offer in unplaced if offer["wager"] in required]
    if (missing or unplaced) and rng.random() < 0.9:
        return rng.choice(missing or unplaced)
    return rng.choice(offers)


def action_from_offer(offer: Json, player: str, shoe: list[str], rng: Random) -> Json:
    """An action that an offer allows."""
    do, place = offer["do"], offer.get("place")
    arguments_by_action: dict[str, list[Json]] = {
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
        "settle": [
            {"at_once": True} if choice == "at-once" else {} for choice in offer_choices(offer)
        ],
        "void-hand": [{"seat": place, "reason": choice} for choice in offer_choices(offer)],
        "decide": [{"seat": place, "play": play} for play in _allowed_plays(offer, rng)],
    }
    if do == "wager":
        amount = rng.choice(sample_amounts(offer))
        arguments = {"seat": place, "player": player, "wager": offer["wager"], "amount": amount}
    elif do in ("turn", "expose"):
        arguments = {"place": place or "board", "card": shoe.pop()}
    else:
        arguments = rng.choice(arguments_by_action[do])
    return {"do": do, **arguments}


def offer_choices(offer: Json) -> list[str]:
    """The choices of an offer."""
    words: list[str] = offer.get("choices", [])
    return words


def _allowed_plays(offer: Json, rng: Random) -> list[str]:
    """The plays of an offer; a fold only sometimes."""
    if offer["do"] != "decide":
        return []
    plays = [play for play in offer_choices(offer) if play != "fold" or rng.random() < 0.4]
    return plays or offer_choices(offer)


def sample_amounts(offer: Json) -> list[str]:
    """The lowest, the next, the middle and the highest amount that may be wagered."""
    least_cents, most_cents, step = (
        round(float(offer[name]) * 100) for name in ("least", "most", "step")
    )
    all_amounts = range(least_cents, most_cents + 1, step)
    samples = dict.fromkeys(
        (all_amounts[0], all_amounts[:2][-1], all_amounts[len(all_amounts) // 2], all_amounts[-1])
    )
    return [f"{cents // 100}.{cents % 100:02d}" for cents in samples]


def random_wrong_action(sheet: str, round_: RoundByHand, rng: Random) -> Json:
    """An action that is probably wrong."""
    body: dict[str, Any] = body_of(sheet)
    seat = rng.randint(-1, body["seats"]["count"] + 1)
    wagers = ["ante", "bet", *body["side"], "main", "double", "flop", ""]
    stake = body.get("ante") or body["bet"]
    amount = rng.choice((stake["min"], stake["max"], "0.00", "0.01", "3.33", "99999.00"))
    card, player = rng.choice(DECK), rng.choice(PLAYERS)
    turned_cards = [action["card"] for action in round_.actions if action["do"] == "turn"]
    card = rng.choice(turned_cards) if turned_cards and rng.random() < 0.5 else card
    wager = rng.choice(wagers)
    place = rng.choice([seat, "board"])
    return rng.choice(
        [
            {"do": "wager", "seat": seat, "player": player, "wager": wager, "amount": amount},
            {"do": "withdraw", "seat": seat, "wager": wager},
            {"do": "decide", "seat": seat, "play": rng.choice(WORDS)},
            {"do": "turn", "place": place, "card": card},
            {"do": "expose", "place": place, "card": card},
            {"do": "deal", "place": place},
            {"do": "absent", "seat": seat},
            {"do": "warn", "seat": seat, "breach": "talking"},
            {"do": "void-hand", "seat": seat, "reason": rng.choice(["information", "supervisor"])},
            {"do": "fouled", "card": card},
            {"do": "misdeal", "reason": "boxed card", "card_count": rng.random() < 0.5},
            {"do": "interrupted", "agreed": rng.random() < 0.5},
            {"do": rng.choice(["close", "settle"])},
            {"do": "settle", "at_once": True},
        ]
    )
