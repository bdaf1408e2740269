"""What Proctor says of a shell line, held against bash itself."""

import random
from collections.abc import Sequence

import pytest
from tests.shells import Shell, contradiction, ends_of

from proctor.classify.shell import read_line

OWN = r"""
pytest t1
pytest t1 > out.txt 2>&1
python -m pytest t1
cd . && pytest t1
cd .; pytest t1
X=1 pytest t1
other && pytest t1
other; pytest t1
other || true; pytest t1
pytest t1 && echo ok
pytest t1 && other && echo ok
pytest t1 && pytest t2
true && pytest t1
false || pytest t1
(pytest t1)
(cd . && pytest t1)
{ pytest t1; }
{ pytest t1 && echo ok; }
{ other; pytest t1; } > log
time pytest t1
time -p pytest t1
env X=1 pytest t1
env -u X pytest t1
env -i PATH="$PATH" FAIL="$FAIL" RAN="$RAN" MODE="$MODE" pytest t1
timeout 60 pytest t1
timeout -k 5 60 pytest t1
nice -n 3 pytest t1
nohup pytest t1
stdbuf -oL pytest t1
bash -c "pytest t1"
bash -c 'pytest t1'
bash -lc 'cd . && pytest t1'
sh -c 'pytest t1'
bash -c "bash -c 'pytest t1'"
bash -c '"$@"' _ pytest t1
bash -c 'pytest "$1"' _ t1
bash -ec 'pytest t1; echo done'
bash -eo pipefail -c 'pytest t1 | tail -1; echo done'
set -o pipefail; pytest t1 | tail -5
set -o pipefail; pytest t1 2>&1 | tee out.txt | tail -5
set -euo pipefail; pytest t1 | tee out.txt; echo done
set -e; pytest t1; echo done
set -e; cd .; pytest t1; other
set -e; (pytest t1); echo done
set -e; pytest t1 && echo ok
set -e; if other; then pytest t1; fi; echo done
set -e; for d in a b; do pytest t1; done
set -e; f() { pytest t1; echo inner; }; f; echo done
set -e; out=$(pytest t1); echo "$out"
out=$(pytest t1)
out=$(pytest t1 2>&1)
out=$(cd . && pytest t1)
out=`pytest t1`
out=$(pytest t1) && echo ok
out="$(pytest t1)"
A=1 B=$(pytest t1)
B=$(pytest t1) A=1
pytest t1; exit $?
pytest t1; exit "$?"
pytest t1; exit
pytest t1; rc=$?; echo "rc $rc"; exit $rc
pytest t1; rc=$?; other; exit "$rc"
pytest t1; rc=$?; exit ${rc}
pytest t1; rc=$?; exit $((rc))
pytest t1; rc=$?; r2=$rc; exit $r2
pytest t1 | tee out.txt; exit ${PIPESTATUS[0]}
pytest t1 | tail -5; exit "${PIPESTATUS[0]}"
pytest t1 | tail -5; rc=${PIPESTATUS[0]}; echo $rc; exit $rc
other | pytest t1; exit ${PIPESTATUS[1]}
out=$(pytest t1); rc=$?; echo "$out" | tail -3; exit $rc
pytest t1 || exit $?
pytest t1 || { rc=$?; echo failed; exit $rc; }
if pytest t1; then echo ok; else exit $?; fi
if pytest t1; then echo ok; else rc=$?; echo bad; exit $rc; fi
if true; then pytest t1; fi
if other; then pytest t1; else pytest t2; fi
case x in x) pytest t1;; esac
case "$HOME" in /nowhere) pytest t1;; *) pytest t2;; esac
f() { pytest t1; }; f
f() { pytest t1; return $?; }; f
f() { cd .; pytest t1; }; other; f
run() { "$@"; }; run pytest t1
run() { "$@"; return $?; }; run pytest t1
f() { pytest t1; local rc=$?; echo x; return $rc; }; f
g() { f; }; f() { pytest t1; }; g
exec pytest t1
trap 'exit 0' EXIT; exec pytest t1
trap 'rm -f nothing' EXIT; pytest t1
trap 'echo bye' EXIT; pytest t1
trap 'exit 0' EXIT; trap - EXIT; pytest t1
trap 'echo x' INT TERM; pytest t1
set -e; trap 'echo failed' ERR; pytest t1; echo done
eval "pytest t1"
eval 'pytest t1'
eval pytest t1
eval 'pytest t1; exit $?'
pytest t1 & wait $!
pytest t1 & pid=$!; echo started; wait $pid
pytest t1 > log & wait "$!"; exit $?
for d in a; do pytest t1; done
for d in .; do (cd $d && pytest t1); done
for d in a b; do pytest t1 || exit $?; done
while true; do pytest t1; exit $?; done
pytest t1 > >(cat)
pytest t1 2> >(cat >&2)
pytest t1 < /dev/null
pytest t1 <<< "y"
pytest t1 <<EOF\ninput\nEOF
cat <<EOF > f\ntext\nEOF\npytest t1
cat <<'EOF' > f && pytest t1\npytest is a word\nEOF
pytest \\n  t1
# a comment\npytest t1
pytest t1 # a comment
echo "pytest" && pytest t1
echo a; echo b; pytest t1
pytest t1; (exit $?)
pytest t1\n
a=pytest; $a t1
p="python -m"; pytest t1
command pytest t1
builtin cd .; pytest t1
export X=1; pytest t1
[ -d . ] && pytest t1
[[ -d . ]] && pytest t1
test -d . && pytest t1
cat out.txt 2>/dev/null; pytest t1
set -x; pytest t1
set +e; pytest t1
[ -d . ] && pytest t1 && echo ok
other | other && pytest t1
{ other | tail -1; } && pytest t1
pytest t1 && (other; echo x)
(set -e; pytest t1; echo x)
(pytest t1; exit $?)
(pytest t1) || exit $?
"""

MASKED = r"""
pytest t1 | tail -5
pytest t1 2>&1 | tail -5
pytest t1 |& tail -5
cd . && pytest t1 2>&1 | tail -5
cd . && X=1 pytest t1 2>&1 | tail -5
pytest t1 | head -1
pytest t1 | grep -o '[0-9]* passed'
pytest t1 | tee out.txt
pytest t1 | other
pytest t1 | other | cat
other && pytest t1 | tail -1
pytest t1 | tail -5; echo "exit ${PIPESTATUS[0]}"
pytest t1 || true
pytest t1 || :
pytest t1 || echo failed
pytest t1 || other
pytest t1 && echo ok || echo failed
pytest t1 || true && echo x
pytest t1 2>/dev/null || echo none
pytest t1; echo done
pytest t1; true
pytest t1; other
pytest t1; echo $?
pytest t1; echo "rc=$?"
pytest t1\necho done
pytest t1 > out.txt; tail -3 out.txt
pytest t1 > out.txt 2>&1; cat out.txt
pytest t1 &
npm test t1 &
pytest t1 & wait
pytest t1 & echo started
(pytest t1 &)
nohup pytest t1 > log 2>&1 &
! pytest t1
if pytest t1; then echo ok; fi
if pytest t1; then echo ok; else echo bad; fi
if pytest t1; then exit 0; elif other; then exit 0; fi
if ! pytest t1; then echo bad; fi
while pytest t1; do break; done
until pytest t1; do echo again; done
for d in a b; do pytest t1; done
for d in *; do pytest t1; done
for d in a b; do pytest t1 || break; done
for d in a b; do pytest t1 || continue; done
for d in a b; do if pytest t1; then echo ok; fi; done
echo $(pytest t1)
echo "$(pytest t1)"
echo `pytest t1`
x=$(pytest t1 | tail -1)
x=$(pytest t1; echo)
x=$(pytest t1 || true)
export X=$(pytest t1)
declare X=$(pytest t1)
readonly X=$(pytest t1)
f() { local x=$(pytest t1); }; f
x=$(pytest t1); echo "$x"
x=$(pytest t1) || true
x=$(pytest t1) y=$(true)
[ -n "$(pytest t1)" ]
cat <(pytest t1)
trap 'exit 0' EXIT; pytest t1
trap 'exit 0' 0; pytest t1
trap 'exit 0' ERR; pytest t1
trap 'exit 0' ERR; set -e; pytest t1
set -e; pytest t1 || true
set -e; pytest t1 | tail -1
set -e; if pytest t1; then echo ok; fi
set -e; ! pytest t1
set -e; f() { pytest t1; echo x; }; f || true
set -e; f() { pytest t1; echo x; }; if f; then echo ok; fi
set -e; x=$(pytest t1; echo x)
set -e; (pytest t1; echo x) || true
set -e; set +e; pytest t1; echo x
set -e; pytest t1 && echo ok; echo done
set -o pipefail; set +o pipefail; pytest t1 | cat
set -o pipefail; pytest t1 | cat || true
set -o pipefail; pytest t1 | cat; echo done
bash -c "pytest t1 | tail -3"
bash -c 'pytest t1; echo done'
bash -c 'pytest t1' || true
bash -c 'pytest t1' | tail -1
bash -c "bash -c 'pytest t1 | cat'"
bash -c 'pytest t1' & wait
set -e; bash -c 'pytest t1; echo x'
set -o pipefail; bash -c 'pytest t1 | cat'
eval "pytest t1 | cat"
eval 'pytest t1; echo done'
{ pytest t1; } | cat
{ pytest t1; echo x; }
{ pytest t1 || true; } > log
(pytest t1; echo x)
(pytest t1) | cat
(exec pytest t1); echo done
f() { pytest t1; echo x; }; f
f() { pytest t1; return 0; }; f
f() { pytest t1; }; f; echo done
f() { pytest t1; }; f | cat
f() { pytest t1 || return 0; }; f
pytest t1; exit 0
pytest t1; exit 256
pytest t1; rc=0; exit $rc
pytest t1; rc=$?; rc=0; exit $rc
pytest t1; echo x; exit $?
pytest t1 | tail -1; exit $?
pytest t1 | tail -1; exit ${PIPESTATUS[1]}
other | pytest t1; exit ${PIPESTATUS[0]}
pytest t1; rc=$?; [ $rc -ne 0 ] && echo bad; exit 0
[ -d . ] && pytest t1 || echo none
case x in x) pytest t1;; esac; echo done
case x in x) pytest t1 || true;; esac
timeout 60 pytest t1 | tail -1
find . -maxdepth 0 -exec pytest t1 \;
pytest t1 <<EOF | cat\ninput\nEOF
cat <<EOF | pytest t1 | cat\ninput\nEOF
pytest t1; git --version
pytest t1 || pytest t2
pytest t1; pytest t2
pytest t1 & pytest t2
pytest t1 | pytest t2
! (pytest t1)
time pytest t1 | cat
pytest t1 && other || true
(pytest t1 && echo ok) || echo bad
"""

ALTERED = r"""
pytest t1 || false
pytest t1 || exit 1
pytest t1 || { echo failed; exit 1; }
pytest t1 || (exit 3)
pytest t1; false
pytest t1; exit 1
pytest t1; exit -1
if ! pytest t1; then exit 1; fi
! pytest t1 | tail -1
if pytest t1; then echo ok; else exit 2; fi
pytest t1; [ $? -eq 0 ]
pytest t1; test $? -eq 0
pytest t1; rc=$?; [ $rc -eq 0 ] || exit 1
pytest t1; rc=$?; [[ $rc -ne 0 ]] && exit 1; echo ok
pytest t1; rc=$?; if [ "$rc" -ne 0 ]; then echo bad; exit 1; fi
pytest t1; if [ $? -ne 0 ]; then exit 3; fi
pytest t1; rc=$?; (( rc == 0 ))
pytest t1; rc=$?; if (( rc != 0 )); then exit 1; fi
set -o pipefail; pytest t1 | other
set -o pipefail; pytest t1 | false
trap 'exit 3' EXIT; pytest t1
trap 'exit 3' ERR; pytest t1
set -e; trap 'exit 3' ERR; pytest t1; echo done
for d in a b; do pytest t1 || exit 1; done
echo t1 | xargs pytest
echo a | xargs -n 1 pytest t1
find . -maxdepth 0 -exec pytest t1 {} +
f() { pytest t1 || return 1; }; f
while true; do pytest t1 || exit 1; break; done
bash -c 'pytest t1 || exit 1'
(pytest t1) || exit 1
pytest t1 && exit 0; exit 1
out=$(pytest t1) || exit 1
! pytest t1 && exit 1
"""

UNKNOWN = r"""
! ! pytest t1
coproc pytest t1
source ./settings.sh; pytest t1
eval "$SOMETHING"; pytest t1
bash -c "pytest t1 $SOMETHING"
trap "$SOMETHING" EXIT; pytest t1
pytest() { true; }; pytest t1
alias pytest=true; pytest t1
pytest t1; exit $SOMETHING
shopt -s lastpipe; pytest t1
pytest t1; rc=$((rc + $?)); exit $rc
setsid pytest t1
set -n; pytest t1
pytest t1; return $?
pytest t1 || return $?; true
if pytest t1
"""

NO_RUNNER = r"""
echo 'all tests passed'
git commit --allow-empty -m "All pytest tests pass"
cat > t.sh << 'EOF'\npytest t1\nEOF
echo pytest t1
gitfoo pytest
grep pytest setup.cfg
pip install pytest
command -v pytest
which pytest
type pytest
# pytest t1
ls tests/ && cat tests/test_a.py
python -c "print('5 passed')"
make clean
npm run lint
npm install jest
cd pytest
pytest=1
x="pytest t1"
"""


def lines(table: str) -> list[str]:
    return [line.replace("\\n", "\n") for line in table.strip("\n").splitlines()]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Return a function that runs a line with one runner failing."""
    return Shell(tmp_path_factory.mktemp("shell"))


@pytest.mark.parametrize("status", ["own", "masked", "altered"])
def test_every_line_of_the_table_is_read_as_bash_runs_it(shell: Shell, status: str) -> None:
    table = {"own": OWN, "masked": MASKED, "altered": ALTERED}[status]
    wrong: list[str] = []
    for line in lines(table):
        found = [run for run in read_line(line) if "t1" in run.argv or "xargs" in run.wrappers]
        if not found or found[0].status not in (status, "unknown"):
            wrong.append(f"{line!r}: {[(run.status, run.masked_by) for run in found]}")
        wrong += filter(None, [contradiction(shell, line)])
        # What is sent to the background may start after the line has ended.
        may_be_late = "&" in line.replace("&&", "").replace("&1", "") or "/nowhere" in line
        if not ends_of(shell, line, "t1") and not may_be_late:
            wrong.append(f"{line!r}: the runner never ran")
    assert wrong == []


class Writer:
    """Writes random lines of shell, three runners at most."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.runners = 0

    def line(self) -> str:
        while True:
            self.runners = 0
            parts = [self.pick(OPENINGS)] if self.random.random() < 0.4 else []
            parts += [self.list(2) for _ in range(self.random.randint(1, 3))]
            if self.random.random() < 0.3:
                parts.append(self.pick(ENDINGS))
            if self.runners:
                return self.pick(["; ", "\n"]).join(parts)

    def pick(self, choices: Sequence[str]) -> str:
        return self.random.choice(choices)

    def runner(self) -> str:
        if self.runners == 3:
            return self.pick(PLAIN)
        self.runners += 1
        return self.pick(RUNNERS).format(name=f"t{self.runners}")

    def simple(self) -> str:
        return self.runner() if self.random.random() < 0.5 else self.pick(PLAIN)

    def list(self, depth: int) -> str:
        words = [self.pipeline(depth)]
        while self.random.random() < 0.35:
            words += [self.pick(["&&", "||"]), self.pipeline(depth)]
        return " ".join(words) + self.pick(["", "", "", "", "", " &"])

    def pipeline(self, depth: int) -> str:
        words = [self.command(depth)]
        plain = not words[0].startswith(("!", *OPENED))
        bang = "! " if plain and self.random.random() < 0.15 else ""
        while self.random.random() < 0.25:
            words.append(self.pick([*FILTERS, self.command(depth)]))
        return bang + self.pick([" | ", " | ", " |& "]).join(words)

    def command(self, depth: int) -> str:
        if not depth or self.random.random() < 0.5:
            return self.simple()
        inner = self.list(depth - 1).removesuffix(" &")
        more = self.list(depth - 1).removesuffix(" &")
        return self.pick(COMPOUNDS).format(a=inner, b=more)


OPENED = ("{", "(", "if", "for", "while", "case")
"""What the grammar cannot read behind `!`: such lines are unknown."""
OPENINGS = ["set -e", "set -o pipefail", "set -eo pipefail", "set -eu", "trap 'exit 0' EXIT"]
OPENINGS += ["trap 'echo bye' EXIT", "trap 'exit 3' EXIT", "trap 'echo err' ERR", "cd ."]
OPENINGS += ["trap 'exit 4' ERR", "set -E; trap 'exit 0' ERR", "rc=0"]
ENDINGS = ["exit $?", "exit", "rc=$?; echo $rc; exit $rc", "exit ${PIPESTATUS[0]}", "exit $rc"]
ENDINGS += ["echo done", "wait", "wait $!", "[ $? -eq 0 ]", "exit 3", "test $? -ne 0", "exit 0"]
ENDINGS += ["(( $? == 0 ))", "if [ $? -ne 0 ]; then exit 1; fi", "[[ $rc -eq 0 ]]"]
RUNNERS = ["pytest {name}", "pytest {name}", "X=1 pytest {name}", "env pytest {name} 2>&1"]
RUNNERS += ["pytest {name} > out.txt", "bash -c 'pytest {name}'", "timeout 9 pytest {name}"]
RUNNERS += ["bash -ec 'pytest {name} | cat; echo x'", "bash -c 'pytest {name}; exit $?'"]
RUNNERS += ["x=$(pytest {name})", "echo $(pytest {name})", "eval 'pytest {name}'"]
PLAIN = ["true", "false", "echo x", "other", ":", "rc=$?", "rc=0", "exit $?", "cd ."]
FILTERS = ["cat", "tail -5", "head -5", "tee out.txt", "wc -l", "grep passed"]
COMPOUNDS = ["( {a} )", "{{ {a}; }}", "if {a}; then {b}; fi", "if {a}; then {b}; else echo no; fi"]
COMPOUNDS += ["for d in a b; do {a}; done", "for d in a; do {a}; {b}; done", "{{ {a}; {b}; }} 2>&1"]
COMPOUNDS += [
    "{{ f() {{ {a}; }}; f; }}",
    "{{ g() {{ {a}; return $?; }}; g; }}",
    "while {a}; do {b}; break; done",
]
COMPOUNDS += ["case x in x) {a};; *) {b};; esac", "{{ h() {{ {a}; {b}; }}; h; }}", "( {a}; {b} )"]
COMPOUNDS += ["{{ {a} || exit 1; }}", "{{ {a} || {{ rc=$?; {b}; exit $rc; }}; }}"]
COMPOUNDS += ["x=$({a}; {b})", "( set -e; {a}; {b} )"]


@pytest.mark.parametrize("seed", range(8))
def test_random_lines_are_read_as_bash_runs_them(shell: Shell, seed: int) -> None:
    writer = Writer(seed)
    found = [contradiction(shell, writer.line(), random_line=True) for _ in range(12)]
    assert [text for text in found if text] == []


@pytest.mark.parametrize("line", lines(UNKNOWN))
def test_what_only_running_can_tell_is_unknown(line: str) -> None:
    assert [run.status for run in read_line(line)] == ["unknown"]


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        ("sh", "pytest t1 &> out.txt"),
        ("sh", "trap 'exit 0' ERR; pytest t1"),
        ("zsh", "! (true | exec pytest t1)"),
        ("zsh", "pytest t1 | exit 0"),
    ],
)
def test_what_shells_read_in_different_ways_is_unknown(dialect: str, line: str) -> None:
    assert [run.status for run in read_line(line, dialect=dialect)] == ["unknown"]
    assert [run.status for run in read_line(line)] != ["unknown"]


@pytest.mark.parametrize("line", lines(NO_RUNNER))
def test_a_line_without_a_runner_has_none(line: str) -> None:
    assert read_line(line) == []
