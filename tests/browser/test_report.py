"""The report as a browser shows it: nothing from outside, nothing too wide."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skillbank.reports.build import view_of
from skillbank.reports.page import render
from tests.skillbank.reports.builders import draw, material

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the package playwright is not installed"
)
pytestmark = pytest.mark.browser


@pytest.fixture
def browser(chromium: str) -> Iterator[object]:
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def address(tmp_path: Path) -> str:
    path = tmp_path / "report.html"
    path.write_text(render(view_of(material(), draw)), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("width", [400, 800, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_as_wide_as_the_window_and_asks_for_nothing(
    browser, address, width, scheme
):
    page = browser.new_page(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))

    page.goto(address)

    assert [url for url in asked if not url.startswith("data:")] == [address]
    assert said == []
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == width
    broken = "[...document.images].filter(i => !i.complete || !i.naturalWidth).length"
    assert page.evaluate(broken) == 0


def test_an_anchor_leads_to_its_proposal_and_the_votes_open_without_a_script(
    browser, address
):
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(address)

    page.locator(".index").get_by_role("link", name="price-ribbon").click()
    article = page.locator("article:target")
    article.get_by_text("4 cases, every vote").click()

    assert "mint price-ribbon" in article.inner_text()
    assert article.get_by_role(
        "columnheader", name="candidate first"
    ).first.is_visible()
