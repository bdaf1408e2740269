"""bazel test: the client of a server that runs, or remembers, the tests."""

from proctor.classify.base import Classification, Options, Runner
from proctor.classify.options import fill, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

STARTUP = Options(
    style="single",
    valued=(
        *("-bazelrc", "-output_base", "-output_user_root", "-install_base", "-host_jvm_args"),
        *("-server_javabase", "-max_idle_secs", "-io_nice_level"),
    ),
)
OPTIONS = Options(
    aliases={
        "-c": "--compilation_mode",
        "-j": "--jobs",
        "-k": "--keep_going",
        "-t": "--cache_test_results",
    },
    valued=(
        "--compilation_mode",
        "--jobs",
        "--config",
        "--test_output",
        "--test_filter",
        "--test_arg",
    ),
    narrowing=(
        *("--test_filter", "--test_tag_filters", "--test_size_filters", "--test_lang_filters"),
        *(
            "--test_timeout_filters",
            "--test_sharding_strategy",
            "--test_arg",
            "--build_tag_filters",
        ),
    ),
    excluding=("--deleted_packages",),
    not_a_run=("--nobuild", "--check_tests_up_to_date", "--help"),
    selecting=("--config", "--target_pattern_file"),
)
_ROLES = {"build": "build", "fetch": "install", "sync": "install", "mod": "install"}


def _read(tokens: "Sequence[str]") -> Classification | None:
    at = 1
    while at < len(tokens) and tokens[at].startswith("-"):
        name = "-" + tokens[at].lstrip("-")
        at += 2 if name in STARTUP.valued else 1
    word = tokens[at] if at < len(tokens) else ""
    if word in _ROLES:
        return Classification(tokens, f"bazel {word}", _ROLES[word], None)
    if word not in ("test", "coverage"):
        return None
    found = Classification(tokens, "bazel test", "test", "leaf")
    found.remote = "the bazel server"
    parsed = parse(tokens[at + 1 :], OPTIONS)
    targets = parsed.positionals() + (parsed.rest or [])
    parsed.items = [item for item in parsed.items if item[0] is not None]
    parsed.rest = None
    fill(found, parsed, OPTIONS)
    left_out = [target for target in targets if target.startswith("-")]
    found.excluding += tuple(left_out)
    found.narrowing += tuple(left_out)
    places = [_place(target) for target in targets if target not in left_out]
    found.selectors += tuple(places if "." not in places else ())
    return found


def _place(target: str) -> str:
    """Return `//a/...` as the folder `a` and `//a:b` as `a::b`, in it."""
    label = target.removeprefix("@").removeprefix("//")
    folder, colon, name = label.partition(":")
    if folder == "..." or folder.endswith("/..."):
        return folder.removesuffix("...").rstrip("/") or "."
    if not colon:
        name = folder.rpartition("/")[2]
    return f"{folder}::{name}"


RUNNER = Runner(
    command_class="bazel test",
    kind="leaf",
    programs=("bazel", "bazelisk", "bazel-real"),
    read=_read,
    environment=("TESTBRIDGE_TEST_ONLY",),
    read_environment=lambda name, _value: [name],
    test_files=("BUILD", "BUILD.bazel"),
    harness=(
        ".bazelrc~test",
        ".bazelignore",
    ),
)
