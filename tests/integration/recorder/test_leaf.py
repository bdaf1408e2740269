"""What is taken from a leaf that ends: a report that another process still writes."""

import threading
import time
from pathlib import Path

import pytest

from proctor.classify.base import Classification
from proctor.recorder.image import Image
from proctor.recorder.leaf import look_at_end

BEGUN = "<testsuite><testcase name='a'/>"


@pytest.fixture
def image(tmp_path: Path) -> Image:
    image = Image(1, ["bats"], None)
    image.cwd = str(tmp_path)
    image.restart_clock()
    image.classification = Classification(image.argv, "bats", "test", "leaf")
    image.classification.report = ("junit", "out.xml")
    return image


def complete(image: Image, tmp_path: Path) -> object:
    report = look_at_end(image, None, str(tmp_path / "state"))["report"]
    return report["complete"] if isinstance(report, dict) else report


def test_a_report_is_waited_for_while_it_is_written(image: Image, tmp_path: Path) -> None:
    path = tmp_path / "out.xml"
    path.write_text(BEGUN)

    def finish() -> None:
        time.sleep(0.1)
        path.write_text(BEGUN + "</testsuite>")

    writer = threading.Thread(target=finish)
    writer.start()
    assert complete(image, tmp_path) is True
    writer.join()


def test_a_report_that_stays_unfinished_is_taken_as_it_is(image: Image, tmp_path: Path) -> None:
    (tmp_path / "out.xml").write_text(BEGUN)
    assert complete(image, tmp_path) is False


def test_a_report_that_nobody_wrote_is_not_waited_for(image: Image, tmp_path: Path) -> None:
    began = time.monotonic()
    assert complete(image, tmp_path) is None
    assert time.monotonic() - began < 0.4
