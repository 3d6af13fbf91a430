"""`pitbook verify-deal`: a revealed round dealt again, for whoever doubts it."""

from __future__ import annotations

import json as json_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitbook.cards import name, names
from pitbook.cli.arguments import Json
from pitbook.cli.files import read_text
from pitbook.cli.lazy import command
from pitbook.cli.output import emit, examples
from pitbook.english import counted
from pitbook.errors import ShoeError
from pitbook.sheets.findings import printable

if TYPE_CHECKING:
    from pitbook.shoe.proof import Difference, Verdict

app = command()

FINDING = 1


@app.command(epilog=examples("pitbook verify-deal round.json", "pitbook verify-deal - --json"))
def verify_deal(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A revealed round in JSON; - reads standard input."),
    ],
    *,
    json: Json = False,
) -> None:
    """Deal a revealed round again: is every card the one that the shoe was committed to?

    The seed must have the hash that was published before wagers opened, and each card that was
    turned must be the one that the shoe deals there. Cards that were never turned stay unnamed.
    Exit code 1 where the record and the shoe disagree. docs/verify-a-deal.md tells how it works.
    """
    from pitbook.shoe.proof import verify  # noqa: PLC0415  It brings the ciphers.

    verdict = verify(_document(read_text(file)))
    if json:
        emit(_answer(verdict))
    else:
        print("\n".join(_told(verdict)))
    if verdict.differences:
        raise typer.Exit(FINDING)


def _answer(verdict: Verdict) -> dict[str, Any]:
    shoe = verdict.shoe
    return {
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
                "turned": [name(card) for card in hand.turned],
                "unturned": hand.unturned,
            }
            for hand in verdict.hands
        ],
        "differences": [_difference(one) for one in verdict.differences],
    }


def _difference(one: Difference) -> dict[str, Any]:
    return {key: value for key, value in one._asdict().items() if value is not None}


def _told(verdict: Verdict) -> list[str]:
    width = max((len(hand.place) for hand in verdict.hands), default=0)
    lines = [_shoe_told(verdict), *_commitment_told(verdict), "Dealt again:"]
    for hand in verdict.hands:
        never = f"({hand.unturned} never turned)" if hand.unturned else ""
        cards = " ".join(part for part in (names(hand.turned), never) if part)
        lines.append(f"  {hand.place:<{width}}  {cards}")
    if verdict.differences:
        lines += [f"Differs: {one.message}{_by(one)}." for one in verdict.differences]
        return [*lines, "The record does not agree with the shoe."]
    turned = sum(len(hand.turned) for hand in verdict.hands)
    laid = turned + sum(hand.unturned for hand in verdict.hands)
    return [
        *lines,
        f"The record agrees with the shoe. Cards turned: {turned} of {laid}, all right.",
    ]


def _by(one: Difference) -> str:
    return f" ({one.clause})" if one.clause else ""


def _shoe_told(verdict: Verdict) -> str:
    shoe = verdict.shoe
    decks = "one deck" if shoe.decks == 1 else f"{shoe.decks} decks"
    before = f", {counted(verdict.drawn, 'card')} dealt before this round" if verdict.drawn else ""
    return f'Shoe "{printable(shoe.id)}", {_KINDS[shoe.kind]}, {decks}{before}.'


_KINDS = {
    "committed": "committed",
    "seeded": "seeded by hand (a test or a demonstration, not a fair deal)",
    "arranged": "arranged (practice of chosen cards, not a fair deal)",
}


def _commitment_told(verdict: Verdict) -> list[str]:
    if verdict.shoe.commitment is None:
        return ["No commitment was published: the seed may have been chosen for its cards."]
    lines = [f"Commitment {verdict.shoe.commitment}"]
    if all(one.code != "commitment" for one in verdict.differences):
        lines.append("The seed has this hash. Was it shown at the table before wagers opened?")
    return lines


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
