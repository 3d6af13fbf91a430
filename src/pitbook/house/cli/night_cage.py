"""`pitbook night sell, redeem, float, undo, receipt, pay-unclaimed`: the cage of a night."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pitbook.cli.language import output_language
from pitbook.cli.lazy_commands import command
from pitbook.cli.options import Json
from pitbook.cli.papers import Size, write_paper
from pitbook.cli.plain_output import examples
from pitbook.house.cli.house_options import (
    Event,
    HouseOptions,
    Player,
    RequestOptions,
    Why,
    amount_of,
    night_at,
    options,
)
from pitbook.house.cli.night_output import exit_refused, print_answer, require_accepted

if TYPE_CHECKING:
    from pitbook.house.nights.commands import Command
    from pitbook.house.nights.store import Night


app = command()

Amount: TypeAlias = Annotated[
    str, typer.Argument(metavar="AMOUNT", help="Amount in dollars, such as 20 or 20.50.")
]
Slip: TypeAlias = Annotated[int, typer.Argument(metavar="SLIP", min=1, help="Number of the slip.")]


@app.command(
    epilog=examples("pitbook night sell gala ann 20", "pitbook night sell gala ann 20 --json")
)
@options
def sell(
    event: Event,
    player: Player,
    amount: Amount,
    *,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Sell chips for cash, valid at this event only."""
    from pitbook.house.nights.commands import Sell  # noqa: PLC0415  Slow to import.

    with night_at(house_options, event) as night:
        _book_and_print(night, Sell(player, amount_of(amount)), request_options)


@app.command(
    epilog=examples("pitbook night redeem gala ann 15", "pitbook night redeem gala ann all")
)
@options
def redeem(
    event: Event,
    player: Player,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help='Amount in dollars, or "all".')],
    *,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Pay cash for chips at face value until the event closes."""
    from pitbook.house.nights.commands import Redeem  # noqa: PLC0415

    with night_at(house_options, event) as night:
        cents = night.holds(player) if amount == "all" else amount_of(amount)
        _book_and_print(night, Redeem(player, cents), request_options)


@app.command("float", epilog=examples("pitbook night float gala 500"))
@options
def float_(
    event: Event,
    amount: Amount,
    *,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Lend the drawer an opening bank until the event closes."""
    from pitbook.house.nights.commands import BringFloat  # noqa: PLC0415

    with night_at(house_options, event) as night:
        _book_and_print(night, BringFloat(amount_of(amount)), request_options)


@app.command(epilog=examples('pitbook night undo gala 3 --why "sold to the wrong player"'))
@options
def undo(
    event: Event,
    slip: Slip,
    *,
    why: Why,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Void a slip; the slip and its reversal both stay on record."""
    from pitbook.house.nights.commands import Undo  # noqa: PLC0415

    with night_at(house_options, event) as night:
        _book_and_print(night, Undo(slip, why), request_options)


@app.command("pay-unclaimed", epilog=examples("pitbook night pay-unclaimed gala ann"))
@options
def pay_unclaimed(
    event: Event,
    player: Player,
    *,
    house_options: HouseOptions,
    request_options: RequestOptions,
) -> None:
    """Pay a player what a closed event still owes."""
    from pitbook.house.nights.commands import PayUnclaimed  # noqa: PLC0415

    with night_at(house_options, event) as night:
        _book_and_print(night, PayUnclaimed(player), request_options)


class ReceiptPaper(StrEnum):
    """Paper for a receipt: an A6 slip, or a page."""

    SLIP = "slip"
    LETTER = "letter"
    A4 = "a4"


@app.command(
    epilog=examples(
        "pitbook night receipt gala 3", "pitbook night receipt gala 3 --pdf slip.pdf --size a4"
    )
)
@options
def receipt(
    event: Event,
    slip: Slip,
    *,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help="Also write a PDF.")
    ] = None,
    size: Annotated[
        ReceiptPaper, typer.Option("--size", help="Paper size; a slip is A6.")
    ] = ReceiptPaper.SLIP,
    house_options: HouseOptions,
    json: Json = False,
) -> None:
    """Print a slip's receipt again."""
    from pitbook.rules.refusals import Code, Refusal  # noqa: PLC0415
    from pitbook.text import say  # noqa: PLC0415

    with night_at(house_options, event) as night:
        if night.state.slip(slip) is None:
            message = say("nights.counter.no-slip", event=event, slip=slip)
            exit_refused(Refusal(Code.NOT_NOW, message), as_json=json)
        if pdf is not None:
            _write_receipt(pdf, night, slip, size)
        _print_slip(night, slip, as_json=json)


def _write_receipt(file: Path, night: Night, number: int, size: ReceiptPaper) -> None:
    from pitbook.house.nights.statement import receipt_paper  # noqa: PLC0415

    slip = night.state.slip(number)
    assert slip is not None
    paper = receipt_paper(night.state, slip, shape="slip" if size == ReceiptPaper.SLIP else "page")
    page = Size.LETTER if size == ReceiptPaper.SLIP else Size(size.value)
    write_paper(file, paper, size=page)


def _book_and_print(night: Night, command: Command, request_options: RequestOptions) -> None:
    answer = night.give(command, actor=request_options.actor, request=request_options.request)
    accepted = require_accepted(answer, as_json=request_options.json)
    _print_slip(night, accepted.slip, as_json=request_options.json)


def _print_slip(night: Night, number: int, *, as_json: bool) -> None:
    from pitbook.house.nights.statement import receipt, receipt_text  # noqa: PLC0415

    slip = night.state.slip(number)
    assert slip is not None
    text = receipt_text(night.state, slip, output_language()).rstrip()
    print_answer(dict(receipt(night.state, slip)), text, as_json=as_json)
