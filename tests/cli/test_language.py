"""--language and PITBOOK_LANGUAGE: printed text is Spanish, and JSON stays English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.ledger_folders import cage_book, tamper
from tests.cli.test_settle import ROUND
from tests.command_line import Ask
from tests.sheets.samples import CMS, MHL, OMS

from pitbook.text import languages


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "round.json"
    path.write_text(json.dumps(ROUND), encoding="utf-8")
    return path


def spanish(ask: Ask, *arguments: str) -> str:
    answer = ask("--language", "es", *arguments, columns=100)
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def test_settlement_in_spanish(ask: Ask, file: Path) -> None:
    output = spanish(ask, "settle", str(file))
    assert "Mississippi Stud, Catfish Bend Casino II: liquidada" in output
    assert "  Apuesta " in output
    assert "escalera real" in output
    assert "gana $25,200, pierde $0, resultado $25,200" in output
    assert "Límite de pago por ronda (CMS-12): se deben $50,000, se pagan $25,000" in output
    assert "Mississippi Stud, Catfish Bend Casino II: liquidada" in output
    assert "Resultado de la casa: -$25,195." in output


def test_sheet_rules_in_spanish(ask: Ask) -> None:
    output = spanish(ask, "sheets", "show", CMS, "--notes")
    assert "seis puestos" in output.replace("\n", " ")
    assert "TABLA DE PAGOS" in output
    assert "IRREGULARIDADES" in output
    assert "Escalera real" in output
    assert "Nota: " in output
    assert "Fuente: " in output
    assert "PAY TABLE" not in output


def test_check_in_spanish(ask: Ask) -> None:
    output = spanish(ask, "sheets", "check", CMS, MHL)
    assert (
        "catfish-bend/mississippi-stud.toml:135:1: aviso: El pago máximo de una ronda es "
        "$468,000 con 6 puestos al máximo de la mesa, y $203,000 para una mano" in output
    )
    assert (
        "catfish-bend/mississippi-stud.toml: ventaja de la casa con la mejor jugada, sin "
        "límites de pago: main 4.9149%, three-card-bonus 7.2760%" in output
    )
    assert output.splitlines()[-1].startswith("2 hojas revisadas: ningún error y ")
    single_check = spanish(ask, "sheets", "check", CMS)
    assert single_check.splitlines()[-1].startswith("Ningún error y ")


@pytest.mark.long
def test_figures_in_spanish(ask: Ask) -> None:
    output = spanish(ask, "math", MHL)
    assert "Ventaja de la casa" in output
    assert "A igual valor, la apuesta menor (GEN-16)." in output
    output = spanish(ask, "strategy", MHL)
    assert "UN AS" in output
    assert (
        "COSTO DE UN JUEGO MÁS SIMPLE "
        "───────────────────────────────────────────────────────────────────────" in output
    )
    output = spanish(ask, "compare", CMS, OMS)
    assert "sin límites de pago." in output
    output = spanish(ask, "simulate", MHL, "--rounds", "1000", "--seed", "1")
    assert "1,000 rondas, semilla 1" in output
    output = output + spanish(
        ask, "session", MHL, "--bankroll", "50", "--hours", "1", "--goal", "20"
    )
    assert "Se va después de ganar $20." in output
    for english in ("House", "play", "rounds", "Outcome", "units", "hours"):
        assert english not in output


def test_advice_in_spanish(ask: Ask) -> None:
    output = spanish(ask, "advise", CMS, "--cards", "As Kd", "--ante", "10")
    assert "  Jugada     EV en antes     Costo  En dólares" in output
    assert "retirarse" in output
    assert "la mejor" in output
    assert "De 19,600 mesas posibles, gana 6,944" in output
    assert "No se cuenta lo que ganan otros puestos bajo un límite por ronda." in output
    hi_lo = spanish(ask, "advise", MHL, "--cards", "Ah 4d 7c")
    assert "gana o empata el " in hi_lo.replace("\n", " ")


def test_play_in_spanish(typed: Ask) -> None:
    play = ("--language", "es", "play", "--seed", "friday")
    output = typed(*play, text="10\n1\n?\nh\nk\nc\nf\n\nq\n").out
    assert "Teclas: f retirarse, 1 1x, " in output
    assert "Mejor jugada: retirarse. " in output
    assert "Ante ($10) pierde" in output
    assert "Intro: las mismas apuestas   b: otras apuestas   q: salir" in output
    assert "La mano en juego queda muerta. Se devuelven sus apuestas." in output
    assert "1 ronda jugada." in output
    assert "Se va con $991 (-$9)." in output


def test_play_with_two_seats_in_spanish(typed: Ask) -> None:
    play = ("--language", "es", "play", "--seed", "friday", "--seats", "2")
    output = typed(*play, text="10\n0\n5,0\n3\n5\n0\n1\nf\n1\n1\nq\n").out
    assert "Puesto 1, Ante $5 a $500 [$10]:" in output
    assert '"5,0" no es un importe' in output
    assert (
        "Ante: $3 en el puesto 2 está por debajo del mínimo. Apueste de $5 a $500 (CMS-2)."
        in " ".join(output.split())
    )
    assert "El puesto 2 se va con " in output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("sheets", "show", "nosuch"), 'No existe la hoja "nosuch". Use una de estas opciones: '),
        (("settle", "nowhere.json"), "No existe el archivo nowhere.json."),
        (
            ("advise", CMS, "--cards", "As Xx"),
            '--cards: "Xx" no es una carta; escriba valor y palo',
        ),
        (
            ("play", CMS, "--bankroll", "1,0"),
            '--bankroll: "1,0" no es un importe. Una coma no es un punto decimal',
        ),
        (
            ("play", CMS, "--seats", "9"),
            "Esta mesa tiene 6 puestos, así que --seats 9 son demasiados.",
        ),
    ],
)
def test_refusal_in_spanish(ask: Ask, arguments: tuple[str, ...], expected: str) -> None:
    answer = ask("--language", "es", *arguments)
    assert answer.code == 1
    assert answer.err.startswith(f"pitbook: {expected}")


def test_refused_round_in_spanish(ask: Ask, file: Path) -> None:
    wrong = {**ROUND, "seats": [{**ROUND["seats"][0], "wagers": {"ante": "1"}}], "voided": []}
    file.write_text(json.dumps(wrong), encoding="utf-8")
    answer = ask("--language", "es", "settle", str(file))
    assert "está por debajo del mínimo. Apueste de $5 a $500 (CMS-2)." in answer.err
    english = ask("settle", str(file))
    assert "is below the minimum. Bet $5 to $500 (CMS-2)." in english.err


def test_environment_variable_sets_the_language(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOOK_LANGUAGE", "es")
    assert 'pitbook: No existe la hoja "nosuch"' in ask("sheets", "show", "nosuch").err
    assert (
        'pitbook: There is no sheet "nosuch"'
        in ask("--language", "en", "sheets", "show", "nosuch").err
    )


def test_language_does_not_carry_over(ask: Ask) -> None:
    assert (
        'pitbook: No existe la hoja "nosuch"'
        in ask("--language", "es", "sheets", "show", "nosuch").err
    )
    assert "There is no sheet" in ask("sheets", "show", "nosuch").err


def test_json_stays_english_and_has_the_key(ask: Ask) -> None:
    answer = ask("--language", "es", "sheets", "check", CMS, "--json")
    english = ask("sheets", "check", CMS, "--json")
    assert answer.document == english.document
    assert {finding["key"] for finding in english.document["findings"]} >= {
        "findings.largest.payout"
    }
    refused = ask("--language", "es", "sheets", "show", "nosuch", "--json")
    assert refused.document["error"].startswith('There is no sheet "nosuch"')


def test_unknown_language_is_refused(ask: Ask) -> None:
    answer = ask("--language", "xx", "sheets", "list")
    assert answer.code == 2
    assert 'There is no language "xx". Use en or es.' in answer.err


def test_help_names_every_language(ask: Ask) -> None:
    help_text = " ".join(ask("--help").out.split())
    assert f"Output language: {' or '.join(languages())}." in help_text


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return cage_book(tmp_path / "house")


def test_audit_in_spanish(ask: Ask, house: Path, tmp_path: Path) -> None:
    output = spanish(ask, "audit", "verify", "--data", str(house))
    assert output.startswith("Se leyeron ")
    assert "El libro mayor está íntegro." in output
    output = spanish(ask, "audit", "export", "--data", str(house), "-o", str(tmp_path / "a.csv"))
    assert "Desde      inicio del libro mayor" in output
    assert (
        "Todo cuadra: el saldo inicial más los movimientos da el saldo final en cada cuenta."
        in output
    )
    output = spanish(ask, "backup", str(tmp_path / "house.zip"), "--data", str(house))
    assert "Las llaves no están incluidas" in output
    tamper(house, "UPDATE account SET balance = balance + 1 WHERE kind = 'cash'")
    answer = ask("--language", "es", "audit", "verify", "--data", str(house), columns=100)
    assert answer.code == 1
    assert "Hallazgo: cash en usd: el saldo es " in answer.out
    assert "El libro mayor está alterado: " in answer.out
    document = ask("audit", "verify", "--data", str(house), "--json").document
    assert document["findings"][0]["where"] == "cash in usd"


def test_impossible_request_is_refused_in_spanish(ask: Ask, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    answer = ask("--language", "es", "audit", "verify", "--data", nowhere)
    assert (
        answer.err
        == f"pitbook: {nowhere}: la carpeta de datos no existe. Indique otra con --data.\n"
    )
    answer = ask("--language", "es", "simulate", MHL, "--rounds", "many")
    assert answer.code == 2
    assert '"many" no es un número de rondas' in " ".join(answer.err.split())


def test_proof_in_spanish(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text('{"format": 3, "shoe": {}, "drawn": 0, "round": {}}', encoding="utf-8")
    answer = ask("--language", "es", "verify-deal", str(file))
    assert (
        answer.err
        == "pitbook: Formato de prueba desconocido: 3. Los formatos conocidos son 1 y 2.\n"
    )
