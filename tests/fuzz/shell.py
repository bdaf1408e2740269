"""Shell lines that nobody wrote, run by real shells and read by Proctor."""

import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
from hypothesis import strategies as st

from tests.shells import DIALECTS, Shell, contradiction

RUNNER = "RUNNER"
MOST_RUNNERS = 3

OPENINGS = [
    "set -e", "set -o pipefail", "set -eo pipefail", "set -eu", "set +e", "set -o errexit", "set -E",
    "trap 'exit 0' EXIT", "trap 'exit 3' EXIT", "trap 'echo x' EXIT", "trap 'exit 0' ERR", "trap 'echo x' ERR",
    "trap 'exit 4' ERR", "trap - EXIT", "trap '' TERM", "trap 'exit 0' DEBUG", "trap 'rc=$?; exit $rc' EXIT",
    "rc=0", "x=1", "cd .", "shopt -s lastpipe", "shopt -s inherit_errexit", "set -f", "umask 022", "unset x",
    "exec 2>&1", "exec > log.txt", "IFS=,", "export A=1", "f() { return $?; }", "die() { exit 5; }",
]  # fmt: skip
ENDINGS = [
    "exit $?", "exit", "rc=$?; echo $rc; exit $rc", "exit ${PIPESTATUS[0]}", "exit ${PIPESTATUS[1]}",
    "exit $rc", "echo done", "wait", "wait $!", "[ $? -eq 0 ]", "exit 3", "test $? -ne 0", "exit 0", "f", "die",
    "(( $? == 0 ))", "if [ $? -ne 0 ]; then exit 1; fi", "[[ $rc -eq 0 ]]", "exit $((rc))", "(exit $?)", "! :",
    "return $?", "exit ${rc:-0}", 'test "$?" = 0 || exit 2', "rc=$?; [ $rc = 0 ] && exit 0; exit $rc", "kill $$",
    "exit $?; echo x", "rc=${PIPESTATUS[0]}; exit $rc", "true && exit $?", '[ -n "$x" ] && exit 1',
]  # fmt: skip
PLAIN = [
    "true", "false", "echo x", "other", ":", "rc=$?", "rc=0", "exit $?", "cd .", "x=1", "f", "return 0", "break",
    "test -e nowhere", "[ $? -eq 0 ]", "[[ -n $rc ]]", "cat /dev/null", "export B=2", "local y=1", "wait", "set +e",
    "set -e", "exit 0", "continue", "rc=$((rc + $?))", "echo $?", "unset rc", "read y", "exec true", "shift",
]  # fmt: skip
WRAPPED = [
    "{}", "{}", "{}", "A=1 {}", "env {}", "env A=1 {} 2>&1", 'env -i PATH="$PATH" {}', "timeout 9 {}", "nice -n 1 {}",
    "nohup {}", "stdbuf -oL {}", "time {}", "command {}", "exec {}", "{} > out.txt", "{} < /dev/null", "{} 2>/dev/null",
    "{} <<EOF\ntext\nEOF\n", "{} <<< text", "{} > >(cat)", "echo a | xargs {}", "xargs {} < /dev/null",
    "find . -maxdepth 0 -exec {} \\;", "find . -maxdepth 0 -exec {} +", "setsid -w {}", "{} &> log.txt", "builtin {}",
    "time -p {}", "> out.txt {}", "timeout -k 1 9 env {}",
]  # fmt: skip
FILTERS = [
    "cat",
    "tail -5",
    "head -5",
    "tee out.txt",
    "wc -l",
    "grep passed",
    "grep -q nothing",
    "other",
    "sed 1q",
]
ONE = [
    "( {a} )", "{{ {a}; }}", "{{ f() {{ {a}; }}; f; }}", "{{ f() {{ {a}; return $?; }}; f; }}", "{{ function g {{ {a}; }}; g; }}",
    "{{ f() ( {a} ); f; }}", "for d in a b; do {a}; done", "for d in; do {a}; done", "while true; do {a}; break; done",
    "until {a}; do break; done", "case x in x) {a};; esac", "case y in x) {a};; esac", "case x in x) {a};& y) :;; esac",
    "x=$({a})", "echo $({a})", "x=`{a}`", "export X=$({a})", '[ -n "$({a})" ]', "cat <({a})", "if true; then {a}; fi",
    "if {a}; then :; else exit $?; fi", "( set -e; {a} )", "( {a} ) || exit $?", "{{ {a}; }} || {{ rc=$?; exit $rc; }}",
    "for ((i=0; i<2; i++)); do {a}; done", "if ! {a}; then exit 1; fi", "(({a}))", "[[ -z $({a}) ]]", "{{ {a}; }} 2>&1",
    "while read l; do {a}; done <<< x", "echo x | while read l; do {a}; done", "x=$({a}) y=$(true)", "coproc {a}",
    "select d in a; do {a}; break; done < /dev/null", "{{ f() {{ local x=$({a}); }}; f; }}", "( {a} ) & wait $!", "eval {q}",
    "bash -c {q}", "sh -c {q}", "bash -ec {q}", "bash -o pipefail -c {q}", "dash -c {q}", "zsh -c {q}", "bash -lc {q}",
    "timeout 9 bash -c {q}", "env A=1 sh -ec {q}", "trap {q} EXIT", "bash <<'E'\n{a}\nE\n", "source /dev/stdin <<< {q}",
]  # fmt: skip
TWO = [
    "if {a}; then {b}; fi", "if {a}; then {b}; else {b}; fi", "if :; then {a}; elif {b}; then :; fi", "{{ {a}; {b}; }}",
    "( {a}; {b} )", "for d in a b; do {a}; {b}; done", "while {a}; do {b}; break; done", "{{ f() {{ {a}; {b}; }}; f; }}",
    "case x in x) {a};; *) {b};; esac", "x=$({a}; {b})", "{{ {a} || {{ rc=$?; {b}; exit $rc; }}; }}", "{{ f() {{ {a}; }}; f && {b}; }}",
    "{{ {a} && {b}; }} || exit 1", "{{ f() {{ {a} || return 1; {b}; }}; f; }}", "for d in a; do {a} || break; {b}; done",
    "( {a} ) & {b}; wait $!", "trap '{b}' EXIT; {a}",
]  # fmt: skip


def _quoted(template: str, a: str, b: str = "") -> str:
    return template.format(a=a, b=b, q=shlex.quote(a))


def _lists(pipelines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    ands = st.lists(
        st.tuples(st.sampled_from([" && ", " || ", "; ", "; ", "\n", " & "]), pipelines), max_size=2
    )
    return st.builds(lambda first, rest: first + "".join(o + p for o, p in rest), pipelines, ands)


def _pipelines(commands: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    further = st.lists(
        st.tuples(st.sampled_from([" | ", " | ", " |& "]), st.sampled_from(FILTERS) | commands),
        max_size=2,
    )
    return st.builds(
        lambda bang, first, rest: bang + first + "".join(bar + command for bar, command in rest),
        st.sampled_from(["", "", "", "", "! "]), commands, st.just([]) | further,
    )  # fmt: skip


def _commands(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = _lists(_pipelines(inner))
    return st.builds(_quoted, st.sampled_from(ONE), lists) | st.builds(
        _quoted, st.sampled_from(TWO), lists, lists
    )


def _numbered(text: str) -> str | None:
    """Give each runner a name of its own; none where there is none."""
    parts = text.split(RUNNER)
    names = [f"pytest t{n}" if n <= MOST_RUNNERS else "true" for n in range(1, len(parts))]
    if not names:
        return None
    return "".join(part + name for part, name in zip(parts, [*names, ""], strict=True))


def lines() -> st.SearchStrategy[str]:
    """Return shell lines with one to three runners."""
    runners = st.sampled_from(WRAPPED).map(lambda words: words.format(RUNNER))
    simple = st.one_of(runners, runners, st.sampled_from(PLAIN))
    body = _lists(_pipelines(st.recursive(simple, _commands, max_leaves=5)))
    opening, ending = st.sampled_from(OPENINGS), st.sampled_from(ENDINGS)
    parts = st.tuples(st.lists(opening, max_size=2), body, st.lists(ending, max_size=1))
    whole = st.builds(
        lambda p, end: end.join([*p[0], p[1], *p[2]]), parts, st.sampled_from(["; ", "\n"])
    )
    return whole.map(_numbered).filter(bool)  # type: ignore[return-value]


def shells(folder: Path) -> list[Shell]:
    """Return the shells that are installed here, bash first."""
    found = []
    for name in DIALECTS:
        if shutil.which(name):
            (folder / name).mkdir()
            found.append(Shell(folder / name, name))
    return found


def disagreements(seed: int, times: int) -> Iterator[str]:
    """Yield the smallest line on which a shell and the reading differ, if one is found."""
    with tempfile.TemporaryDirectory(prefix="proctor-fuzz-") as name:
        installed = shells(Path(name))

        @hypothesis.seed(seed)
        @hypothesis.settings(max_examples=times, derandomize=False, database=None, deadline=None,
                             suppress_health_check=list(hypothesis.HealthCheck))  # fmt: skip
        @hypothesis.given(lines())
        def look(line: str) -> None:
            for shell in installed:
                assert contradiction(shell, line, random_line=True) is None

        try:
            look()
        except AssertionError as error:
            yield str(error).splitlines()[0]
