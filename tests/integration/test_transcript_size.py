"""Transcripts of any size are read in flat memory, documents too."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
READ = """
import sys
from proctor.audit.look import Request, audit
report = audit(Request(paths=tuple(sys.argv[1:])))
print(report.totals.tests, report.skipped, report.bytes_read)
status = open("/proc/self/status").read()
print(status.partition("VmHWM:")[2].split()[0])
"""
# NOTE: VmHWM, not ru_maxrss: a process inherits the latter from the one that forked it.
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
LAYOUTS = (
    *("claude_code.jsonl", "codex.jsonl", "copilot_cli.jsonl", "gemini_cli.jsonl"),
    *("gemini_cli.json", "opencode.json", "mini_swe_agent.traj.json", "swe_agent.traj"),
    *("cline.json", "otlp.json"),
)


def _generate(folder: Path, megabytes: int, name: str) -> Path:
    script = ROOT / "bench" / "transcripts.py"
    argv = [sys.executable, str(script), str(folder), str(megabytes), name]
    subprocess.run(argv, check=True)
    return folder / name


def _audited(path: Path) -> tuple[int, int, int, int]:
    """Return tests, parts skipped, bytes read and the peak memory in MiB."""
    argv = [sys.executable, "-c", READ, str(path)]
    done = subprocess.run(argv, check=True, capture_output=True, text=True)
    tests, skipped, size, peak = map(int, done.stdout.split())
    return tests, skipped, size, peak // 1024


@pytest.mark.parametrize(
    "megabytes",
    [pytest.param(2, marks=pytest.mark.heavy), pytest.param(5, marks=pytest.mark.large)],
)
@pytest.mark.parametrize("name", LAYOUTS)
def test_memory_does_not_grow_with_a_transcript(name: str, megabytes: int, tmp_path: Path) -> None:
    small = _audited(_generate(tmp_path / "small", megabytes, name))
    large_path = _generate(tmp_path / "large", 12 * megabytes, name)
    large = _audited(large_path)
    large_path.unlink()
    assert large[0] > 8 * small[0] > 0
    assert small[1] == large[1] == 0
    assert large[3] <= small[3] + 30


@pytest.mark.large
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", ["claude_code.jsonl", "cline.json"])
def test_a_gigabyte_is_read_in_flat_memory(name: str, tmp_path: Path) -> None:
    path = _generate(tmp_path, 1000, name)
    tests, skipped, size, peak = _audited(path)
    path.unlink()
    assert size >= 10**9
    assert tests > 1000
    assert skipped == 0
    assert peak <= 120


def test_memory_is_small_for_a_small_document(tmp_path: Path) -> None:
    tests, skipped, _, peak = _audited(_generate(tmp_path, 3, "opencode.json"))
    assert tests > 0
    assert skipped == 0
    assert peak <= 100
