"""ctest, meson, bazel, task, sbt, dotnet, swift, mix, testthat, bats, nextest."""

from collections.abc import Callable

import pytest

from proctor.classify.classify import classify_argv
from proctor.classify.selection import selects_whole
from tests.unit.classify.runners.conftest import Read

BEAM = "/erl/beam.smp -- -root /erl -noshell -s elixir start_cli -extra"


@pytest.mark.parametrize(
    ("line", "command_class", "selectors", "narrowing"),
    [
        ("ctest", "ctest", [], []),
        ("ctest --test-dir build -j4 --output-on-failure", "ctest", ["build"], []),
        ("ctest -R x -LE slow -VV", "ctest", [], ["-R=x", "-LE=slow"]),
        ("ctest --preset ci -j 4", "ctest", ["preset ci"], []),
        ("ctest -S dash.cmake", "ctest", ["-S=dash.cmake"], []),
        ("python /usr/bin/meson test -C build", "meson test", [], []),
        ("meson test -C build unit --suite x", "meson test", ["unit"], ["--suite=x", "test=unit"]),
        ("meson test --setup valgrind", "meson test", ["--setup=valgrind"], []),
        ("bazel test //...", "bazel test", [], []),
        ("bazel --bazelrc x test //a/... //b:c //d", "bazel test", ["a", "b::c", "d::d"], []),
        ("bazelisk test -c opt --test_filter=x -- //... -//a/...", "bazel test", [], ["--test_filter=x", "-//a/..."]),
        ("bazel coverage --config=ci :t", "bazel test", ["--config=ci", "::t"], []),
        ("java -jar /x/sbt-launch.jar test", "sbt", ["test"], []),
        ("sbt 'core/testOnly a.B'", "sbt", ["core/testOnly a.B"], ["testOnly=a.B"]),
        ("sbt -mem 4096 'clean; +Test/test' testQuick", "sbt", ["clean", "+Test/test", "testQuick"], ["testQuick"]),
        ("sbt 'set Test/skip := true' 'set x := 1' test", "sbt", ["set Test/skip := true", "set x := 1", "test"], ["set=Test/skip := true"]),
        ("dotnet test", "dotnet test", [], []),
        ("dotnet test tests/App.Tests/App.Tests.csproj -c Release", "dotnet test", ["tests/App.Tests"], []),
        ("dotnet test App.sln --filter FullyQualifiedName~X", "dotnet test", [], ["--filter=FullyQualifiedName~X"]),
        ("dotnet test --project a/b.csproj -- --filter-class X TestCaseFilter=y", "dotnet test", ["a"], ["--filter-class=X", "-- TestCaseFilter=y"]),
        ("dotnet test -p:VSTestTestCaseFilter=X /p:Other=1 -f net8.0", "dotnet test", [], ["--framework=net8.0", "-p=VSTestTestCaseFilter=X"]),
        ("dotnet test -s x.runsettings", "dotnet test", ["--settings=x.runsettings"], []),
        ("dotnet /sdk/vstest.console.dll a.dll --TestCaseFilter:X", "dotnet test", ["a.dll"], ["--filter=X"]),
        ("swift test --parallel", "swift test", [], []),
        ("swift-test --filter X --skip Y", "swift test", [], ["--filter=X", "--skip=Y"]),
        (".build/debug/PTests.xctest A.B/c", "swift test", ["A.B/c"], ["test=A.B/c"]),
        (f"{BEAM} /usr/bin/mix test", "mix test", [], []),
        (f"{BEAM} /usr/bin/mix test --only x test/a_test.exs:3", "mix test", ["test/a_test.exs:3"], ["--only=x"]),
        ("mix test --exclude slow --stale", "mix test", [], ["--exclude=slow", "--stale"]),
        ("Rscript -e 'testthat::test_local()'", "testthat", [], []),
        ("Rscript -e 'testthat::test_dir(\"tests/testthat\", filter = \"x\")'", "testthat", ["tests/testthat"], ["filter"]),
        ("/usr/lib/R/bin/exec/R --no-echo -e devtools::test(filter~+~=~+~'x')", "testthat", [], ["filter", "stop_on_failure=FALSE"]),
        ("Rscript -e 'devtools::test(stop_on_failure = TRUE)'", "testthat", [], []),
        ("Rscript -e 'testthat::test_local(stop_on_failure = FALSE)'", "testthat", [], ["stop_on_failure=FALSE"]),
        ("Rscript tests/testthat.R", "testthat", [], []),
        ("/usr/lib/R/bin/exec/R --no-echo --file=tests/testthat.R", "testthat", [], []),
        ("bash /usr/bin/bats -r test", "bats", ["test"], []),
        ("bats -f x test/a.bats", "bats", ["test/a.bats"], ["--filter=x"]),
        ("cargo-nextest nextest run", "cargo nextest", [], []),
        ("cargo-nextest nextest -v run -E 'test(x)' foo -- --skip b c", "cargo nextest", ["foo", "c"], ["--filterset=test(x)", "--skip=b"]),
        ("cargo-nextest nextest run --no-tests fail --profile ci", "cargo nextest", ["--profile=ci"], []),
    ],
)  # fmt: skip
def test_leaves(
    read: Read, line: str, command_class: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == (command_class, "leaf", "test")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    ("line", "command_class", "kind", "role"),
    [
        ("task test", "task", "driver", "test"),
        ("go-task lint", "task", "driver", "lint"),
        ("task", "task", "driver", "other"),
        ("cargo nextest run", "cargo nextest", "driver", "test"),
        ("sbt compile", "sbt", "driver", "build"),
        ("bash /usr/bin/sbt test", "sbt", "driver", "test"),
        ("sh /usr/bin/elixir /usr/bin/mix test", "mix test", "driver", "test"),
        ("meson compile", "meson", None, "build"),
        ("bazel build //...", "bazel build", None, "build"),
        ("dotnet build", "dotnet build", None, "build"),
        ("swift build", "swift build", None, "build"),
        ("ctest --build-and-test a b", "ctest", None, "build"),
    ],
)
def test_others(read: Read, line: str, command_class: str, kind: str | None, role: str) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == (command_class, kind, role)


def test_a_task_is_narrowed_by_what_it_is_given(read: Read) -> None:
    found = read("task -t o.yml test NAME=x -- -k y")
    assert found.selectors == ("--taskfile=o.yml", "test")
    assert found.narrowing == ("-- -k", "-- y", "NAME=x")


@pytest.mark.parametrize(
    "line",
    [
        *("ctest -N", "ctest --show-only=json-v1", "ctest --version", "meson test --list"),
        *(
            "bazel test --nobuild //...",
            "sbt --version",
            "dotnet test -t",
            "dotnet test -- --list-tests",
        ),
        *("swift test --list-tests", "swift test list", "mix test --help", "bats -c test", "bats"),
        *("task --dry test", "task -l", "cargo-nextest nextest run --no-run"),
    ],
)
def test_what_executes_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


@pytest.mark.parametrize(
    ("line", "report"),
    [
        ("ctest", ("ctest", "Testing/Temporary/LastTest.log")),
        ("ctest --test-dir b", ("ctest", "b/Testing/Temporary/LastTest.log")),
        ("ctest --test-dir b --output-junit o.xml", ("junit", "b/o.xml")),
        ("ctest --test-dir b --output-junit /o.xml", ("junit", "/o.xml")),
        ("meson test", ("junit", "meson-logs/testlog.junit.xml")),
        ("meson test -C b --setup a:v", ("junit", "b/meson-logs/testlog-a_v.junit.xml")),
        ("meson test --logbase x", ("junit", "meson-logs/x.junit.xml")),
        ("dotnet test --logger 'junit;LogFilePath=o.xml'", ("junit", "o.xml")),
        ("dotnet test -l 'trx;LogFileName=o.trx'", ("trx", "TestResults/o.trx")),
        (
            "dotnet test --results-directory out --logger 'trx;LogFileName=o.trx'",
            ("trx", "out/o.trx"),
        ),
        ("dotnet test --logger 'trx;LogFileName=/o.trx'", ("trx", "/o.trx")),
        ("dotnet test --logger trx", None),
        ("dotnet test --logger:'junit;Verbosity=x;LogFilePath={assembly}.xml'", None),
        ("dotnet test -l trx", None),
        ("swift test --xunit-output o.xml", ("junit", "o.xml")),
        ("bats --report-formatter junit -o out test", ("junit", "out/report.xml")),
        ("bats --report-formatter tap test", ("tap", "./report.tap")),
        ("bats test", None),
        ("Rscript -e 'testthat::test_local(reporter = testthat::JunitReporter$new(file = \"o.xml\"))'", ("junit", "o.xml")),
        ("Rscript -e 'test_local(reporter = JunitReporter$new(file=))'", None),
    ],
)  # fmt: skip
def test_reports_that_are_written(read: Read, line: str, report: tuple[str, str] | None) -> None:
    assert read(line).report == report


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("cargo-nextest nextest run --no-tests=pass", "--no-tests=pass"),
        ("dotnet test --ignore-exit-code 8", "--ignore-exit-code=8"),
    ],
)
def test_what_lets_an_empty_run_pass_is_known(read: Read, line: str, option: str) -> None:
    assert read(line).allows_empty == (option,)


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("bazel test //...", "the bazel server"),
        ("sbtn test", "the sbt server"),
        ("sbt --client test", "the sbt server"),
    ],
)
def test_servers_run_tests_elsewhere(read: Read, line: str, where: str) -> None:
    assert read(line).remote == where


@pytest.mark.parametrize(
    "line",
    [
        *("meson", "bazel query x", "bazel", "dotnet run", "dotnet", "swift a.swift", "swift"),
        *("mix compile", "mix", "elixir a.exs", f"{BEAM} /usr/bin/mix compile", "beam.smp -x"),
        *("Rscript a.R", "Rscript -e '1 + 1'", "R", "cargo-nextest nextest list", "cargo nextest"),
    ],
)
def test_neighbours_have_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert line == "meson" or is_nothing(line)


@pytest.mark.parametrize(
    ("line", "environ", "expected"),
    [
        ("ctest", {"GTEST_FILTER": "A.*"}, ("GTEST_FILTER: GTEST_FILTER",)),
        ("ctest", {"GTEST_FILTER": "*", "CTEST_NO_TESTS_ACTION": "error"}, ()),
        ("bazel test //...", {"TESTBRIDGE_TEST_ONLY": "x"}, ("TESTBRIDGE_TEST_ONLY: TESTBRIDGE_TEST_ONLY",)),
        ("dotnet test", {"TESTINGPLATFORM_EXITCODE_IGNORE": "8"}, ("TESTINGPLATFORM_EXITCODE_IGNORE: TESTINGPLATFORM_EXITCODE_IGNORE",)),
        ("mix test", {"MIX_TEST_PARTITION": "1"}, ("MIX_TEST_PARTITION: MIX_TEST_PARTITION",)),
        ("cargo-nextest nextest run", {"NEXTEST_PROFILE": "ci", "NEXTEST_NO_TESTS": "fail"}, ("NEXTEST_PROFILE: NEXTEST_PROFILE",)),
        ("cargo-nextest nextest run", {"NEXTEST_PROFILE": "default"}, ()),
    ],
)  # fmt: skip
def test_variables_narrow_too(
    read: Read, line: str, environ: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert read(line, environ).narrowing_env == expected


def test_a_build_folder_leaves_no_test_out(read: Read) -> None:
    files = ["CMakeLists.txt", "lib/CMakeLists.txt"]
    assert selects_whole(read("ctest --test-dir build"), files)
    assert selects_whole(read("ctest"), files, "build")
    assert selects_whole(read("meson test -C build"), [])
    assert not selects_whole(read("meson test -C build unit"), [])


def test_all_targets_are_the_whole_suite(read: Read) -> None:
    files = ["BUILD", "a/BUILD.bazel"]
    assert selects_whole(read("bazel test //..."), files)
    assert not selects_whole(read("bazel test //a:t"), files)


def test_a_shell_script_that_is_the_runner_is_a_leaf() -> None:
    found = classify_argv(["bash", "/usr/bin/bats", "test"], peel=True)
    assert found is not None
    assert found.kind == "leaf"
