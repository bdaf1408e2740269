"""Which lines of a test file end its process as if all had gone well."""

import pytest

from proctor.outline.ending import endings


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.test.js", "process.exit(0);"),
        ("a.test.ts", "afterAll(() => process.exit());"),
        ("a.test.mjs", "process.exitCode = 0"),
        ("a_spec.rb", "at_exit { exit!(0) }"),
        ("a_spec.rb", "exit"),
        ("a_spec.rb", "exit 0 if done"),
        ("a_spec.rb", "expect { exit! }.to raise_error(SystemExit)"),
        ("a_spec.rb", "exit 0; expect { run }.to raise_error(SystemExit)"),
        ("ATest.php", "exit(0);"),
        ("ATest.php", "die;"),
        ("tests/a.rs", "#[test] fn a() { std::process::exit(0) }"),
        ("a_test.exs", "System.halt(0)"),
        ("test-a.R", "quit(status = 0)"),
        ("ATest.java", "System.exit(0);"),
        ("ATests.cs", "Environment.Exit(0);"),
        ("ATests.swift", "exit(0)"),
    ],
)
def test_a_line_that_ends_the_process_is_found(path: str, line: str) -> None:
    assert endings(path, f"x = 1\n{line}\n") == {line: line}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.test.js", "spawnSync(node, ['-e', 'process.exit(0)'])"),
        ("a.test.js", "const child = `\nprocess.exit(0)\n`;"),
        ("a.test.js", "// process.exit(0)"),
        ("a.test.js", "process.exit(1); process.on('exit', done)"),
        ("a.test.js", "jest.spyOn(process, 'exit')"),
        ("a_spec.rb", "expect { run }.to raise_error(SystemExit)\nstatus.exitstatus\nexit 1"),
        ("a_spec.rb", "write <<~SH\n  exit 0\nSH\nat_exit { clean }"),
        ("a_spec.rb", "exit_code = 0\nprocess.exit\nexit?(0)"),
        ("a_spec.rb", "expect { exit 0 }.to raise_error(SystemExit)"),
        ("test_a.rb", "assert_raises(SystemExit) { exit }"),
        ("ATest.php", "$this->exit(0); $exit = 0; Shell::exit(0);"),
        ("src/main.rs", "fn main() { std::process::exit(0) }\n"),
        ("src/main.rs", "fn main() { std::process::exit(0) }\n#[cfg(test)]\nmod tests {}"),
        ("test_a.py", "os._exit(0)"),
        ("a.bats", "exit 0"),
    ],
)
def test_what_another_program_does_and_failing_ends_are_not(path: str, text: str) -> None:
    assert endings(path, text) == {}
