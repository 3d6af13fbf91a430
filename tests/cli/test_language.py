"""--language and PITBOOK_LANGUAGE: what a command tells is Spanish, and JSON stays as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.books import bend, cage_book
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


def test_a_settlement(ask: Ask, file: Path) -> None:
    told = spanish(ask, "settle", str(file))
    assert "Mississippi Stud, Catfish Bend Casino II: liquidada" in told
    assert "  Apuesta " in told
    assert "escalera real" in told
    assert "gana $25,200, pierde $0, resultado $25,200" in told
    assert "CMS-12 limita todas las manos juntas: corresponden $50,000, se pagan $25,000" in told
    assert "Consta: " in told
    assert "Resultado de la casa: -$25,195." in told


def test_the_rules_of_a_sheet(ask: Ask) -> None:
    told = spanish(ask, "sheets", "show", CMS, "--notes")
    assert "seis puestos" in told.replace("\n", " ")
    assert "TABLA DE PAGOS" in told
    assert "IRREGULARIDADES" in told
    assert "Escalera real" in told
    assert "Nota: " in told
    assert "Según: " in told
    assert "PAY TABLE" not in told


def test_a_check(ask: Ask) -> None:
    told = spanish(ask, "sheets", "check", CMS, MHL)
    assert "aviso: el mayor pago que puede deber una ronda es de " in told
    assert "ventaja de la casa con el mejor juego, sin contar límites: main " in told
    assert told.splitlines()[-1].startswith("2 hojas: ningún error y ")
    one = spanish(ask, "sheets", "check", CMS)
    assert one.splitlines()[-1].startswith("Ningún error y ")


@pytest.mark.long
def test_figures_of_a_sheet(ask: Ask) -> None:
    told = spanish(ask, "math", MHL)
    assert "Ventaja de la casa" in told
    assert "Mejor juego en cada decisión; a igual valor, la apuesta menor (GEN-16)." in told
    told = spanish(ask, "strategy", MHL)
    assert "UN AS" in told
    assert "LO QUE CUESTA UN JUEGO MÁS SIMPLE" in told
    told = spanish(ask, "compare", CMS, OMS)
    assert "sin topes." in told
    told = spanish(ask, "simulate", MHL, "--rounds", "1000", "--seed", "1")
    assert "1,000 rondas, semilla 1" in told
    told = told + spanish(ask, "session", MHL, "--bankroll", "50", "--hours", "1", "--goal", "20")
    assert "Se va después de ganar $20." in told
    for english in ("House", "play", "rounds", "Outcome", "units", "hours"):
        assert english not in told


def test_advice(ask: Ask) -> None:
    told = spanish(ask, "advise", CMS, "--cards", "As Kd", "--ante", "10")
    assert "Valor en antes" in told
    assert "retirarse" in told
    assert "la mejor" in told
    assert "De 19,600 maneras en que puede terminar la mesa, 6,944 ganan" in told
    assert "No se cuenta lo que ganan otros puestos bajo un tope de ronda." in told
    hi_lo = spanish(ask, "advise", MHL, "--cards", "Ah 4d 7c")
    assert "del crupier el " in hi_lo.replace("\n", " ")


def test_a_table(typed: Ask) -> None:
    play = ("--language", "es", "play", "--seed", "friday")
    told = typed(*play, text="10\n1\n?\nh\nk\nc\nf\n\nq\n").out
    assert "Teclas: f retirarse, 1 1x, " in told
    assert "Lo mejor es retirarse. " in told
    assert "Ante, $10, pierde" in told
    assert "Intro: las mismas apuestas   b: otras apuestas   q: salir" in told
    assert "La mano en juego queda muerta; sus apuestas se devuelven." in told
    assert "1 ronda jugada." in told
    assert "Se va con $991 (-$9)." in told


def test_a_table_of_two(typed: Ask) -> None:
    play = ("--language", "es", "play", "--seed", "friday", "--seats", "2")
    told = typed(*play, text="10\n0\n5,0\n3\n5\n0\n1\nf\n1\n1\nq\n").out
    assert "Puesto 1, Ante de $5 a $500 [$10]:" in told
    assert '"5,0" no es una cantidad de dinero; ' in told
    assert "Ante de $3 en el puesto 2 está por debajo del mínimo; de $5 a $500 (CMS-2)." in told
    assert "El puesto 2 se va con " in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sheets", "show", "nosuch"), 'no existe la hoja "nosuch"; se conocen '),
        (("settle", "nowhere.json"), "nowhere.json: no existe ese archivo."),
        (
            ("advise", CMS, "--cards", "As Xx"),
            '--cards: "Xx" no es una carta; escriba valor y palo',
        ),
        (
            ("play", CMS, "--bankroll", "1,0"),
            '--bankroll: "1,0" no es una cantidad de dinero; una coma no es un punto decimal',
        ),
        (("play", CMS, "--seats", "9"), "esta mesa tiene 6 puestos; --seats 9 son demasiados."),
    ],
)
def test_a_refusal(ask: Ask, arguments: tuple[str, ...], told: str) -> None:
    answer = ask("--language", "es", *arguments)
    assert answer.code == 1
    assert answer.err.startswith(f"pitbook: {told}")


def test_a_round_that_is_refused(ask: Ask, file: Path) -> None:
    wrong = {**ROUND, "seats": [{**ROUND["seats"][0], "wagers": {"ante": "1"}}], "voided": []}
    file.write_text(json.dumps(wrong), encoding="utf-8")
    answer = ask("--language", "es", "settle", str(file))
    assert "está por debajo del mínimo; de $5 a $500 (CMS-2)." in answer.err
    english = ask("settle", str(file))
    assert "is below the minimum; $5 to $500 (CMS-2)." in english.err


def test_a_variable_names_the_language_for_all_commands(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOOK_LANGUAGE", "es")
    assert "no existe la hoja" in ask("sheets", "show", "nosuch").err
    assert "there is no sheet" in ask("--language", "en", "sheets", "show", "nosuch").err


def test_the_next_run_is_english_again(ask: Ask) -> None:
    assert "no existe la hoja" in ask("--language", "es", "sheets", "show", "nosuch").err
    assert "there is no sheet" in ask("sheets", "show", "nosuch").err


def test_json_stays_english_and_has_the_key(ask: Ask) -> None:
    answer = ask("--language", "es", "sheets", "check", CMS, "--json")
    english = ask("sheets", "check", CMS, "--json")
    assert answer.document == english.document
    assert {one["key"] for one in english.document["findings"]} >= {"findings.largest.payout"}
    refused = ask("--language", "es", "sheets", "show", "nosuch", "--json")
    assert refused.document["error"].startswith('there is no sheet "nosuch"')


def test_a_language_that_nobody_speaks_here(ask: Ask) -> None:
    answer = ask("--language", "xx", "sheets", "list")
    assert answer.code == 2
    assert '"xx" is not spoken here; write en or es' in answer.err


def test_the_help_names_every_language_that_there_is_a_catalogue_of(ask: Ask) -> None:
    told = " ".join(ask("--help").out.split())
    assert f"The language of what is told: {' or '.join(languages())}." in told


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return cage_book(tmp_path / "house")


def test_what_an_audit_says_of_a_book(ask: Ask, house: Path, tmp_path: Path) -> None:
    told = spanish(ask, "audit", "verify", "--data", str(house))
    assert told.startswith("Se leyeron ")
    assert "El libro está en orden." in told
    told = spanish(ask, "audit", "export", "--data", str(house), "-o", str(tmp_path / "a.csv"))
    assert "Desde      el principio del libro" in told
    assert "Cuadra: saldo inicial y movimientos dan el saldo final en cada cuenta." in told
    told = spanish(ask, "backup", str(tmp_path / "house.zip"), "--data", str(house))
    assert "Las llaves no están en ella; " in told
    bend(house, "UPDATE account SET balance = balance + 1 WHERE kind = 'cash'")
    answer = ask("--language", "es", "audit", "verify", "--data", str(house), columns=100)
    assert answer.code == 1
    assert "Hallazgo: cash en usd: tiene " in answer.out
    assert "El libro no está en orden: " in answer.out
    found = ask("audit", "verify", "--data", str(house), "--json").document
    assert found["findings"][0]["where"] == "cash in usd"


def test_what_cannot_be_is_refused(ask: Ask, tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nowhere")
    answer = ask("--language", "es", "audit", "verify", "--data", nowhere)
    assert (
        answer.err == f"pitbook: {nowhere}: no existe esa carpeta de datos; --data indica otra.\n"
    )
    answer = ask("--language", "es", "simulate", MHL, "--rounds", "many")
    assert answer.code == 2
    assert '"many" no es un número de rondas' in " ".join(answer.err.split())


def test_a_proof(ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    file.write_text('{"format": 3, "shoe": {}, "drawn": 0, "round": {}}', encoding="utf-8")
    answer = ask("--language", "es", "verify-deal", str(file))
    assert answer.err == "pitbook: no se conoce el formato 3; estos son los formatos 1 y 2.\n"
