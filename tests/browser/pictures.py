"""Takes the pictures that the README shows: `python -m tests.browser.pictures [SCENE…]`.

Each scene is played with the real recorder, and the real page opened in Chromium.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.browser.conftest import FLAGS, ROOT
from tests.cheats import flakes, oracle
from tests.cheats.stage import GREEN, RED, Stage

PICTURES = ROOT / "docs" / "pictures"
POLICY = '[[require]]\nname = "unit"\ncommand = ["python", "-m", "pytest", "-q"]\n'
SIZES = {"wide": (1120, 800), "narrow": (400, 800)}


REPORT = ("report", "--format", "html")


def masked_failure(stage: Stage) -> Sequence[str]:
    """The shell says 0, the runner says 1."""
    stage.put("tests/test_shop.py", RED)
    stage.put("proctor.toml", POLICY)
    stage.commit()
    stage.line("python -m pytest -q 2>&1 | tail -3")
    return REPORT


def honest_pass(stage: Stage) -> Sequence[str]:
    """The owed tests ran on the files as they are."""
    stage.put("tests/test_shop.py", GREEN)
    stage.put("proctor.toml", POLICY)
    stage.commit()
    stage.run("python", "-m", "pytest", "-q")
    return REPORT


def oracle_demo(stage: Stage) -> Sequence[str]:
    """Two builds of a small store behave differently, and nine tests see nothing."""
    stage.repo = stage.repo.rename(stage.folder / "kv")
    shutil.copytree(ROOT / "examples" / "kv", stage.repo, dirs_exist_ok=True)
    stage.commit()
    return ("oracle", "check", "--old", "old", "--new", "new", "--format", "html")


def flake_quarantine(stage: Stage) -> Sequence[str]:
    """A test that is known to be flaky fails, and its failure is explained."""
    flakes.freeze(stage)
    flakes.patch(stage)
    flakes.fail(stage)
    return (
        *REPORT, "--base", "origin/main", "--quarantine", "quarantine.txt",
        "--oracle", oracle.report_of(stage),
    )  # fmt: skip


SCENES: dict[str, Callable[[Stage], Sequence[str]]] = {
    "masked-failure": masked_failure,
    "honest-pass": honest_pass,
    "oracle-demo": oracle_demo,
    "flake-quarantine": flake_quarantine,
}
"""Each plays a scene and returns the command that writes its page."""
TO_THE_TOP = "(one) => one.scrollIntoView({ behavior: 'instant' })"
BELOW = {"oracle-demo": "[data-list='list-deltas-1']", "flake-quarantine": "#tests"}
"""Pages of which a second part is shown where there is room, and where it begins."""


def main(names: Sequence[str] = ()) -> None:
    """Play every scene and take its pictures, light and dark, wide and narrow."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        program = shutil.which("chromium") or "chromium"
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        for name in names or SCENES:
            stage = Stage(Path(folder) / name)
            stage.repo = stage.repo.rename(stage.folder / "shop")
            report = stage.folder / "report.html"
            stage.proctor(*SCENES[name](stage), "-o", str(report))
            for size, (width, height) in SIZES.items():
                for scheme in ("light", "dark"):
                    tab = browser.new_page(
                        viewport={"width": width, "height": height},
                        color_scheme="dark" if scheme == "dark" else "light",
                    )
                    tab.goto(report.as_uri())
                    tab.screenshot(path=PICTURES / f"{name}-{size}-{scheme}.png")
                    if (below := BELOW.get(name)) and size == "wide":
                        tab.locator(below).evaluate(TO_THE_TOP)
                        tab.screenshot(path=PICTURES / f"{name}-below-{size}-{scheme}.png")
                    tab.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
