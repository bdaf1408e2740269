"""tape, alone and below nyc."""

import pytest

from proctor.classify.classify import classify_argv
from proctor.classify.runners.tape import RUNNER


def test_tape_is_a_leaf_with_globs_for_selectors() -> None:
    found = RUNNER.read(["tape", "-r", "ts-node/register", "test/**/*.js"])
    assert found is not None
    assert (found.command_class, found.kind) == ("tape", "leaf")
    assert found.selectors == ("test/**/*.js",)
    assert found.narrowing == ()


@pytest.mark.parametrize(
    ("words", "narrowing"),
    [
        (["-i", ".tapeignore", "test/*.js"], ("--ignore=.tapeignore",)),
        (["--ignore-pattern", "slow/**"], ("--ignore-pattern=slow/**",)),
        (["--no-only", "--strict"], ()),
    ],
)
def test_what_leaves_tests_out_is_told(words: list[str], narrowing: tuple[str, ...]) -> None:
    found = RUNNER.read(["tape", *words])
    assert found is not None
    assert (found.narrowing, found.excluding) == (narrowing, narrowing)


def test_tape_below_nyc_is_seen_behind_the_node_that_nyc_puts_first() -> None:
    argv = [
        "/usr/bin/node",
        "/root/.node-spawn-wrap-7305-cc015f/node",
        "/p/node_modules/.bin/tape",
        "test/*.js",
    ]
    found = classify_argv(argv, peel=False)
    assert found is not None
    assert (found.command_class, found.selectors) == ("tape", ("test/*.js",))
    assert found.script == "/p/node_modules/.bin/tape"
