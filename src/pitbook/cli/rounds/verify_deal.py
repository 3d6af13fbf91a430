"""`pitbook verify-deal`: a round's proof checked, for whoever doubts the deal."""

from __future__ import annotations

import json as json_module
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pitbook.cards import name, names
from pitbook.cli.common.arguments import Json
from pitbook.cli.common.files import read_text
from pitbook.cli.common.lazy import command
from pitbook.cli.common.output import emit, examples
from pitbook.english import counted
from pitbook.errors import ShoeError
from pitbook.sheets.aloud.words import listed
from pitbook.sheets.findings import printable, shown

if TYPE_CHECKING:
    from pitbook.shoe.verdict import Difference, Hand, Verdict

app = command()

FINDING = 1
HASH = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"([1-9]|1[0-2])=(.+)")
OTHERS = ("round", "kept", "history", "seed", "felt")  # So differs another round's sound proof.


class _Own(NamedTuple):
    """What of the reader's own is compared."""

    kept: bool
    history: bool
    seats: tuple[int, ...]
    felt: bool

    @property
    def named(self) -> list[str]:
        """The comparisons by name, in the order of the answer."""
        given = {
            "commitment": self.kept,
            "history": self.history,
            "seeds": bool(self.seats),
            "cards": self.felt,
        }
        return [what for what, yes in given.items() if yes]


def _hash(given: str | None) -> str | None:
    written = None if given is None else given.strip().lower()
    if written is None or HASH.fullmatch(written):
        return written
    raise typer.BadParameter("this is a SHA-256 in 64 hex digits, as the table shows it")


def _seeds(given: list[str]) -> list[str]:
    for one in given:
        if not SEED.fullmatch(one):
            known = "SEAT=TEXT with a seat from 1 to 12, as in 1=mine"
            raise typer.BadParameter(f"{printable(shown(one))} must be {known}")
    return given


@app.command(
    epilog=examples(
        "pitbook verify-deal proof.json --round stud-1-000004 --against round.json",
        'pitbook verify-deal proof.json --seed "1=my own seed"',
        "pitbook verify-deal - --json",
    )
)
def verify_deal(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A round's proof in JSON; - reads standard input."),
    ],
    *,
    round_id: Annotated[
        str | None,
        typer.Option("--round", metavar="ID", help="The round that it must be a proof of."),
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            callback=_hash,
            help="The commitment that you wrote down before the bets.",
        ),
    ] = None,
    history: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            callback=_hash,
            help="The shoe's history as the table showed it before the bets.",
        ),
    ] = None,
    seed: Annotated[
        list[str],
        typer.Option(
            metavar="SEAT=TEXT",
            callback=_seeds,
            default_factory=list,
            show_default=False,
            help="The seed that you gave for a seat; may be repeated.",
        ),
    ],
    against: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The round as you saw it: a round file, or the table's own record of it in JSON.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check a round's proof: is every card the one that the shoe was committed to?

    Each card that was turned must be the one that was fixed, under the hash that was published
    before wagers opened, at the position that the seats' seeds choose. A player's file opens what
    that player may see; an auditor's opens the shoe, and must hold full decks. A file of format 1
    tells the seed, from which the shoe is dealt again. Cards that were never turned stay unnamed.
    What you know yourself is compared too: the round's id, the commitment and the history that you
    kept, the seed that you gave, and the cards that lay on the felt; a proof of anything else is
    refused, and says by what. Who compares no seed trusts the house that it took the right ones.
    Exit code 1 where the record and the shoe disagree. docs/verify-a-deal.md tells how it works.
    """
    from pitbook.shoe.compared import Seen, compared, seen_in  # noqa: PLC0415  As below.
    from pitbook.shoe.proof import verify  # noqa: PLC0415  It brings the ciphers.

    seeds = tuple((int(seat), text) for seat, _, text in (one.partition("=") for one in seed))
    known = Seen(round_id, commitment, history=history, seeds=seeds)
    verdict = compared(verify(_document(read_text(file))), known)
    if against is not None:
        verdict = compared(verdict, seen_in(_document(read_text(against))))
    seats = tuple(sorted({seat for seat, _ in seeds}))
    own = _Own(commitment is not None, history is not None, seats, against is not None)
    if json:
        emit(_answer(verdict, own))
    else:
        print("\n".join(_told(verdict, own)))
    if verdict.differences:
        raise typer.Exit(FINDING)


def _answer(verdict: Verdict, own: _Own) -> dict[str, Any]:
    shoe = verdict.shoe
    named = {"round": verdict.round_id} if verdict.round_id else {}
    return {
        **named,
        "shoe": {
            "id": shoe.id,
            "kind": shoe.kind,
            "decks": shoe.decks,
            "commitment": shoe.commitment,
        },
        "result": "differs" if verdict.differences else "agrees",
        "drawn": verdict.drawn,
        "places": [
            {
                "place": hand.place,
                "turned": [None if card is None else name(card) for card in hand.turned],
                "unturned": hand.unturned,
            }
            for hand in verdict.hands
        ],
        **_opened(verdict),
        "differences": [_difference(one) for one in verdict.differences],
        **({"compared": own.named} if own.named else {}),
    }


def _opened(verdict: Verdict) -> dict[str, Any]:
    """What a proof says that opens card by card."""
    if not verdict.cardwise:
        return {}
    seeds = {str(seat): text for seat, text in sorted(verdict.shoe.seat_seeds.items())}
    past = {"past_deals": verdict.deals, "history": verdict.history}  # Else it is the commitment.
    return {
        "opens": "everything" if verdict.whole else "what its reader saw",
        "seeds_of": [int(seat) for seat in seeds],
        **({"seat_seeds": seeds} if seeds else {}),
        **(past if verdict.deals else {}),
    }


def _difference(one: Difference) -> dict[str, Any]:
    return {key: value for key, value in one._asdict().items() if value is not None}


def _told(verdict: Verdict, own: _Own) -> list[str]:
    width = max((len(hand.place) for hand in verdict.hands), default=0)
    named = [f"Round {printable(verdict.round_id)}."] if verdict.round_id else []
    shoe = [_shoe_told(verdict), *_commitment_told(verdict, kept=own.kept)]
    shoe += [*_past_told(verdict, own), *_seeds_told(verdict, own)]
    lines = [*named, *shoe, "Opened:" if verdict.cardwise else "Dealt again:"]
    lines += [f"  {hand.place:<{width}}  {_hand_told(hand)}" for hand in verdict.hands]
    if verdict.differences:
        lines += [f"Differs: {one.message}{_by(one)}." for one in verdict.differences]
        return [*lines, _no(verdict)]
    if own.felt:
        lines.append("These are the cards that lay on the felt.")
    turned = sum(len(hand.turned) for hand in verdict.hands)
    laid = turned + sum(hand.unturned for hand in verdict.hands)
    told = f"Cards turned: {turned} of {laid}, all right."
    if verdict.closed:
        opened = f"Cards opened: {turned - verdict.closed} of {laid}, all right"
        told = f"{opened}; {counted(verdict.closed, 'card')} of others stay closed."
    return [*lines, f"The record agrees with the shoe. {told}"]


def _hand_told(hand: Hand) -> str:
    """The cards of a place; what is closed to the reader is counted."""
    closed = hand.turned.count(None)
    parts = [
        names(card for card in hand.turned if card is not None),
        f"({closed} closed to you)" if closed else "",
        f"({hand.unturned} never turned)" if hand.unturned else "",
    ]
    return " ".join(part for part in parts if part)


def _no(verdict: Verdict) -> str:
    """Another round's proof may be sound in itself."""
    other = [one for one in verdict.differences if one.code in OTHERS]
    if len(other) == len(verdict.differences):
        return "This is no proof of that round."
    return "The record does not agree with the shoe."


def _by(one: Difference) -> str:
    return f" ({one.clause})" if one.clause else ""


def _shoe_told(verdict: Verdict) -> str:
    shoe = verdict.shoe
    decks = "one deck" if shoe.decks == 1 else f"{shoe.decks} decks"
    return f'Shoe "{printable(shoe.id)}", {_KINDS[shoe.kind]}, {decks}{_before(verdict)}.'


def _before(verdict: Verdict) -> str:
    """What the shoe had dealt."""
    if not verdict.drawn:
        return ", no deal before this one" if verdict.cardwise else ""
    dealt = f", {counted(verdict.drawn, 'card')} dealt before this round"
    return f"{dealt} in {counted(verdict.deals, 'deal')}" if verdict.cardwise else dealt


_KINDS = {
    "committed": "committed",
    "seeded": "seeded by hand (a test or a demonstration, not a fair deal)",
    "arranged": "arranged (practice of chosen cards, not a fair deal)",
}


def _commitment_told(verdict: Verdict, *, kept: bool) -> list[str]:
    if verdict.shoe.commitment is None:
        return ["No commitment was published: the seed may have been chosen for its cards."]
    lines = [f"Commitment {verdict.shoe.commitment}"]
    found = {one.code for one in verdict.differences}
    if verdict.cardwise:
        return [*lines, *_cardwise_told(verdict, found, kept=kept)]
    if "commitment" not in found and kept:
        own = "is not" if "kept" in found else "is"
        lines.append(f"The seed has this hash; it {own} the one that you kept before the bets.")
    elif "commitment" not in found:
        lines.append("The seed has this hash. Was it shown at the table before wagers opened?")
    return lines


def _cardwise_told(verdict: Verdict, found: set[str], *, kept: bool) -> Iterator[str]:
    if "commitment" not in found and kept:
        own = "is not" if "kept" in found else "is"
        yield f"Each card below was fixed under this hash; it {own} the one that you kept."
    elif "commitment" not in found:
        yield "Each card below was fixed under it. Was it shown at the table before wagers opened?"
    if verdict.whole and not {"commitment", "deck"} & found:
        full = "deck is full" if verdict.shoe.decks == 1 else "decks are full"
        yield f"The {full}: {52 * verdict.shoe.decks} cards, each as often as it belongs there."


def _past_told(verdict: Verdict, own: _Own) -> Iterator[str]:
    """What the seeds were made for, where the commitment alone does not say it."""
    if verdict.deals:
        yield f"History {verdict.history}"
    if verdict.deals and not own.history:
        yield (
            "The deals before this one have this hash. "
            "Was it shown before wagers opened? --history HASH compares it."
        )
    elif own.history and "history" not in {one.code for one in verdict.differences}:
        yield (
            "What was dealt before is what you kept."
            if verdict.deals
            else "Nothing was dealt before, as you kept it."
        )


def _seeds_told(verdict: Verdict, own: _Own) -> Iterator[str]:
    """Each seed, for its owner to know it again: one that was tried out serves the house."""
    seeds = sorted(verdict.shoe.seat_seeds.items())
    if verdict.cardwise and not seeds:
        yield "No seat added a seed: the house may have chosen a deck whose order it knew."
    elif verdict.cardwise:
        seats = [seat for seat, _ in seeds]
        what = "seed" if len(seats) == 1 else "seeds"
        yield f"Which position was dealt where, the {what} of {_seats(seats)} decided:"
        played, width = {hand.place for hand in verdict.hands}, len(f"seat {seats[-1]}")
        for place, text in ((f"seat {seat}", text) for seat, text in seeds):
            hand = "" if place in played else " (no hand in this round)"
            yield f"  {place:<{width}}  {_seed_told(text)}{hand}"
        if not own.seats:
            yield "Is the seed that you gave among them? --seed SEAT=TEXT compares it."
    if own.seats and "seed" not in {one.code for one in verdict.differences}:
        what, are = ("seed", "is") if len(own.seats) == 1 else ("seeds", "are")
        yield f"The {what} that you gave for {_seats(own.seats)} {are} in the deal."


def _seed_told(text: str) -> str:
    return ", then ".join(printable(shown(one)) for one in text.split("\n"))


def _seats(seats: Sequence[int]) -> str:
    told = listed(str(number) for number in seats)
    return f"seat {told}" if len(seats) == 1 else f"seats {told}"


def _document(text: str) -> Any:
    try:
        return json_module.loads(text, object_pairs_hook=_once)
    except json_module.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ShoeError(f"{where}: this is no JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise ShoeError("this is no JSON that holds a revealed round") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
        raise ShoeError(f'"{printable(twice)}" is written twice in one object')
    return fields
