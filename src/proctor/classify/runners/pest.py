"""Pest: PHP tests in phpunit's process, its options and more; `php artisan test` starts it."""

from proctor.classify.base import Classification, Runner
from proctor.classify.index import base_name, load
from proctor.classify.options import handed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _read(tokens: "Sequence[str]") -> Classification | None:
    if base_name(tokens[0]) == "artisan":
        return _artisan(tokens)
    found = load("phpunit").read(tokens)
    if found is not None:
        found.command_class = "pest"
    return found


def _artisan(tokens: "Sequence[str]") -> Classification | None:
    """Read Laravel's `artisan test`, which starts Pest or phpunit below it."""
    if len(tokens) < 2 or tokens[1] != "test":
        return None
    found = Classification(tokens, "artisan test", "test", "driver")
    found.matching = "name"
    found.narrowing = handed_on(tokens[2:])
    return found


RUNNER = Runner(
    command_class="pest",
    kind="leaf",
    programs=("pest", "artisan"),
    read=_read,
    test_files=("tests/**/*.php",),
    harness=(
        "phpunit.xml",
        "phpunit.xml.dist",
        "phpunit.dist.xml",
        "Pest.php",
    ),
)
