"""Statement, receipts, lists and refusals of a night in Spanish."""

from __future__ import annotations

import dataclasses

import pytest
from tests.house.nights.kit import CMS, OMS, Evening

from pitbook.house.nights import commands as do
from pitbook.house.nights import printed_lists
from pitbook.house.nights.decide import Command
from pitbook.house.nights.schedule_files import read_schedule, samples
from pitbook.house.nights.statement import (
    receipt_page,
    receipt_text,
    statement_page,
    statement_text,
)
from pitbook.house.nights.tournament import commands as floor
from pitbook.house.nights.views import differences_text
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import dollars
from pitbook.rules.refusals import Refusal
from pitbook.text import Sentence, in_language, say

T = "gala.t1"
EVENING: tuple[Command, ...] = (
    do.BringFloat(dollars("500")),
    do.Sell("ann", dollars("20")),
    do.Redeem("ann", dollars("5")),
    floor.SetUp(T, read_schedule(samples()["hourly"])),
    floor.Announce(T),
    floor.Enter(T, "ann"),
    floor.Enter(T, "bob"),
)


@pytest.fixture
def night_with_sales(evening: Evening) -> Evening:
    for command in EVENING:
        evening.must(command)
    return evening


def test_statement_in_spanish(night_with_sales: Evening) -> None:
    statement = night_with_sales.statement()
    text = statement_text(statement, "es")
    assert "Estado provisional: gala\n" in text
    assert (
        "\n  Fichas canjeadas                                                 -5.00  OMS-17" in text
    )
    assert "\n  Hourly stud (gala.t1, abierto): inscripciones " in text
    assert "\n    reembolsos " in text
    assert "Las 11 comprobaciones cuadran al centavo." in text
    page = statement_page(statement, "es")
    assert '<html lang="es">' in page
    assert "reembolsos</td>" in page
    assert page.index("Por el casino") < page.index("Por la entidad benéfica")
    proceeds = statement.checks[-1]
    altered_check = proceeds._replace(balances=proceeds.balances + 1)
    altered_statement = dataclasses.replace(
        statement, checks=(*statement.checks[:-1], altered_check)
    )
    altered_text = statement_text(altered_statement, "es")
    assert "Las cuentas NO cuadran:\n  Recaudación neta para la entidad benéfica: " in altered_text


def test_spanish_statement_has_no_english_lines(night_with_sales: Evening) -> None:
    for line in night_with_sales.statement().lines():
        assert in_language(line.title, "es") != line.title
    for check in night_with_sales.statement().checks:
        assert in_language(check.what, "es") != check.what


def test_receipt_in_spanish(night_with_sales: Evening) -> None:
    slip = night_with_sales.state.slip(2)
    assert slip is not None
    text = receipt_text(night_with_sales.state, slip, "es")
    assert "\nRecibo gala-000002\nFichas vendidas, ann: $20\n" in text
    assert "Válidas el 2026-11-21 hasta el cierre del evento, a más tardar a las " in text
    assert "Fichas vendidas, ann: $20" in receipt_page(night_with_sales.state, slip, "es")


def test_floor_lists_in_spanish(night_with_sales: Evening) -> None:
    tournament = night_with_sales.state.tournaments[T]
    sign_in = printed_lists.sign_in_sheet(night_with_sales.state, tournament, "es")
    assert "<h1>Hoja de registro: Hourly stud</h1>" in sign_in
    assert "inscripción de $60. Recompra de $40, " in sign_in
    assert '<th scope="col">Firma</th>' in sign_in
    assert "Aún no hay asientos asignados." in printed_lists.count_sheets(
        night_with_sales.state, tournament, "es"
    )
    cards = printed_lists.seat_cards(night_with_sales.state, tournament, str, "es")
    assert "Asiento por sortear" in cards
    assert 'alt="Código de registro de ann"' in cards
    night_with_sales.must(floor.DrawSeats(T))
    tournament = night_with_sales.state.tournaments[T]
    assert "Fichas antes" in printed_lists.count_sheets(night_with_sales.state, tournament, "es")
    assert "<strong>Mesa 1, asiento " in printed_lists.seat_cards(
        night_with_sales.state, tournament, str, "es"
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (do.Sell("ann", dollars("0.30")), "$0.30 no se puede vender en fichas de $1, $2, $3, $4."),
        (do.Redeem("ann", dollars("1000")), "ann tiene $15 en fichas del evento, menos de $1,000."),
        (do.Undo(9, "typo"), "gala no tiene el comprobante 9."),
        (do.Open(), "gala ya está abierto."),
        (
            do.AdmitTable("stud-1", dump_sheet(CMS)),
            "catfish-bend/mississippi-stud: la apuesta Ante puede llegar a $500. El límite en "
            "Oceanfront Gaming, Inc. es de $4 por apuesta. ",
        ),
        (floor.Enter(T, "ann"), "ann ya está inscrito en gala.t1."),
        (floor.ReBuy(T, "ann"), "Las recompras de gala.t1 empiezan con la primera carta."),
        (floor.Start(T), "ann no tiene asiento. Sortee primero los asientos."),
        (floor.BeginRound(T, 1), "gala.t1 está abierto. Ahora no se puede jugar ninguna ronda."),
        (floor.Break(T, 5), "El reloj de gala.t1 no está en marcha; no hay descanso que iniciar."),
        (do.Close(), "El torneo gala.t1 no ha terminado. Reembolse a los jugadores "),
    ],
    ids=lambda command: type(command).__name__,
)
def test_refusal_in_spanish(night_with_sales: Evening, command: Command, message: str) -> None:
    answer = night_with_sales.ask(command)
    assert isinstance(answer, Refusal)
    assert isinstance(answer.message, Sentence)
    assert in_language(answer.message, "es").startswith(message)


def test_spanish_refusal_of_a_short_drawer(evening: Evening) -> None:
    """An overdraft of the drawer, which is recognized by its account, suggests a float."""

    def refusal_for(account: str) -> Refusal:
        details = {"account": account, "place": "event", "name": "gala"}
        overdraft = say("ledger.overdrawn", **details, holds=0, given=500)
        return evening.night._not_covered(overdraft)

    drawer, shortage = str(evening.state.accounts.cash), "The drawer of gala has $0, less than $5."
    assert str(refusal_for(drawer)) == f"{shortage} Add an opening bank first."
    assert str(refusal_for("wallet:ann")) == shortage
    assert str(evening.night._not_covered("it has failed")) == "it has failed"


@pytest.mark.long
def test_spanish_admission_of_a_sheet(night_with_sales: Evening) -> None:
    night_with_sales.must(do.AdmitTable("stud-1", dump_sheet(OMS)))
    assert "stud-1" in night_with_sales.state.tables


def test_differences_of_a_derived_sheet_are_shown_as_recorded_and_in_spanish(
    evening: Evening,
) -> None:
    evening.must(do.AdmitTable("stud-2", dump_sheet(CMS), derived=True))
    table = evening.another().state.tables["stud-2"]  # Read again from the book.
    recorded = [difference["words"] for difference in table.differences]
    current = differences_text(table)
    assert current == recorded
    spanish = [in_language(words, "es") for words in current]
    assert not set(spanish) & set(recorded)
    assert any("Las dos hojas" in words for words in spanish), spanish
    older = table._replace(differences=({"words": "As it was said then."},))
    assert differences_text(older) == ["As it was said then."]
