"""`pitbook verify-deal`: check the proof of a round's deal."""

from __future__ import annotations

import json as json_module
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pitbook.cards import name, names
from pitbook.cli.language import localize, print_lines
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json, read_text
from pitbook.cli.plain_output import emit, examples
from pitbook.errors import ShoeError
from pitbook.json_size import has_more_values
from pitbook.text import say
from pitbook.text.user_input import printable, show_value

if TYPE_CHECKING:
    from pitbook.shoe.verdict import DealDifference, DealtHand, DealVerdict


app = command()

FINDING = 1
VALUES_MAX = 30_000
HASH = re.compile(r"[0-9a-f]{64}")
SEED = re.compile(r"([1-9]|1[0-2])=(.+)")
OTHER_ROUND_CODES = ("round", "kept", "history", "seed", "felt")  # Mean another round's proof.


class _Comparisons(NamedTuple):
    """What the reader supplied for comparison."""

    commitment: bool
    history: bool
    seats: tuple[int, ...]
    layout: bool

    @property
    def names(self) -> list[str]:
        """The comparisons by name, in the order of the answer."""
        by_name = {
            "commitment": self.commitment,
            "history": self.history,
            "seeds": bool(self.seats),
            "cards": self.layout,
        }
        return [comparison for comparison, is_given in by_name.items() if is_given]


def _parse_hash(text: str | None) -> str | None:
    normalized = None if text is None else text.strip().lower()
    if normalized is None or HASH.fullmatch(normalized):
        return normalized
    raise typer.BadParameter(localize(say("cli.verify.hash")))


def _parse_seeds(texts: list[str]) -> list[str]:
    for seed_text in texts:
        if not SEED.fullmatch(seed_text):
            raise typer.BadParameter(
                localize(say("cli.verify.seed", given=printable(show_value(seed_text))))
            )
    return texts


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
        typer.Argument(metavar="FILE", help="Proof of a round in JSON, or - for standard input."),
    ],
    *,
    round_id: Annotated[
        str | None,
        typer.Option("--round", metavar="ID", help="Id of the round that you expect."),
    ] = None,
    commitment: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            callback=_parse_hash,
            help="Commitment that you recorded before betting.",
        ),
    ] = None,
    history: Annotated[
        str | None,
        typer.Option(
            metavar="HASH",
            callback=_parse_hash,
            help="History of the shoe, as the table showed it before betting.",
        ),
    ] = None,
    seed: Annotated[
        list[str],
        typer.Option(
            metavar="SEAT=TEXT",
            callback=_parse_seeds,
            default_factory=list,
            show_default=False,
            help="Seed that you gave for a seat; may be repeated.",
        ),
    ],
    against: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The round as you saw it: a round file or the table's JSON record.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Verify a deal: does every card match the shuffle that the house committed to?

    The house publishes a hash of the shuffled deck before betting opens; the players' seeds then
    choose the position of each card. Every exposed card must match. A player's proof shows the
    cards that the player may see; an auditor's proof shows the whole shoe, which must hold full
    decks.

    Options compare the proof with what you recorded: the round, the commitment, the history, your
    seed and the cards. Without --seed you trust the house to have used your seed. The exit code is
    1 if anything differs. See docs/verify-a-deal.md.
    """
    from pitbook.shoe.verdict import KnownRound, compare, read_known_round  # noqa: PLC0415  See below.
    from pitbook.shoe.verify import verify  # noqa: PLC0415  Imports the ciphers.

    seeds = tuple(
        (int(seat), text) for seat, _, text in (seed_text.partition("=") for seed_text in seed)
    )
    known_round = KnownRound(round_id, commitment, history=history, seeds=seeds)
    verdict = compare(verify(_read_proof(read_text(file))), known_round)
    if against is not None:
        verdict = compare(verdict, read_known_round(_read_proof(read_text(against))))
    seats = tuple(sorted({seat for seat, _ in seeds}))
    comparisons = _Comparisons(
        commitment is not None, history is not None, seats, against is not None
    )
    if json:
        emit(_document_of(verdict, comparisons))
    else:
        print_lines(*_verdict_lines(verdict, comparisons))
    if verdict.differences:
        raise typer.Exit(FINDING)


def _document_of(verdict: DealVerdict, comparisons: _Comparisons) -> dict[str, Any]:
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
        **_opening_fields(verdict),
        "differences": [_difference_json(difference) for difference in verdict.differences],
        **({"compared": comparisons.names} if comparisons.names else {}),
    }


def _opening_fields(verdict: DealVerdict) -> dict[str, Any]:
    """The fields of a proof that opens card by card."""
    if not verdict.opens_by_card:
        return {}
    seeds = {str(seat): text for seat, text in sorted(verdict.shoe.seat_seeds.items())}
    past = {"past_deals": verdict.deals, "history": verdict.history}  # Else the commitment.
    return {
        "opens": "everything" if verdict.whole else "what its reader saw",
        "seeds_of": [int(seat) for seat in seeds],
        **({"seat_seeds": seeds} if seeds else {}),
        **(past if verdict.deals else {}),
    }


def _difference_json(difference: DealDifference) -> dict[str, Any]:
    return {key: value for key, value in difference._asdict().items() if value is not None}


def _verdict_lines(verdict: DealVerdict, comparisons: _Comparisons) -> list[str]:
    places = [localize(hand.place) for hand in verdict.hands]
    width = max(map(len, places), default=0)
    lines: list[str] = [say("cli.verify.round", round=printable(verdict.round_id))]
    lines += [_shoe_line(verdict), *_commitment_lines(verdict, is_known=comparisons.commitment)]
    lines += [*_history_lines(verdict, comparisons), *_seed_lines(verdict, comparisons)]
    lines.append(say("cli.verify.opened" if verdict.opens_by_card else "cli.verify.dealt-again"))
    for place, hand in zip(places, verdict.hands, strict=True):
        lines.append(f"  {place:<{width}}  {_hand_text(hand)}")
    if verdict.differences:
        return [*lines, *map(_difference_line, verdict.differences), _conclusion(verdict)]
    if comparisons.layout:
        lines.append(say("cli.verify.on-the-felt"))
    return [*lines, say("cli.verify.agrees", counted=_count_text(verdict))]


def _count_text(verdict: DealVerdict) -> str:
    """The number of cards compared with the shoe."""
    turned = sum(len(hand.turned) for hand in verdict.hands)
    dealt = turned + sum(hand.unturned for hand in verdict.hands)
    if not verdict.closed:
        return say("cli.verify.turned", turned=turned, laid=dealt)
    opened = {"opened": turned - verdict.closed, "laid": dealt}
    return say("cli.verify.opened-of", **opened, closed=verdict.closed)


def _hand_text(hand: DealtHand) -> str:
    """The cards of a place, with the number of closed cards."""
    closed = hand.turned.count(None)
    parts = [
        names(card for card in hand.turned if card is not None),
        localize(say("cli.verify.closed", cards=closed)) if closed else "",
        localize(say("cli.verify.unturned", cards=hand.unturned)) if hand.unturned else "",
    ]
    return " ".join(part for part in parts if part)


def _conclusion(verdict: DealVerdict) -> str:
    """The conclusion; another round's proof may be valid in itself."""
    other_round = [
        difference for difference in verdict.differences if difference.code in OTHER_ROUND_CODES
    ]
    if len(other_round) == len(verdict.differences):
        return say("cli.verify.other-round")
    return say("cli.verify.disagrees")


def _difference_line(difference: DealDifference) -> str:
    if difference.clause is None:
        return say("cli.verify.differs", message=difference.message)
    return say("cli.verify.differs-by", message=difference.message, clause=difference.clause)


def _shoe_line(verdict: DealVerdict) -> str:
    shoe = verdict.shoe
    details = {"id": printable(shoe.id), "kind": shoe.kind, "decks": shoe.decks}
    return say("cli.verify.shoe", **details, before=_earlier_deals(verdict))


def _earlier_deals(verdict: DealVerdict) -> str:
    """The cards or deals before this round."""
    if not verdict.drawn:
        return say("cli.verify.no-deal") if verdict.opens_by_card else ""
    if not verdict.opens_by_card:
        return say("cli.verify.cards-before", cards=verdict.drawn)
    return say("cli.verify.deals-before", cards=verdict.drawn, deals=verdict.deals)


def _commitment_lines(verdict: DealVerdict, *, is_known: bool) -> list[str]:
    if verdict.shoe.commitment is None:
        return [say("cli.verify.no-commitment")]
    lines: list[str] = [say("cli.verify.commitment", hash=verdict.shoe.commitment)]
    codes = {difference.code for difference in verdict.differences}
    if verdict.opens_by_card:
        return [*lines, *_card_commitment_lines(verdict, codes, is_known=is_known)]
    if "commitment" not in codes and is_known:
        lines.append(say("cli.verify.seed-kept", same="no" if "kept" in codes else "yes"))
    elif "commitment" not in codes:
        lines.append(say("cli.verify.seed-shown"))
    return lines


def _card_commitment_lines(
    verdict: DealVerdict, codes: set[str], *, is_known: bool
) -> Iterator[str]:
    if "commitment" not in codes and is_known:
        yield say("cli.verify.fixed-kept", same="no" if "kept" in codes else "yes")
    elif "commitment" not in codes:
        yield say("cli.verify.fixed-shown")
    if verdict.whole and not {"commitment", "deck"} & codes:
        yield say("cli.verify.full", decks=verdict.shoe.decks, cards=52 * verdict.shoe.decks)


def _history_lines(verdict: DealVerdict, comparisons: _Comparisons) -> Iterator[str]:
    """The history to which the seeds apply, if it differs from the commitment."""
    if verdict.deals:
        yield say("cli.verify.history", hash=verdict.history)
    if verdict.deals and not comparisons.history:
        yield say("cli.verify.history-shown")
    elif comparisons.history and "history" not in {
        difference.code for difference in verdict.differences
    }:
        yield say("cli.verify.history-kept" if verdict.deals else "cli.verify.nothing-before")


def _seed_lines(verdict: DealVerdict, comparisons: _Comparisons) -> Iterator[str]:
    """Each seed, so that its owner can recognize it; a seed chosen by trial could favor the
    server.
    """
    seeds = sorted(verdict.shoe.seat_seeds.items())
    if verdict.opens_by_card and not seeds:
        yield say("cli.verify.no-seeds")
    elif verdict.opens_by_card:
        yield say("cli.verify.seeds", many=len(seeds), seats=[seat for seat, _ in seeds])
        yield from _each_seed(verdict, seeds)
        if not comparisons.seats:
            yield say("cli.verify.own-seed")
    if comparisons.seats and "seed" not in {difference.code for difference in verdict.differences}:
        yield say("cli.verify.seeds-there", many=len(comparisons.seats), seats=comparisons.seats)


def _each_seed(verdict: DealVerdict, seeds: Sequence[tuple[int, str]]) -> Iterator[str]:
    played = {hand.seat for hand in verdict.hands}
    seat_names = [localize(say("engine.place.seat", seat=seat)) for seat, _ in seeds]
    for seat_name, (seat, text) in zip(seat_names, seeds, strict=True):
        no_hand = "" if seat in played else f" {localize(say('cli.verify.no-hand'))}"
        yield f"  {seat_name:<{len(seat_names[-1])}}  {_seed_text(text)}{no_hand}"


def _seed_text(text: str) -> str:
    separator = localize(say("cli.verify.then"))
    return f", {separator} ".join(
        printable(show_value(seed_line)) for seed_line in text.split("\n")
    )


def _read_proof(text: str) -> Any:
    if has_more_values(text, VALUES_MAX):
        raise ShoeError(say("cli.verify.too-many-values", most=VALUES_MAX))
    try:
        return json_module.loads(text, object_pairs_hook=_without_duplicates)
    except json_module.JSONDecodeError as error:
        details = {"line": error.lineno, "column": error.colno, "why": error.msg}
        raise ShoeError(say("cli.verify.no-json", **details)) from None
    except (RecursionError, ValueError):
        raise ShoeError(say("cli.verify.no-round")) from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        duplicate = next(key for key, times in counts.items() if times > 1)
        raise ShoeError(say("cli.verify.twice", field=printable(duplicate)))
    return fields
