"""The page as an app: it can be installed, and it works offline as far as it says."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import FilePayload, Page, expect
from tests.browser.conftest import Visit
from tests.browser.player import Game, Player
from tests.browser.proxy import Interceptor
from tests.browser.server import House
from tests.house.dropping_proxy import DroppingProxy

STUD = "catfish-bend/mississippi-stud"
LONG_MS = 120_000
WORKING = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"
CACHED_PATHS = (
    *("/api/glossary", "/api/drills", "/api/drills/packet"),
    *(f"/api/sheets/{STUD}", f"/api/sheets/{STUD}/lesson"),
)
IS_CACHED = """(paths) => caches.open("pitbook-seen").then((cache) => cache.keys()).then((all) => {
  const kept = all.map((one) => new URL(one.url).pathname);
  return paths.every((path) => kept.includes(path));
})"""


@pytest.fixture
def proxy(house: House) -> Iterator[DroppingProxy]:
    """A connection to the house that a test can cut."""
    proxy_to_house = DroppingProxy(house.port)
    yield proxy_to_house
    proxy_to_house.close()


def install_worker(page: Page) -> None:
    """Wait until the service worker controls the page."""
    page.goto("/glossary")
    page.wait_for_function(WORKING)


def test_manifest_and_icons_are_served(house: House, visit: Visit) -> None:
    page = visit()
    page.goto("/glossary")
    link = page.locator("link[rel=manifest]").get_attribute("href")
    manifest = page.context.request.get(link or "").json()
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        answer = page.context.request.get(icon["src"])
        assert answer.ok, icon
        assert answer.headers["content-type"].startswith(icon["type"])
    assert page.context.request.get("/icons/..%2Findex.html").status == 404


def test_rules_lessons_and_proofs_work_offline(
    proxy: DroppingProxy, visit: Visit, games: dict[str, Game]
) -> None:
    page = visit(at=proxy.address, fresh=True, service_workers="allow")
    install_worker(page)
    player = Player(page)
    player.sit_down(games[STUD])
    player.round(games[STUD])
    name = player.view()["table"]
    proof = page.context.request.get(f"/api/tables/{name}/rounds/{name}-000001/proof").json()
    page.goto(f"/rules/{STUD}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mississippi Stud")
    page.goto(f"/learn/{STUD}")
    # The figures of the rules are computed first, on the same thread.
    expect(page.get_by_role("heading", level=2, name="Bet")).to_be_visible(timeout=LONG_MS)
    with page.expect_response("**/api/drills/packet*"):
        page.goto("/train")
    # An answer is shown before it is cached.
    page.wait_for_function(IS_CACHED, arg=list(CACHED_PATHS))

    proxy.close()
    page.goto(f"/rules/{STUD}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Mississippi Stud")
    expect(page.get_by_text("The server isn't responding.")).to_be_visible()
    page.goto(f"/learn/{STUD}")
    expect(page.get_by_role("heading", level=2, name="Bet")).to_be_visible()
    page.goto("/verify")
    file: FilePayload = {
        "name": "p.json",
        "mimeType": "application/json",
        "buffer": json.dumps(proof).encode(),
    }
    page.get_by_label("Proof file").set_input_files(files=file)
    expect(page.get_by_text("Verified: this round matches the shuffle.")).to_be_visible()
    page.goto("/train")
    page.get_by_label("Odds by heart").check()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("These saved questions do not count")).to_be_visible()
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Correct answer:")).to_be_visible()
    for path in ("/rules/classic/casino-war", "/learn/classic/casino-war"):  # Not seen before.
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text("This can't be shown now")
    page.goto("/care")
    expect(page.get_by_role("main")).to_contain_text("can't be reached")
    page.goto("/coach")
    expect(page.get_by_role("alert").first).to_contain_text("can't be reached")
    cached_urls = page.evaluate(
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
    assert [url for url in cached_urls if any(path in url for path in personal)] == []


def test_unreachable_house_is_shown_until_it_answers(house: House, visit: Visit) -> None:
    """The server is down while the network is up; the browser calls that online."""
    page = visit(fresh=True)
    page.clock.install()
    page.goto("/glossary")
    warning = page.get_by_text("The server isn't responding.")
    page.get_by_role("heading", level=1).wait_for()
    expect(warning).to_have_count(0)
    between = Interceptor(page.context, "**/api/**")
    between.answer_with(lambda route: route.abort())
    page.evaluate(
        "history.pushState(null, '', '/learn'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(warning).to_be_visible()
    between.pass_through()
    page.clock.run_for(5_000)
    expect(warning).to_have_count(0)


def test_offline_browser_is_shown(visit: Visit) -> None:
    page = visit(fresh=True)
    page.goto("/glossary")
    page.get_by_role("heading", level=1).wait_for()
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.get_by_text("You are offline.")).to_be_visible()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_text("You are offline.")).to_have_count(0)


def test_back_button_works(visit: Visit) -> None:
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
