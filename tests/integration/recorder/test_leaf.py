"""What is taken from a leaf that ends: a report that another process still writes."""

import json
import os
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


def test_reports_beside_the_plugins_are_kept_too(image: Image, tmp_path: Path) -> None:
    live = tmp_path / "live"
    live.mkdir()
    name = f"{os.getpid()}-{image.pid_start}"
    image.pid = os.getpid()
    plugin = {"schema": "proctor.pytest/1", "complete": True, "tests": [["a", "passed"]]}
    (live / f"{name}.json").write_text(json.dumps(plugin))
    (live / f"{name}.xml").write_text("<testsuite/>")
    (tmp_path / "out.xml").write_text(BEGUN + "</testsuite>")
    (tmp_path / "named.trx").write_text("<TestRun/>")
    named = str(tmp_path / "named.trx")
    report = look_at_end(image, str(live), str(tmp_path / "state"), named)["report"]
    assert isinstance(report, dict)
    assert (report["format"], report["source"]) == ("proctor_pytest", None)
    assert [(one["format"], one["source"]) for one in report["also"]] == [
        ("junit", None),
        ("junit", str(tmp_path / "out.xml")),
        ("trx", named),
    ]


def test_a_report_that_only_the_options_name_is_counted(image: Image, tmp_path: Path) -> None:
    assert image.classification is not None
    image.classification.report = None
    (tmp_path / "my.xml").write_text(BEGUN + "</testsuite>")
    report = look_at_end(image, None, str(tmp_path / "state"), str(tmp_path / "my.xml"))["report"]
    assert isinstance(report, dict)
    assert report["executed"] == 1
