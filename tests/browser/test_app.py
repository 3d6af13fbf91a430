"""The page as an app: it can be installed, and without a line it does what it says it does."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import FilePayload, Page, expect
from tests.browser.between import Between
from tests.browser.conftest import Visit
from tests.browser.house import House
from tests.browser.player import Game, Player
from tests.swallowing import Proxy

STUD = "catfish-bend/mississippi-stud"
LONG_MS = 120_000
WORKING = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"
SEEN = (
    *("/api/glossary", "/api/drills", "/api/drills/packet"),
    *(f"/api/sheets/{STUD}", f"/api/sheets/{STUD}/lesson"),
)
KEPT = """(paths) => caches.open("pitbook-seen").then((cache) => cache.keys()).then((all) => {
  const kept = all.map((one) => new URL(one.url).pathname);
  return paths.every((path) => kept.includes(path));
})"""


@pytest.fixture
def line(house: House) -> Iterator[Proxy]:
    """A way to the house that can be cut, whatever the browser thinks of its own network."""
    made = Proxy(house.port)
    yield made
    made.close()


def installed(page: Page) -> None:
    """Until the worker has the page."""
    page.goto("/glossary")
    page.wait_for_function(WORKING)


def test_what_an_installed_page_needs_is_there(house: House, visit: Visit) -> None:
    page = visit()
    page.goto("/glossary")
    link = page.locator("link[rel=manifest]").get_attribute("href")
    told = page.context.request.get(link or "").json()
    assert told["display"] == "standalone"
    for icon in told["icons"]:
        answer = page.context.request.get(icon["src"])
        assert answer.ok, icon
        assert answer.headers["content-type"].startswith(icon["type"])
    assert page.context.request.get("/icons/..%2Findex.html").status == 404


def test_rules_lessons_and_proofs_work_offline_and_the_page_says_what_does_not(
    line: Proxy, visit: Visit, games: dict[str, Game]
) -> None:
    page = visit(at=line.address, fresh=True, service_workers="allow")
    installed(page)
    player = Player(page)
    player.sit_down(games[STUD])
    player.round(games[STUD])
    name = player.view()["table"]
    proof = page.context.request.get(f"/api/tables/{name}/rounds/{name}-000001/proof").json()
    page.goto(f"/rules/{STUD}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mississippi Stud")
    page.goto(f"/learn/{STUD}")
    # The figures of the rules are worked out first, by the same thread.
    expect(page.get_by_role("heading", level=2, name="Bet")).to_be_visible(timeout=LONG_MS)
    with page.expect_response("**/api/drills/packet*"):
        page.goto("/train")
    page.wait_for_function(KEPT, arg=list(SEEN))  # An answer is shown before it is kept.

    line.close()
    page.goto(f"/rules/{STUD}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mississippi Stud")
    expect(page.get_by_text("The house does not answer.")).to_be_visible()
    page.goto(f"/learn/{STUD}")
    expect(page.get_by_role("heading", level=2, name="Bet")).to_be_visible()
    page.goto("/verify")
    file: FilePayload = {
        "name": "p.json",
        "mimeType": "application/json",
        "buffer": json.dumps(proof).encode(),
    }
    page.get_by_label("The proof's file").set_input_files(files=file)
    expect(page.get_by_text("The record agrees with the shoe.")).to_be_visible()
    page.goto("/train")
    page.get_by_label("Odds by heart").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("These saved questions do not count")).to_be_visible()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Correct answer:")).to_be_visible()
    for path in ("/rules/classic/casino-war", "/learn/classic/casino-war"):  # Not seen before.
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("It cannot be shown now")
    page.goto("/care")
    expect(page.get_by_role("main")).to_contain_text("cannot be reached")
    page.goto("/coach")
    expect(page.get_by_role("alert").first).to_contain_text("cannot be reached")
    kept = page.evaluate(
        "() => caches.keys().then(all => Promise.all(all.map(one => caches.open(one)"
        ".then(cache => cache.keys())))).then(all => all.flat().map(one => one.url))"
    )
    personal: tuple[str, ...] = (
        "/api/me",
        "/api/coach",
        "/api/rounds",
        "/api/tables",
        "/api/care",
        "/api/daily",
    )
    personal += ("/api/drills/progress", "/api/table-tests", "/api/attempts", "/api/class")
    assert [url for url in kept if any(one in url for one in personal)] == []


def test_a_house_that_does_not_answer_is_told_until_it_does(house: House, visit: Visit) -> None:
    """Its server is down while the network is up; a browser calls that online."""
    page = visit(fresh=True)
    page.clock.install()
    page.goto("/glossary")
    told = page.get_by_text("The house does not answer.")
    page.get_by_role("heading", level=1).wait_for()
    expect(told).to_have_count(0)
    between = Between(page.context, "**/api/**")
    between.answers(lambda asked: asked.abort())
    page.evaluate(
        "history.pushState(null, '', '/learn'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(told).to_be_visible()
    between.steps_aside()
    page.clock.run_for(5_000)
    expect(told).to_have_count(0)


def test_a_browser_without_a_network_says_so_at_once(visit: Visit) -> None:
    page = visit(fresh=True)
    page.goto("/glossary")
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_text("You are offline.")).to_have_count(0)


def test_the_back_button_goes_back(visit: Visit) -> None:
    page = visit()
    page.goto("/learn")
    page.locator(f'a[href="/learn/{STUD}"]').click()
    expect(page.get_by_role("heading", level=2, name="Bet")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Learn a game")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", level=2, name="Bet")).to_be_visible()
    page.goto(f"/explore/{STUD}?cards=As+Ah")
    expect(page.get_by_role("row", name="3x")).to_be_visible()
    assert page.url.endswith("?cards=As+Ah")
