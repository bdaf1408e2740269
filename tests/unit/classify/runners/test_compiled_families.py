"""go, cargo, make, Maven, Gradle, just, mise."""

from collections.abc import Callable

import pytest

from tests.unit.classify.runners.conftest import Read

BINARY = "/t/target/debug/deps/name-0123456789abcdef"


@pytest.mark.parametrize(
    ("line", "kind", "selectors", "narrowing"),
    [
        ("go test ./...", "driver", ["./..."], []),
        ("go test -v -run TestA ./pkg", "driver", ["./pkg"], ["-run=TestA"]),
        ("go test --run=TestA", "driver", [], ["-run=TestA"]),
        ("go test -run . ./...", "driver", ["./..."], []),
        ("go test -short -skip X ./... -args -run Y", "driver", ["./..."], ["-short", "-skip=X"]),
        ("go test -exec true", "driver", [], ["-exec=true"]),
        ("go -C sub test ./...", "driver", ["-C=sub", "./..."], []),
        ("go1.22.1 test -tags x", "driver", ["-tags=x"], []),
        ("/tmp/go-build1/b001/pkg.test -test.timeout=10m0s", "leaf", [], []),
        ("/tmp/b001/pkg.test -test.run=X -test.v=true", "leaf", [], ["-run=X"]),
        ("gotestsum --junitfile o.xml -- -run X ./...", "driver", ["./..."], ["-run=X"]),
    ],
)
def test_go(read: Read, line: str, kind: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("go test", kind, "test")
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    "line",
    [
        "go test -c ./pkg -o /dev/null",
        "go test -list .",
        "go test -n",
        "go test -count=0",
        "x.test -test.list=.",
        "gotestsum --version",
    ],
)
def test_go_that_executes_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


def test_go_reads_its_flags_from_the_environment(read: Read) -> None:
    environ = {"GOFLAGS": "-run=X -mod=mod -tags=y -c"}
    expected = ("GOFLAGS: -run=X", "GOFLAGS: -tags=y", "GOFLAGS: -c")
    assert read("go test ./...", environ).narrowing_env == expected


def test_a_fuzzing_process_is_a_worker(read: Read) -> None:
    assert read("x.test -test.fuzzworker").kind == "worker"
    assert read("gotestsum --junitfile o.xml").report == ("junit", "o.xml")


@pytest.mark.parametrize(("line", "role"), [("go build ./...", "build"), ("go vet ./...", "lint")])
def test_other_words_of_go(read: Read, line: str, role: str) -> None:
    assert read(line).role == role


@pytest.mark.parametrize(
    ("line", "kind", "selectors", "narrowing"),
    [
        ("cargo test", "driver", [], []),
        ("cargo +nightly t --workspace", "driver", [], []),
        ("cargo test foo -- --skip x", "driver", ["foo"], ["--skip=x"]),
        ("cargo test -p crate --lib", "driver", [], ["--package=crate", "--lib"]),
        ("cargo test -- --ignored", "driver", [], ["--ignored"]),
        (f"{BINARY} -q --test-threads 1", "leaf", [], []),
        (f"{BINARY} --exact a::b", "leaf", ["a::b"], ["--exact"]),
    ],
)
def test_cargo(
    read: Read, line: str, kind: str, selectors: list[str], narrowing: list[str]
) -> None:
    found = read(line)
    assert (found.command_class, found.kind) == ("cargo test", kind)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    "line", ["cargo test --no-run", "cargo test -- --list", f"{BINARY} --list"]
)
def test_cargo_that_executes_nothing_is_not_a_run(read: Read, line: str) -> None:
    assert read(line).not_a_run


@pytest.mark.parametrize(
    ("line", "command_class"),
    [
        ("cargo nextest run", "cargo nextest"),
        ("cargo build", "cargo build"),
        ("cargo clippy", "cargo clippy"),
    ],
)
def test_other_words_of_cargo(read: Read, line: str, command_class: str) -> None:
    assert read(line).command_class == command_class


@pytest.mark.parametrize(
    "line", ["cargo run", "cargo", "/t/deps/name-0123", "/t/deps/build", "go run .", "go", "go1x"]
)
def test_neighbours_have_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


def test_a_runner_in_between_narrows_cargo(read: Read) -> None:
    name = "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER"
    assert read("cargo test", {name: "/bin/true x"}).narrowing_env == (f"{name}: runner=true",)
    assert read("cargo test", {name: " "}).narrowing_env == (f"{name}: {name}",)


@pytest.mark.parametrize(
    ("line", "role", "selectors", "narrowing"),
    [
        ("make", "build", [], []),
        ("make test", "test", ["test"], []),
        ("gmake -j 4 -k check", "test", ["check"], []),
        ("make -C sub -f x.mk test", "test", ["-C=sub", "-f=x.mk", "test"], []),
        ("make -i test", "test", ["test"], ["-i"]),
        ("make --ignore-errors unit-tests", "test", ["unit-tests"], ["-i"]),
        ("make test V=1 PYTEST=true", "test", ["test", "PYTEST=true"], []),
        ("make lint", "lint", ["lint"], []),
        ("make install", "install", ["install"], []),
        ("make lint build", "build", ["lint", "build"], []),
    ],
)
def test_make(read: Read, line: str, role: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("make", "driver", role)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    "option", ["-n", "-q", "--dry-run", "--just-print", "-t", "--question", "-kn"]
)
def test_make_that_runs_nothing_is_not_a_run(read: Read, option: str) -> None:
    assert read(f"make {option} test").not_a_run


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("i", ["-i"]),
        ("ikn", ["-i", "-n"]),
        ("w", []),
        (" -j4 --ignore-errors -- X=i", ["-i"]),
        ("ks -j2 -i", ["-i"]),
        ("X=1", []),
    ],
)
def test_make_reads_makeflags(read: Read, value: str, options: list[str]) -> None:
    found = read("make test", {"MAKEFLAGS": value}).narrowing_env
    assert list(found) == [f"MAKEFLAGS: {option}" for option in options]


@pytest.mark.parametrize(
    ("line", "role", "narrowing"),
    [
        ("mvn test", "test", []),
        ("./mvnw -q verify", "test", []),
        ("sh ./mvnw test", "test", []),
        ("mvn -Dtest=A test", "test", ["-Dtest=A"]),
        ("mvn test -Dmaven.test.failure.ignore", "test", ["-Dmaven.test.failure.ignore"]),
        ("mvn test -DfailIfNoTests=false", "test", ["-DfailIfNoTests=false"]),
        ("mvn -pl a -fn test", "test", ["-pl=a", "-fn"]),
        ("mvn compile", "build", []),
    ],
)
def test_maven(read: Read, line: str, role: str, narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("mvn", "driver", role)
    assert list(found.narrowing) == narrowing


def test_maven_that_skips_tests_is_not_a_run(read: Read) -> None:
    assert read("mvn -DskipTests verify").not_a_run == "-DskipTests"
    assert read("mvn -DskipTests=false verify").not_a_run is None
    environ = {"MAVEN_ARGS": "-DskipTests -Dtest=A"}
    expected = ("MAVEN_ARGS: -Dtest=A", "MAVEN_ARGS: -DskipTests")
    assert read("mvn test", environ).narrowing_env == expected


@pytest.mark.parametrize(
    ("line", "kind", "role", "narrowing"),
    [
        ("gradle test", "driver", "test", []),
        ("sh ./gradlew :app:testDebug --tests A", "driver", "test", ["--tests=A"]),
        ("java -cp x org.gradle.wrapper.GradleWrapperMain check", "driver", "test", []),
        ("gradle build -x test", "driver", "build", ["-x=test"]),
        ("java -Xmx1g -cp x worker.org.GradleWorkerMain 'Executor 1'", "leaf", "test", []),
    ],
)
def test_gradle(read: Read, line: str, kind: str, role: str, narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.kind, found.role) == ("gradle", kind, role)
    assert list(found.narrowing) == narrowing


def test_the_process_that_surefire_starts_is_a_leaf(read: Read) -> None:
    found = read("java -jar /x/surefire/surefirebooter-20240101_3.jar a b")
    assert (found.command_class, found.kind) == ("mvn", "leaf")


@pytest.mark.parametrize("line", ["java -jar", "java -version", "java -cp x"])
def test_java_without_a_program_has_no_class(is_nothing: Callable[[str], bool], line: str) -> None:
    assert is_nothing(line)


@pytest.mark.parametrize(
    ("line", "role", "selectors", "narrowing"),
    [
        ("just test", "test", ["test"], []),
        ("just", "other", [], []),
        ("just lint", "lint", ["lint"], []),
        ("just build test", "test", ["build", "test"], []),
        ("just test tests/a.py", "test", ["test", "tests/a.py"], []),
        ("just test a.py", "test", ["test", "a.py"], ["-- a.py"]),
    ],
)
def test_just(read: Read, line: str, role: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.role) == ("just", role)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


@pytest.mark.parametrize(
    ("line", "role", "selectors", "narrowing"),
    [
        ("mise run test", "test", ["test"], []),
        ("mise r lint ::: test:ci", "test", ["lint", "test:ci"], []),
        ("mise run test -- -k x", "test", ["test"], ["-- -k", "-- x"]),
        ("mise test", "test", ["test"], []),
        ("mise run fmt", "lint", ["fmt"], []),
    ],
)
def test_mise(read: Read, line: str, role: str, selectors: list[str], narrowing: list[str]) -> None:
    found = read(line)
    assert (found.command_class, found.role) == ("mise", role)
    assert (list(found.selectors), list(found.narrowing)) == (selectors, narrowing)


def test_other_words_of_mise(read: Read, is_nothing: Callable[[str], bool]) -> None:
    assert read("mise install").role == "install"
    assert is_nothing("mise ls")
