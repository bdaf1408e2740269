"""The verbs of `proctor oracle` as a person types them, on good and bad input."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Proctor
from tests.integration.oracle.builds import Pair
from tests.integration.oracle.test_check import LENIENT, STORE

HELPFUL = """\
#!{python} -I
import argparse
main = argparse.ArgumentParser(prog="kv")
verbs = main.add_subparsers(dest="verb", required=True)
put = verbs.add_parser("put", help="store a value")
put.add_argument("key", metavar="KEY")
put.add_argument("value", metavar="VALUE")
put.add_argument("--force", action="store_true", help="overwrite")
verbs.add_parser("show", help="show all").add_argument("--limit", metavar="COUNT")
print(vars(main.parse_args()))
"""


@pytest.fixture
def project(proctor: Proctor, tmp_path: Path) -> Pair:
    del proctor
    pair = Pair(tmp_path / "p")
    pair.builds(STORE, LENIENT).corpus([["set", "a", "1"], ["set", "e", ""], ["get", "e"]])
    pair.put(
        "proctor.toml", '[oracle]\ncommand = ["{build}/tool"]\nsandbox = "folders"\nreruns = 1\n'
    )
    return pair


def test_init_reads_the_help_and_writes_thirty_lines(proctor: Proctor, tmp_path: Path) -> None:
    program = tmp_path / "kv"
    program.write_text(HELPFUL.format(python=sys.executable))
    program.chmod(0o755)
    dry = proctor("oracle", "init", "--dry-run", "--", "./kv", cwd=tmp_path)
    assert dry.returncode == 0, dry.stderr
    assert not (tmp_path / "oracle").exists()
    done = proctor("oracle", "init", "--", "./kv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    settings = (tmp_path / "proctor.toml").read_text()
    assert 'command = ["{build}/kv"]' in settings
    assert 'args = ["key", "value"]' in settings
    assert '"--limit=count"' in settings
    assert settings.count("[oracle.masks]") == 1
    lines = (tmp_path / "oracle" / "corpus.jsonl").read_text().splitlines()
    assert len(lines) == 30
    assert json.loads((tmp_path / "oracle" / "policy.json").read_text())["allowed"] == []
    again = proctor("oracle", "init", "--", "./kv", cwd=tmp_path)
    assert (again.returncode, (tmp_path / "proctor.toml").read_text()) == (0, settings)


def test_init_without_a_program_asks_for_one(proctor: Proctor, tmp_path: Path) -> None:
    done = proctor("oracle", "init", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (64, 1)
    (tmp_path / "package.json").write_text('{"bin": "cli.js"}')
    (tmp_path / "cli.js").write_text("console.log('usage')")
    done = proctor("oracle", "init", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'command = ["node", "{build}/cli.js"]' in (tmp_path / "proctor.toml").read_text()


def test_pin_finds_what_varies_by_itself(proctor: Proctor, project: Pair) -> None:
    noisy = 'echo "now=$(date +%N) zone=$(date -d @0 +%H) loc=$LC_ALL long=$(pwd | wc -c)"'
    line = {"seed": "A", "steps": [["x"]], "files": {"b": "1", "a": "2"}}
    project.builds(noisy, noisy).corpus(line)
    done = proctor("oracle", "pin", "--old", "old", cwd=project.folder)
    assert done.returncode == 0, done.stderr
    lock = json.loads((project.folder / "oracle" / "oracle.lock").read_text())
    found = {one["field"]: one["axis"] for one in lock["varies"]}
    assert found == {
        "stdout.now": "again",
        "stdout.zone": "tz",
        "stdout.loc": "locale",
        "stdout.long": "cwd_length",
    }
    assert "varies from run to run: A 1 stdout.now" in done.stdout
    assert lock["corpus_sha256"]


def test_a_corpus_that_is_not_what_was_pinned_is_drift(proctor: Proctor, project: Pair) -> None:
    assert proctor("oracle", "pin", "--no-vary", cwd=project.folder).returncode == 0
    project.corpus([["get", "a"]])
    done = proctor("oracle", "check", "--old", "old", "--new", "new", cwd=project.folder)
    assert done.returncode == 1
    assert "corpus drift: " in done.stdout


def test_record_runs_and_keeps_what_was_typed(proctor: Proctor, project: Pair) -> None:
    words = ["oracle", "record", "--seed", "R", "--", "old/tool", "get", "zz"]
    done = proctor(*words, cwd=project.folder, input="")
    assert (done.returncode, done.stdout) == (0, "key=zz|hit=false\n")
    assert "seed R added to oracle/corpus.jsonl (exit code 0)" in done.stderr
    last = (project.folder / "oracle" / "corpus.jsonl").read_text().splitlines()[-1]
    assert json.loads(last) == {"seed": "R", "steps": [["get", "zz"]]}
    wrong = proctor("oracle", "record", "--", "ls", cwd=project.folder, input="")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (65, 1)


def test_recorded_spans_become_sequences(proctor: Proctor, project: Pair) -> None:
    for words in (["get", "a"], ["set", "k", "1"], ["get", "a"]):
        proctor("run", "--", "old/tool", *words, cwd=project.folder)
    done = proctor("log", "--to-corpus", cwd=project.folder)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["steps"] for row in rows] == [[["get", "a"]], [["set", "k", "1"]]]
    with open(project.folder / "oracle" / "corpus.jsonl", "a", encoding="utf-8") as file:
        file.write(done.stdout)
    assert proctor("log", "--to-corpus", cwd=project.folder).returncode == 2


def test_shrink_prints_what_can_be_pasted(proctor: Proctor, project: Pair) -> None:
    words = ["oracle", "shrink", "A", "--step", "3", "--old", "old", "--new", "new"]
    done = proctor(*words, cwd=project.folder)
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == ["./tool set e", "./tool get e"]
    same = proctor("oracle", "shrink", "A", "--old", "old", "--new", "old", cwd=project.folder)
    assert (same.returncode, same.stdout) == (0, "A: the builds do the same\n")


def test_a_draft_goes_from_a_report_to_the_policy(proctor: Proctor, project: Pair) -> None:
    report = str(project.folder / "report.json")
    check = ["oracle", "check", "--old", "old", "--new", "new"]
    done = proctor(*check, "--format", "json", "--output", report, cwd=project.folder)
    assert done.returncode == 1, done.stderr
    policy = project.folder / "oracle" / "policy.json"
    done = proctor("oracle", "draft-policy", report, "--output", str(policy), cwd=project.folder)
    assert done.returncode == 0, done.stderr
    assert proctor(*check, cwd=project.folder).returncode == 1
    text = policy.read_text().replace('"reason": ""', '"reason": "meant"')
    policy.write_text(text.replace('"drafted": true', '"drafted": false'))
    done = proctor(*check, cwd=project.folder)
    assert done.returncode == 0, done.stdout


BAD = {
    "no corpus": (["check", "--old", "old", "--new", "new", "--corpus", "none"], 65),
    "no program": (["check", "--old", "nowhere/x", "--new", "new"], 65),
    "half": (["check", "--old", "old"], 64),
    "both": (["check", "--old", "old", "--new", "new", "--base", "main"], 64),
    "no git": (["check", "--base", "main"], 65),
    "quotes": (["check", "--old", "'", "--new", "new"], 65),
    "jobs": (["check", "--old", "old", "--new", "new", "--jobs", "-1"], 64),
    "scheduler": (
        ["check", "--old", "old", "--new", "new", "--scheduler", "tcp://127.0.0.1:1"],
        65,
    ),
    "format": (["check", "--old", "old", "--new", "new", "--format", "pdf"], 64),
    "fork": (["check", "--old", "old", "--new", "new", "--fork-server"], 64),
    "no trace": (["diff", "none", "none"], 65),
    "folder": (["diff", ".", "."], 65),
    "binary": (["diff", "binary", "binary"], 65),
    "mixed": (["diff", "typed", "plain"], 65),
    "schema": (["diff", "newer", "plain"], 65),
    "damaged": (["diff", "damaged", "damaged"], 65),
    "policy": (["diff", "plain", "plain", "binary"], 65),
    "seed": (["shrink", "Z", "--old", "old", "--new", "new"], 64),
    "report": (["draft-policy", "binary"], 65),
    "model": (["draft-policy", "binary", "--model", "x"], 65),
    "verb": (["chekc"], 64),
    "output": (["diff", "plain", "plain", "--output", "plain/x"], 65),
}


SLOW = ("scheduler",)
"""Waits ten seconds for an answer."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.heavy] if n in SLOW else []) for n in BAD]
)
def test_bad_input_is_one_line_and_its_code(name: str, proctor: Proctor, project: Pair) -> None:
    words, code = BAD[name]
    project.put("binary", b"\x00\xff\xfe\n" * 3)
    project.put("plain", "A|1|x|y\n")
    head = '{"schema":"proctor.trace/1"}\n'
    project.put("typed", head)
    project.put("newer", head.replace("/1", "/2"))
    project.put("damaged", f'{head}{{"seed":"A","step":1,"argv":[]}}\n{{"seed": 1}}\n')
    done = proctor("oracle", *words, cwd=project.folder)
    assert done.returncode == code, (done.stdout, done.stderr)
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("proctor: ")


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("oracle/policy.json", "{"),
        ("oracle/oracle.lock", "[]"),
        ("oracle/corpus.jsonl", "{}\n"),
        ("proctor.toml", '[oracle]\nreruns = "x"\n'),
        ("proctor.toml", "[oracle.masks]\na = '('\n"),
        ("proctor.toml", "[oracle]\ncomand = []\n"),
    ],
)
def test_damaged_files_of_a_project_are_one_line(
    path: str, content: str, proctor: Proctor, project: Pair
) -> None:
    project.put(path, content)
    done = proctor("oracle", "check", "--old", "old", "--new", "new", cwd=project.folder)
    assert (done.returncode, done.stderr.count("\n")) == (65, 1), done.stderr


def test_a_fork_server_is_used_only_where_it_changes_nothing(
    proctor: Proctor, project: Pair
) -> None:
    shebang = f"#!{sys.executable} -I\n".replace(" -I", "")
    good = f"{shebang}import sys, json\nprint(json.dumps(sys.argv[1:]), flush=True)\nsys.exit(len(sys.argv) % 3)\n"
    project.put(
        "proctor.toml", '[oracle]\ncommand = ["{build}/tool"]\nfork_server = ["json"]\nreruns = 0\n'
    )
    project.builds(good, good + "# x\n").corpus([["a"], ["b", "c"]], [["d"]])
    words = [
        "oracle",
        "check",
        "--old",
        "old",
        "--new",
        "new",
        "--sandbox",
        "folders",
        "--fork-server",
    ]
    done = proctor(*words, cwd=project.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "threads and fork server" in done.stdout
    odd = f"{shebang}import sys\nprint('json' in sys.modules)\n"
    project.builds(odd, odd + "# x\n")
    done = proctor(*words, cwd=project.folder)
    assert "no fork server: seed A differs from a fresh process" in done.stdout


@pytest.mark.heavy
@pytest.mark.timeout(400)
def test_a_cluster_writes_the_same_traces_though_a_worker_is_killed(
    proctor: Proctor, project: Pair, tmp_path: Path
) -> None:
    import os
    import subprocess
    import time

    dask = shutil.which("dask", path=f"{Path(sys.executable).parent}")
    if dask is None:
        pytest.skip("distributed is not installed")
    slow = STORE.replace('case "$1"', 'sleep 0.05; case "$1"')
    project.builds(slow, slow.replace('if [ -z "$3" ]', "if false"))
    project.corpus(
        *[{"seed": f"s{n}", "steps": [["set", f"k{n}", ""], ["get", f"k{n}"]]} for n in range(60)]
    )
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    address_file = tmp_path / "scheduler.json"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    scheduler = subprocess.Popen(
        [dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
         "--scheduler-file", str(address_file)], **quiet,
    )  # fmt: skip
    workers = []
    try:
        deadline = time.monotonic() + 60
        while not address_file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.1)
        address = json.loads(address_file.read_text())["address"]
        workers = [
            subprocess.Popen(
                [dask, "worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                 "--host", "127.0.0.1", "--local-directory", str(tmp_path / f"w{n}")], **quiet,
            )
            for n in range(2)
        ]  # fmt: skip
        words = ["oracle", "check", "--old", "old", "--new", "new", "--sandbox", "folders"]
        first = ["--traces", str(tmp_path / "threads")]
        assert proctor(*words, *first, cwd=project.folder, timeout=200).returncode == 1
        while proctor("oracle", "check", "--old", "old", "--new", "new", "--scheduler", address,
                      "--seed", "s1", cwd=project.folder, timeout=60).returncode == 65:  # fmt: skip
            assert time.monotonic() < deadline
        running = proctor.start(
            *words, "--scheduler", address, "--traces", str(tmp_path / "cluster"),
            cwd=project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        state = Path(proctor.env["PROCTOR_STATE_DIR"])
        while not list(state.rglob("*.old1")):
            assert running.poll() is None, running.communicate()
            time.sleep(0.02)
        workers[0].kill()
        _, err = running.communicate(timeout=200)
        assert running.returncode == 1, err
        assert b"Traceback" not in err
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
    for name in ("old1.trace", "new.trace", "old2.trace"):
        threads, cluster = (
            (tmp_path / kind / name).read_bytes() for kind in ("threads", "cluster")
        )
        assert threads == cluster
