"""Money is formatted in the currency of the sheet's casino."""

from __future__ import annotations

from functools import cache
from typing import get_args

import pytest
from tests.sheets.samples import CMS, MHL

import pitbook
from pitbook.house.table.events import sheet_id
from pitbook.house.table.stored_sheets import dump_sheet
from pitbook.money import Cents
from pitbook.rules.actions import Wager
from pitbook.rules.refusals import Refusal
from pitbook.sheets.hashes import digest
from pitbook.sheets.model import CurrencyCode, Sheet
from pitbook.sheets.prose import rule_texts
from pitbook.text import in_language, languages, locale_of, say
from pitbook.text.catalog import FOLDER, TextAreas, load_catalog
from pitbook.text.formats import CHIPS
from pitbook.text.sentences import sentence_json, translate_document

load = cache(pitbook.load)


def in_currency(code: str, sheet: str = CMS) -> Sheet:
    return pitbook.changed(load(sheet), {"house.currency": code})


@pytest.mark.parametrize("language", languages())
def test_every_language_writes_every_currency(language: str) -> None:
    currencies = TextAreas(FOLDER / language)["format"]["currencies"]
    assert set(currencies) == {*get_args(CurrencyCode), CHIPS}
    signs = {
        code: load_catalog(language, currency=code).conventions.currency.sign for code in currencies
    }
    assert len(set(signs.values())) == len(signs)


@pytest.mark.parametrize("sheet", [CMS, MHL])
def test_dollars_are_the_default_currency(sheet: str) -> None:
    plain, in_dollars = load(sheet), in_currency("USD", sheet)
    assert digest(in_dollars) == digest(plain)
    assert dump_sheet(in_dollars) == dump_sheet(plain)
    assert "currency" not in dump_sheet(plain)["body"]
    assert "currency" not in sheet_id(dump_sheet(plain))


def test_currency_is_part_of_the_rules_and_survives_storage() -> None:
    euros = in_currency("EUR")
    assert digest(euros) != digest(load(CMS))
    assert sheet_id(dump_sheet(euros))["currency"] == "EUR"


def test_an_unknown_currency_is_refused() -> None:
    with pytest.raises(pitbook.errors.SheetError, match="currency"):
        in_currency("XXX")


def refusal_for(amount: int) -> Refusal:
    no = pitbook.step(pitbook.open(in_currency("EUR")), Wager(1, "Ana", "ante", Cents(amount)))
    assert isinstance(no, Refusal)
    return no


@pytest.mark.parametrize(
    ("spoken", "amount", "expected"),
    [
        ("en", 200, "Ante: $2 at seat 1 is below the minimum. Bet $5 to $500."),
        (locale_of("en", "EUR"), 200, "Ante: €2 at seat 1 is below the minimum. Bet €5 to €500."),
        (
            locale_of("en", "GBP"),
            550,
            ("Ante: £5.50 at seat 1 is not a whole pound. Bet £5 or £6."),
        ),
        (
            locale_of("en", "USD"),
            550,
            "Ante: $5.50 at seat 1 is not a whole dollar. Bet $5 or $6.",
        ),
        (
            locale_of("es", "MXN"),
            550,
            "Ante: MX$5.50 en el puesto 1 no es un número entero de pesos. Apueste MX$5 o MX$6.",
        ),
    ],
)
def test_refusal_uses_the_sheets_currency(spoken: str, amount: int, expected: str) -> None:
    assert in_language(refusal_for(amount).message, spoken) == expected


def test_language_object_formats_a_given_currency() -> None:
    assert locale_of("es") == locale_of("es", None) == locale_of("es", "USD") == "es"
    assert locale_of("es/EUR", "GBP") == "es/GBP"
    assert locale_of("es/EUR") == "es"


def test_nested_sentences_use_the_same_currency() -> None:
    inner = say("words.bounds", least=500, most=50_000)
    document = {"told": [say("form.full", text=inner)], "amount": "5.00"}
    assert translate_document(document, locale_of("en", "EUR")) == {
        "told": ["€5 to €500."],
        "amount": "5.00",
    }
    assert sentence_json(say("form.full", text=inner), "en/EUR")["fields"] == {"text": "€5 to €500"}


def test_rules_text_names_a_currency_other_than_dollars() -> None:
    money_texts = [
        rule_text.sentence
        for rule_text in rule_texts(in_currency("EUR"))
        if rule_text.label == "Money"
    ]
    assert money_texts == ["money is in euros"]
    assert [in_language(money_text, "es") for money_text in money_texts] == [
        "el dinero está en euros"
    ]
    assert not [rule_text for rule_text in rule_texts(load(CMS)) if rule_text.label == "Money"]
