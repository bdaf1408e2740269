"""Takes the pictures that the README shows: `python -m tests.browser.pictures`.

Each scene is played with the real recorder, and the real page opened in Chromium.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.browser.conftest import FLAGS, ROOT
from tests.cheats.stage import GREEN, RED, Stage

PICTURES = ROOT / "docs" / "pictures"
POLICY = '[[require]]\nname = "unit"\ncommand = ["python", "-m", "pytest", "-q"]\n'
SIZES = {"wide": (1120, 800), "narrow": (400, 800)}


def masked_failure(stage: Stage) -> None:
    """The shell says 0, the runner says 1."""
    stage.put("tests/test_shop.py", RED)
    stage.put("proctor.toml", POLICY)
    stage.commit()
    stage.line("python -m pytest -q 2>&1 | tail -3")


def honest_pass(stage: Stage) -> None:
    """The owed tests ran on the files as they are."""
    stage.put("tests/test_shop.py", GREEN)
    stage.put("proctor.toml", POLICY)
    stage.commit()
    stage.run("python", "-m", "pytest", "-q")


SCENES: dict[str, Callable[[Stage], None]] = {
    "masked-failure": masked_failure,
    "honest-pass": honest_pass,
}


def main() -> None:
    """Play every scene and take its pictures, light and dark, wide and narrow."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        program = shutil.which("chromium") or "chromium"
        browser = driver.chromium.launch(executable_path=program, args=list(FLAGS))
        for name, play in SCENES.items():
            stage = Stage(Path(folder) / name)
            stage.repo = stage.repo.rename(stage.folder / "shop")
            play(stage)
            report = stage.folder / "report.html"
            stage.proctor("report", "--format", "html", "-o", str(report))
            for size, (width, height) in SIZES.items():
                for scheme in ("light", "dark"):
                    tab = browser.new_page(
                        viewport={"width": width, "height": height},
                        color_scheme="dark" if scheme == "dark" else "light",
                    )
                    tab.goto(report.as_uri())
                    tab.screenshot(path=PICTURES / f"{name}-{size}-{scheme}.png")
                    tab.close()
        browser.close()


if __name__ == "__main__":
    main()
