"""Links handed to people, unknown addresses, and the API page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Visit
from tests.browser.proxy import Interceptor
from tests.browser.server import House
from tests.browser.spanish import english_left, in_spanish
from tests.house.web.conftest import PASSWORD

NEW = "quite another one"


def create_invitation(house: House, role: str) -> str:
    answer = house.supervisor.post("/api/invitations", json={"role": role})
    return str(answer.json()["path"])


def accept_invitation(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()


@pytest.mark.slow_cases("auditor-/pit", "organiser-/night", "supervisor-/pit")
@pytest.mark.parametrize(
    ("role", "leads"),
    [("supervisor", "/pit"), ("auditor", "/pit"), ("organiser", "/night"), ("player", "/")],
)
def test_invitation_leads_to_the_role_s_page(
    role: str, leads: str, house: House, visit: Visit
) -> None:
    page = visit()
    path = create_invitation(house, role)
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome")
    some = "an" if role[0] in "ao" else "a"
    expect(page.locator("main")).to_contain_text(f"to become {some} {role}. This link works once.")
    accept_invitation(page, f"come-in-{role}")
    page.wait_for_url(f"**{leads}")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.go_back()
    assert path not in page.url, "a link that is used up is not on the way back"
    gone = page.goto(path)
    assert gone is not None
    assert gone.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("This link no longer works")
    expect(
        page.get_by_text("This invitation has been used, has expired or was not")
    ).to_be_visible()
    page.get_by_role("link", name="To the lobby", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("^Practice")).first).to_be_enabled()


def test_invalid_name_or_password_can_be_corrected(house: House, visit: Visit) -> None:
    page = visit()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.headers.get("referer", "")))
    page.goto(create_invitation(house, "dealer"))
    page.get_by_label("Name").fill("link-dealer")
    password = page.get_by_label("Password", exact=True)
    password.fill("iloveyou")
    assert password.get_attribute("type") == "password"
    page.get_by_label("Show password").check()
    assert password.get_attribute("type") == "text"
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"^Not yet: .+\.$"))
    between = Interceptor(page, "**/api/invitations/*")
    between.answer_with(lambda route: route.abort())
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The server isn't responding. Try again in a moment."
    )
    between.pass_through()
    accept_invitation(page, "link-dealer")
    page.wait_for_url("**/")
    assert set(sent) == {""}, "nobody is sent the link's address"


def test_reset_link_sets_a_new_password(house: House, visit: Visit) -> None:
    page = visit()
    name = house.player("forgetful")
    path = house.supervisor.post("/api/resets", json={"name": name}).json()["path"]
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("New password")
    expect(page.get_by_text(f"For {name}. This link works once")).to_be_visible()
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set password").click()
    page.wait_for_url("**/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(NEW)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.goto(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("This link no longer works")


@pytest.mark.parametrize("path", ["/rounds/", "/index.php"])
def test_unknown_address_leads_back(path: str, visit: Visit) -> None:
    page = visit()
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.get_by_text("The address may be mistyped, or the page may be gone")).to_be_visible()
    page.get_by_role("link", name="Your rounds").click()
    expect(page).to_have_url(re.compile("/rounds$"))


def test_api_page_is_readable(house: House, visit: Visit) -> None:
    page = visit()
    page.goto("/api/docs#socket")
    expect(page.get_by_role("heading", level=1)).to_have_text("The API of this house")
    expect(page.get_by_role("heading", name="The socket")).to_be_in_viewport()
    described = house.get("/api/openapi.json")["paths"]
    routes = {
        f"{method.upper()} {path}" for path, methods in described.items() for method in methods
    }
    names = page.locator("article").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert sorted(names) == sorted(routes)

    def article(name: str) -> str:
        return page.get_by_role("article", name=name, exact=True).inner_text()

    for route, audience in [
        ("POST /api/practice", "For anybody."),
        ("POST /api/tables/{table}/commands", "For anyone signed in, including guests."),
        ("GET /api/pit/drop", "For auditors and supervisors."),
        ("POST /api/cage/buy-in", "For cashiers and supervisors."),
    ]:
        assert audience in article(route)
    assert page.get_by_text("For nobody").count() == 0
    assert '"sheet": "catfish-bend/mississippi-stud"' in article("POST /api/practice")
    assert "correct horse battery staple" in article("POST /api/sign-in"), "its examples are shown"
    command = page.get_by_role("article", name="POST /api/tables/{table}/commands", exact=True)
    command.get_by_text("It answers").click()
    expect(command).to_contain_text('"accepted": {')
    page.get_by_role("navigation", name="Parts").get_by_role("link", name="Cage").click()
    expect(page.get_by_role("heading", name="Cage", exact=True)).to_be_in_viewport()


@pytest.mark.slow
def test_links_and_api_page_are_in_spanish(house: House, visit: Visit) -> None:
    """Except the API's own description, which is in English for programmers."""
    page = visit(fresh=True)
    in_spanish(page)
    english: dict[str, list[str]] = {}
    for path, title in [
        (create_invitation(house, "organiser"), "Bienvenido"),
        ("/api/resets/none", "Este enlace ya no sirve"),
        ("/index.php", "Página no encontrada"),
        ("/api/docs", "La API de esta casa"),
    ]:
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        if path == "/api/docs":
            page.get_by_role("heading", name="El socket").wait_for()
            page.evaluate(REMOVE_ENGLISH)
        english[path] = english_left(page, ())
    assert not any(english.values()), english


# Remove what is marked as English, paths and examples, as a screen reader would skip them.
REMOVE_ENGLISH = """() => {
  for (const one of document.querySelectorAll("[lang=en], pre, code")) one.remove();
  for (const one of document.querySelectorAll("article")) one.removeAttribute("aria-label");
}"""


@pytest.mark.slow
def test_rules_and_lab_are_in_spanish(house: House, visit: Visit) -> None:
    """Titles, houses and wagers are names, and documents are cited by their titles."""
    page = visit(fresh=True)
    in_spanish(page)
    sheets = house.get("/api/sheets")["sheets"]
    names = (*NAMES, *(sheet[name] for sheet in sheets for name in ("title", "venue")))
    page.goto("/rules/catfish-bend/mississippi-stud")
    page.get_by_role("table").nth(2).get_by_text("%").first.wait_for()
    english = {"rules": english_left(page, names)}
    page.goto("/lab/catfish-bend/mississippi-stud")
    page.get_by_role("table", name="Ventaja de la casa de cada apuesta").wait_for()
    page.get_by_role("textbox", name="Color", exact=True).first.fill("7:1")
    page.get_by_text("en su mesa").wait_for()
    english["lab"] = english_left(page, names)
    page.get_by_role("textbox", name="Color", exact=True).first.fill("siete")
    page.get_by_text("Corríjalo para ver").wait_for()
    english["marked"] = english_left(page, names)
    page.goto("/clause/CMS-12")
    page.get_by_role("heading", name="Cláusula CMS-12").wait_for()
    assert not any(english.values()), english


NAMES = (
    *("Rules of the Game/Procedures", "Iowa Racing and Gaming Commission"),
    *("3 Card Bonus", "Flop bet", "Turn bet", "River bet", "push"),
)
