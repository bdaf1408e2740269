"""A headless Chromium, and the pages that are opened in it."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proctor.report.page.base import Page
from proctor.report.page.render import render

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
AXE = "axe-core@4.14"
ROOT = Path(__file__).parents[2]


class Opened:
    """A page in the browser, and what it said and asked for."""

    def __init__(self, tab: Any, path: Path) -> None:
        self.tab = tab
        self.said: list[str] = []
        self.asked: list[str] = []
        tab.on("console", lambda message: self.said.append(message.text))
        tab.on("pageerror", lambda error: self.said.append(str(error)))
        tab.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))
        tab.on("request", lambda request: self.asked.append(request.url))
        tab.add_init_script(
            "window.__long = []; new PerformanceObserver((list) => {"
            " for (const one of list.getEntries()) window.__long.push(one.duration);"
            "}).observe({ type: 'longtask', buffered: true });"
        )
        self.url = path.as_uri()
        tab.goto(self.url)

    def rows(self) -> list[str]:
        """Return the commands of the rows that are drawn."""
        return list(self.tab.locator(".row .name code").all_inner_texts())


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser; skips where none is installed."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open a page: `opened(page, color_scheme="dark")`."""
    contexts = []

    def open_page(page: Page, **settings: Any) -> Opened:
        settings = {"viewport": {"width": 1280, "height": 900}, "bypass_csp": False, **settings}
        context = chromium.new_context(**settings)
        contexts.append(context)
        path = tmp_path / f"report-{len(contexts)}.html"
        path.write_text(render(page), encoding="utf-8")
        return Opened(context.new_page(), path)

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The accessibility checker's script; skips where it cannot be had."""
    kept = ROOT / ".venv-node" / "node_modules" / "axe-core" / "axe.min.js"
    if kept.exists():
        return kept.read_text(encoding="utf-8")
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, and axe-core comes from there")
    folder = tmp_path_factory.mktemp("axe")
    done = subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts",
         "--prefix", str(folder), AXE],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip("axe-core cannot be installed: no registry")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
