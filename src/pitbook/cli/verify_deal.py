"""`pitbook verify-deal`: check the proof of a round's deal."""

from __future__ import annotations

import json as json_module
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pitbook.cards import name, names
from pitbook.cli.commands import command
from pitbook.cli.language import tell, worded
from pitbook.cli.options import Json, read_text
from pitbook.cli.output import emit, examples
from pitbook.errors import ShoeError
from pitbook.json_size import has_more_values
from pitbook.sheets.findings import printable, show_value
from pitbook.text import say

if TYPE_CHECKING:
    from pitbook.shoe.verdict import DealDifference, DealVerdict, LaidHand


app = command()

FINDING = 1
VALUES_MAX = 30_000
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
    raise typer.BadParameter(worded(say("cli.verify.hash")))


def _seeds(given: list[str]) -> list[str]:
    for one in given:
        if not SEED.fullmatch(one):
            raise typer.BadParameter(
                worded(say("cli.verify.seed", given=printable(show_value(one))))
            )
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
    from pitbook.shoe.compared import KnownRound, compared, seen_in  # noqa: PLC0415  As below.
    from pitbook.shoe.proof import verify  # noqa: PLC0415  It brings the ciphers.

    seeds = tuple((int(seat), text) for seat, _, text in (one.partition("=") for one in seed))
    known = KnownRound(round_id, commitment, history=history, seeds=seeds)
    verdict = compared(verify(_document(read_text(file))), known)
    if against is not None:
        verdict = compared(verdict, seen_in(_document(read_text(against))))
    seats = tuple(sorted({seat for seat, _ in seeds}))
    own = _Own(commitment is not None, history is not None, seats, against is not None)
    if json:
        emit(_answer(verdict, own))
    else:
        tell(*_told(verdict, own))
    if verdict.differences:
        raise typer.Exit(FINDING)


def _answer(verdict: DealVerdict, own: _Own) -> dict[str, Any]:
    shoe = verdict.shoe
    return {
        "round": verdict.round_id,
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


def _opened(verdict: DealVerdict) -> dict[str, Any]:
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


def _difference(one: DealDifference) -> dict[str, Any]:
    return {key: value for key, value in one._asdict().items() if value is not None}


def _told(verdict: DealVerdict, own: _Own) -> list[str]:
    places = [worded(hand.place) for hand in verdict.hands]
    width = max(map(len, places), default=0)
    lines: list[str] = [say("cli.verify.round", round=printable(verdict.round_id))]
    lines += [_shoe_told(verdict), *_commitment_told(verdict, kept=own.kept)]
    lines += [*_past_told(verdict, own), *_seeds_told(verdict, own)]
    lines.append(say("cli.verify.opened" if verdict.cardwise else "cli.verify.dealt-again"))
    for place, hand in zip(places, verdict.hands, strict=True):
        lines.append(f"  {place:<{width}}  {_hand_told(hand)}")
    if verdict.differences:
        return [*lines, *map(_differs, verdict.differences), _no(verdict)]
    if own.felt:
        lines.append(say("cli.verify.on-the-felt"))
    return [*lines, say("cli.verify.agrees", counted=_counted(verdict))]


def _counted(verdict: DealVerdict) -> str:
    """How many cards were held against the shoe."""
    turned = sum(len(hand.turned) for hand in verdict.hands)
    laid = turned + sum(hand.unturned for hand in verdict.hands)
    if not verdict.closed:
        return say("cli.verify.turned", turned=turned, laid=laid)
    opened = {"opened": turned - verdict.closed, "laid": laid}
    return say("cli.verify.opened-of", **opened, closed=verdict.closed)


def _hand_told(hand: LaidHand) -> str:
    """The cards of a place; what is closed to the reader is counted."""
    closed = hand.turned.count(None)
    parts = [
        names(card for card in hand.turned if card is not None),
        worded(say("cli.verify.closed", cards=closed)) if closed else "",
        worded(say("cli.verify.unturned", cards=hand.unturned)) if hand.unturned else "",
    ]
    return " ".join(part for part in parts if part)


def _no(verdict: DealVerdict) -> str:
    """Another round's proof may be sound in itself."""
    other = [one for one in verdict.differences if one.code in OTHERS]
    if len(other) == len(verdict.differences):
        return say("cli.verify.other-round")
    return say("cli.verify.disagrees")


def _differs(one: DealDifference) -> str:
    if one.clause is None:
        return say("cli.verify.differs", message=one.message)
    return say("cli.verify.differs-by", message=one.message, clause=one.clause)


def _shoe_told(verdict: DealVerdict) -> str:
    shoe = verdict.shoe
    of = {"id": printable(shoe.id), "kind": shoe.kind, "decks": shoe.decks}
    return say("cli.verify.shoe", **of, before=_before(verdict))


def _before(verdict: DealVerdict) -> str:
    """What the shoe had dealt."""
    if not verdict.drawn:
        return say("cli.verify.no-deal") if verdict.cardwise else ""
    if not verdict.cardwise:
        return say("cli.verify.cards-before", cards=verdict.drawn)
    return say("cli.verify.deals-before", cards=verdict.drawn, deals=verdict.deals)


def _commitment_told(verdict: DealVerdict, *, kept: bool) -> list[str]:
    if verdict.shoe.commitment is None:
        return [say("cli.verify.no-commitment")]
    lines: list[str] = [say("cli.verify.commitment", hash=verdict.shoe.commitment)]
    found = {one.code for one in verdict.differences}
    if verdict.cardwise:
        return [*lines, *_cardwise_told(verdict, found, kept=kept)]
    if "commitment" not in found and kept:
        lines.append(say("cli.verify.seed-kept", same="no" if "kept" in found else "yes"))
    elif "commitment" not in found:
        lines.append(say("cli.verify.seed-shown"))
    return lines


def _cardwise_told(verdict: DealVerdict, found: set[str], *, kept: bool) -> Iterator[str]:
    if "commitment" not in found and kept:
        yield say("cli.verify.fixed-kept", same="no" if "kept" in found else "yes")
    elif "commitment" not in found:
        yield say("cli.verify.fixed-shown")
    if verdict.whole and not {"commitment", "deck"} & found:
        yield say("cli.verify.full", decks=verdict.shoe.decks, cards=52 * verdict.shoe.decks)


def _past_told(verdict: DealVerdict, own: _Own) -> Iterator[str]:
    """What the seeds were made for, where the commitment alone does not say it."""
    if verdict.deals:
        yield say("cli.verify.history", hash=verdict.history)
    if verdict.deals and not own.history:
        yield say("cli.verify.history-shown")
    elif own.history and "history" not in {one.code for one in verdict.differences}:
        yield say("cli.verify.history-kept" if verdict.deals else "cli.verify.nothing-before")


def _seeds_told(verdict: DealVerdict, own: _Own) -> Iterator[str]:
    """Each seed, for its owner to know it again: one that was tried out serves the house."""
    seeds = sorted(verdict.shoe.seat_seeds.items())
    if verdict.cardwise and not seeds:
        yield say("cli.verify.no-seeds")
    elif verdict.cardwise:
        yield say("cli.verify.seeds", many=len(seeds), seats=[seat for seat, _ in seeds])
        yield from _each_seed(verdict, seeds)
        if not own.seats:
            yield say("cli.verify.own-seed")
    if own.seats and "seed" not in {one.code for one in verdict.differences}:
        yield say("cli.verify.seeds-there", many=len(own.seats), seats=own.seats)


def _each_seed(verdict: DealVerdict, seeds: Sequence[tuple[int, str]]) -> Iterator[str]:
    played = {hand.seat for hand in verdict.hands}
    seats_ = [worded(say("engine.place.seat", seat=seat)) for seat, _ in seeds]
    for at, (seat, text) in zip(seats_, seeds, strict=True):
        no_hand = "" if seat in played else f" {worded(say('cli.verify.no-hand'))}"
        yield f"  {at:<{len(seats_[-1])}}  {_seed_told(text)}{no_hand}"


def _seed_told(text: str) -> str:
    then = worded(say("cli.verify.then"))
    return f", {then} ".join(printable(show_value(one)) for one in text.split("\n"))


def _document(text: str) -> Any:
    if has_more_values(text, VALUES_MAX):
        raise ShoeError(say("cli.verify.too-many-values", most=VALUES_MAX))
    try:
        return json_module.loads(text, object_pairs_hook=_once)
    except json_module.JSONDecodeError as error:
        at = {"line": error.lineno, "column": error.colno, "why": error.msg}
        raise ShoeError(say("cli.verify.no-json", **at)) from None
    except (RecursionError, ValueError):
        raise ShoeError(say("cli.verify.no-round")) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, times in counts.items() if times > 1)
        raise ShoeError(say("cli.verify.twice", field=printable(twice)))
    return fields
