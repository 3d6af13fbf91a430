"""A paper that is read on the page is set in the house's type, as its PDF is."""

from __future__ import annotations

from tests.browser.conftest import Visit

LOADED = """async () => {
  await document.fonts.ready;
  return [...document.fonts].filter((one) => one.status === "loaded").map((one) => one.family);
}"""


def test_a_paper_on_the_page_has_the_type_of_its_pdf(visit: Visit) -> None:
    page = visit()
    page.goto("/api/papers/catfish-bend/mississippi-stud/sign/read")
    assert {one.strip('"') for one in page.evaluate(LOADED)} == {"Besley", "Archivo"}
