"""A paper read on the page uses the fonts of its PDF and breaks no short words."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Visit
from tests.browser.page_build import script

LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter((one) => one.status === "loaded").map((one) => one.family);
}"""


def test_paper_on_the_page_uses_the_fonts_of_its_pdf(visit: Visit) -> None:
    page = visit()
    page.goto("/api/papers/catfish-bend/mississippi-stud/sign/read")
    assert {family.strip('"') for family in page.evaluate(LOADED)} == {"Besley", "Archivo"}


@pytest.mark.parametrize("paper", ["rules", "report"])
def test_paper_breaks_no_short_words_on_a_phone(visit: Visit, paper: str) -> None:
    page = visit(width=360, height=740)
    page.goto(f"/api/papers/catfish-bend/matchem-hi-lo/{paper}/read")
    assert page.locator("td").count()
    assert page.evaluate(script("broken_words")) == []
