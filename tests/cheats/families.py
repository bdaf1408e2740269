"""Real runs of runners beyond Python's and node's own, where these are installed.

Each family plays the same three: a passing suite passes, a failing one behind a
pipe is caught, and a suite without tests is caught.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.cheats.stage import Case, Stage

MASKED = frozenset({"masked-exit"})
NOTHING = frozenset({"no-tests-ran", "nonzero-exit", "partial-run", "masked-exit"})

_UNITTEST = "import unittest\nclass T(unittest.TestCase):\n    def test_x(self): assert {}\n"
_STEPS = "from behave import then\n@then('it holds')\ndef step(context): assert {}\n"
_FEATURE = "Feature: f\n  Scenario: s\n    Then it holds\n"
_ROBOT = "*** Test Cases ***\nHolds\n    Should Be True    {}\n"
_RSPEC = 'RSpec.describe("x") {{ it("y") {{ expect({}).to eq true }} }}\n'
_MINITEST = (
    'require "minitest/autorun"\nclass TestA < Minitest::Test\n  def test_x; assert {}; end\nend\n'
)
_RAKEFILE = 'require "rake/testtask"\nRake::TestTask.new\n'
_BATS = '@test "x" {{ {}; }}\n'
_PHPUNIT = (
    "<?php\nclass ATest extends PHPUnit\\Framework\\TestCase\n"
    "{{ function testX() {{ $this->assertTrue({}); }} }}\n"
)
_CMAKE = "cmake_minimum_required(VERSION 3.13)\nproject(x NONE)\nenable_testing()\n{}"
_CTEST = "add_test(NAME x COMMAND {})\n"
_MESON = "project('x')\n{}"
_EXUNIT = 'defmodule ATest do\n  use ExUnit.Case\n  test "x" do\n    assert {}\n  end\nend\n'
_MIXFILE = (
    "defmodule A.MixProject do\n  use Mix.Project\n"
    '  def project, do: [app: :a, version: "0.1.0"]\nend\n'
)
_TAPE = "require('tape')('x', t => {{ t.ok({}); t.end() }})\n"
_AVA = "import test from 'ava'\ntest('x', t => t.true({}))\n"
_JASMINE = "describe('a', () => {{ it('x', () => {{ expect({}).toBe(true) }}) }})\n"


@dataclass(frozen=True)
class Family:
    """How one runner's smallest project looks."""

    program: str
    argv: tuple[str, ...]
    test: str
    """The path of the file that holds the test."""
    text: str
    """Its text, with `{}` where the truth stands."""
    truths: tuple[str, str] = ("true", "false")
    others: tuple[tuple[str, str], ...] = ()
    """Further files."""
    empty: str | None = None
    """The text of a file without tests; none: there is no file."""
    before: tuple[str, ...] = ()
    """A command to run first, outside the record."""

    def play(self, state: str) -> Callable[[Stage], None]:
        """Return the play of a suite that is `green`, `red` and masked, or `empty`."""

        def play(stage: Stage) -> None:
            truth = self.truths[state == "red"]
            text = self.empty if state == "empty" else self.text.format(truth)
            if text is not None:
                stage.put(self.test, text)
            for path, content in self.others:
                stage.put(path, content)
            stage.put(".gitignore", "node_modules\nbuild/\n_build/\n.stestr/\n__pycache__/\n")
            _link_modules(stage, self.program)
            stage.commit()
            if self.before:
                stage.line(" ".join(self.before), env={"PROCTOR_LOG": str(stage.folder / "other")})
            if state == "red":
                stage.line(f"{' '.join(self.argv)} 2>&1 | tail -3")
            else:
                stage.run(*self.argv)

        return play


def _link_modules(stage: Stage, program: str) -> None:
    """Let the project find the package of a program of node's, as an install would."""
    path = shutil.which(program, path=stage.env["PATH"])
    parts = Path(os.path.realpath(path or "/")).parts
    if "node_modules" in parts:
        at = len(parts) - parts[::-1].index("node_modules")
        (stage.repo / "node_modules").symlink_to(Path(*parts[:at]))


FAMILIES = (
    Family("nose2", ("nose2",), "test_a.py", _UNITTEST, ("True", "False")),
    Family(
        "behave", ("behave",), "features/steps/s.py", _STEPS, ("True", "False"),
        others=(("features/a.feature", _FEATURE),), empty="",
    ),
    Family("robot", ("robot", "tests"), "tests/a.robot", _ROBOT, ("True", "False")),
    Family(
        "robot", ("robot", "-d", "build", "-x", "x.xml", "tests"), "tests/a.robot", _ROBOT,
        ("True", "False"), empty="*** Keywords ***\nK\n    No Operation\n",
    ),
    Family(
        "stestr", ("stestr", "run"), "tests/test_a.py", _UNITTEST, ("True", "False"),
        others=((".stestr.conf", "[DEFAULT]\ntest_path=tests\n"), ("tests/__init__.py", "")),
        before=("stestr", "init"),
    ),
    Family("rspec", ("rspec",), "spec/a_spec.rb", _RSPEC),
    Family(
        "rspec", ("rspec", "-f", "json", "-o", "build.json"), "spec/a_spec.rb", _RSPEC,
        empty="RSpec.describe('x') {}\n",
    ),
    Family("ruby", ("ruby", "-Itest", "test/test_a.rb"), "test/test_a.rb", _MINITEST),
    Family(
        "rake", ("rake", "test"), "test/test_a.rb", _MINITEST, others=(("Rakefile", _RAKEFILE),)
    ),
    Family("bats", ("bats", "test"), "test/a.bats", _BATS),
    Family(
        "bats", ("bats", "--report-formatter", "junit", "-o", ".", "test"), "test/a.bats", _BATS,
        empty="true\n",
    ),
    Family("phpunit", ("phpunit", "tests"), "tests/ATest.php", _PHPUNIT),
    Family(
        "phpunit", ("phpunit", "--log-junit", "out.xml", "tests"), "tests/ATest.php", _PHPUNIT
    ),
    Family(
        "ctest", ("ctest", "--test-dir", "build"), "CMakeLists.txt", _CMAKE.format(_CTEST),
        empty=_CMAKE.format(""), before=("cmake", "-B", "build", "."),
    ),
    Family(
        "meson", ("meson", "test", "-C", "build"), "meson.build",
        _MESON.format("test('x', find_program('{}'))\n"), empty=_MESON.format(""),
        before=("meson", "setup", "build"),
    ),
    Family(
        "mix", ("mix", "test"), "test/a_test.exs", _EXUNIT,
        others=(("mix.exs", _MIXFILE), ("test/test_helper.exs", "ExUnit.start()\n")),
    ),
    Family("tape", ("tape", "test/a.js"), "test/a.js", _TAPE),
    Family("ava", ("ava",), "test/a.mjs", _AVA),
    Family(
        "jasmine", ("jasmine",), "spec/aSpec.js", _JASMINE,
        others=(("spec/support/jasmine.json", '{"spec_dir": "spec", "spec_files": ["*Spec.js"]}'),),
    ),
)  # fmt: skip


def _cases(state: str, title: str, rules: frozenset[str] = frozenset()) -> list[Case]:
    return [
        Case(
            "R",
            f"{' '.join(family.argv)} {title}",
            family.play(state),
            rules=rules,
            needs=(family.program,),
            heavy=True,
        )
        for family in FAMILIES
    ]


HONEST = _cases("green", "passes")
CAUGHT = [*_cases("red", "masked", MASKED), *_cases("empty", "without tests", NOTHING)]
"""Runners' cases are numbered R."""
