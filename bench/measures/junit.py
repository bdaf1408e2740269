"""How fast a JUnit report is read, and how much memory a large one needs."""

import statistics
import sys
import time
from pathlib import Path

from measuring import grows, peak_memory, row

from proctor.results.read import read_summary

READ = (
    "from proctor.results.read import read_summary; import sys; read_summary(sys.argv[1], 'junit')"
)


def measure(folder: Path) -> None:
    """Measure the cases a second at three sizes, and the memory over 1 GB."""
    path = folder / "report.xml"
    for what, detailed in (("", False), (", every attempt kept", True)):
        costs = []
        for cases in (3000, 30_000, 300_000):
            write_cases(path, cases)
            costs.append((cases, statistics.median(reading(path, detailed) for _ in range(5))))
        speed = costs[-1][0] / costs[-1][1]
        row(f"JUnit: 100,000 cases a second ÷ speed{what}", 1, 100_000 / speed, cases_s=int(speed))
    grows("JUnit over cases", costs)
    with open(path, "w") as file:
        file.write('<testsuite name="long" tests="1000">')
        file.writelines(
            f'<testcase name="t{number}"><system-out>{"x" * 1_048_576}</system-out></testcase>'
            for number in range(1000)
        )
        file.write("</testsuite>")
    peak = peak_memory([sys.executable, "-c", READ, str(path)]) / 1024
    row("JUnit: peak memory over 1 GB (MiB)", 48, peak)
    path.unlink()


def write_cases(path: Path, cases: int) -> None:
    """Write a report of many cases, one in a hundred failed."""
    failure = '<failure message="AssertionError: assert {0} == 2">def test(): assert {0}</failure>'
    with open(path, "w") as file:
        file.write(f'<testsuites><testsuite name="pytest" tests="{cases}">')
        for number in range(cases):
            inner = failure.format(number) if number % 100 == 0 else ""
            file.write(
                f'<testcase classname="tests.test_{number // 50}" name="test_{number}" time="0.001">{inner}</testcase>'
            )
        file.write("</testsuite></testsuites>")


def reading(path: Path, detailed: bool) -> float:
    """Return the processor seconds of one reading."""
    began = time.process_time()
    read_summary(str(path), "junit", detailed=detailed)
    return time.process_time() - began
