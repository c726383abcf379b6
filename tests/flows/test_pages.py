"""What a person sees of Prefect: the deployment and its form, from no other host."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, sync_playwright

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: str) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"]
        )
        yield browser.new_page(viewport={"width": 1280, "height": 1000})
        browser.close()


def test_the_weekly_deployment_can_be_run_from_a_typed_form(page: Page, tmp_path: Path):
    hosts: set[str] = set()

    def note(request: Request) -> None:
        hosts.add(request.url.split("/")[2].split(":")[0])

    page.on("request", note)
    environment = {k: v for k, v in os.environ.items() if k != "PREFECT_API_URL"}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.flows.served", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[4].rstrip(";")
        try:
            page.goto(address)
            link = page.get_by_role("link", name="weekly", exact=True).first
            while not link.is_visible():  # the page is up before the deployment is
                page.wait_for_timeout(500)
                page.reload()
                page.wait_for_timeout(1500)
            link.click()
            page.get_by_text("At 06:00 AM, only on Monday").first.wait_for()
            page.get_by_role("button", name="Run", exact=True).click()
            page.get_by_text("Custom run").first.click()
            page.get_by_text("Name of the one who is greeted.").first.wait_for()
            page.screenshot(path=tmp_path / "form.png")
        finally:
            process.terminate()

    assert hosts == {"127.0.0.1"}
