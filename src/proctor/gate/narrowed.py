"""What left tests out although argv and environment do not say so.

A report knows which options were in force, wherever they were set, and whether
tests that were found were taken out by a plugin, a hook or a list of ignored files.
"""

import re

from proctor._digest import without_value
from proctor.gate.attempts import Part
from proctor.gate.case import Case
from proctor.gate.evidence import Change, Tests
from proctor.gate.lost import Group
from proctor.gate.words import listed

_SETTINGS = re.compile(
    r"(?:^|/)(?:\.?pytest\.(?:ini|toml)|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py)\Z"
)
_HOOKS = re.compile(
    r"pytest_collection_modifyitems|pytest_deselected|pytest_ignore_collect|collect_ignore"
    r"|pytest_itemcollected|pytest_pycollect_makeitem"
)
_CHOOSES = re.compile(
    r"^\s*((?:testpaths|python_files|python_classes|python_functions|norecursedirs)\s*="
    r".*(?:\n[ \t]+\S.*)*)",
    re.MULTILINE,
)
"""A setting of pytest that says where and by which names tests are looked for."""
_REPEATED = frozenset(("--deselect", "--ignore", "--ignore-glob"))


def beyond(part: Part, tests: Tests) -> dict[str, str]:
    """Return what narrowed a leaf beyond its argv and environment, in words, by kind.

    Tests that an option takes out are not counted once more.
    """
    asked = {*part.what.narrowing, *(o.partition(": ")[2] for o in part.what.narrowing_env)}
    names = {word.partition("=")[0] for word in asked}
    found = {
        word: f"`{word.replace('=', ' ', 1)}`"
        for word in tests.options
        if not asked & {word, without_value(word)} and _is_own(word, names)
    }
    ignored = any(word.startswith("--ignore") for word in tests.options)
    if tests.deselected and not tests.options and not asked:
        found["deselected"] = f"{_tests(tests.deselected)} deselected by a plugin or hook"
    silent = (tests.found or 0) - (tests.collected or 0) - tests.deselected
    if None not in (tests.found, tests.collected) and silent > 0 and not asked:
        found["taken out"] = f"{_tests(silent)} taken out by a plugin or hook"
    if not ignored:
        found |= {f"left out {path}": f"{path} passed over" for path in tests.left_out}
    return found


def news(case: Case, group: Group, found: dict[str, str]) -> dict[str, str]:
    """Return those of `found` that the reference is known not to have.

    Known from the report of a run on its tree, else from its files.
    """
    reference = case.evidence.reference
    if reference is None:
        return {}
    reports = [
        (part, case.evidence.tests[part.span.span_id])
        for part in group.at_reference
        if part.span.span_id in case.evidence.tests
    ]
    if reports:
        had = {kind for part, tests in reports for kind in beyond(part, tests)}
        return {kind: words for kind, words in found.items() if kind not in had}
    return {kind: words for kind, words in found.items() if _came_with(kind, reference.changes)}


def unseen(case: Case, part: Part, tests: Tests) -> list[str]:
    """Return the known test files that a leaf selects and its report has no test of."""
    seen = {test.partition("::")[0] for test in tests.outcomes}
    files = case.known(part.what.command_class).files if seen else ()
    return [
        path
        for path in files
        if path not in seen and path not in case.evidence.idle and case.reaches(part, path)
    ]


def by_setting(case: Case, group: Group, part: Part, tests: Tests) -> dict[str, str]:
    """Return the settings that came with the patch where test files are looked for no more."""
    reference = case.evidence.reference
    missed = unseen(case, part, tests) if reference is not None else []
    before = {
        test.partition("::")[0]
        for one in group.at_reference
        if one.span.span_id in case.evidence.tests
        for test in case.evidence.tests[one.span.span_id].outcomes
    }
    missed = [path for path in missed if not before or path in before]
    if reference is None or not missed:
        return {}
    return {
        setting: f"`{' '.join(setting.split())}` in {change.path} passes over {listed(missed)}"
        for change in reference.changes
        if _SETTINGS.search(change.path)
        for setting in _CHOOSES.findall(change.new_text or "")
        if setting not in _CHOOSES.findall(change.old_text or "")
    }


def _is_own(word: str, names: set[str]) -> bool:
    """Return whether a word in force cannot be the effect of an option that was asked for."""
    name = word.partition("=")[0]
    return name in _REPEATED or name not in names


def _came_with(kind: str, changes: tuple[Change, ...]) -> bool:
    """Return whether a changed file now holds what narrows, and did not before."""
    if kind.startswith("-"):
        mark = re.compile(re.escape(kind.partition("=")[2] or kind))
        files = [change for change in changes if _SETTINGS.search(change.path)]
    else:
        mark = _HOOKS
        files = [change for change in changes if change.path.endswith(".py")]
    return any(
        len(mark.findall(change.new_text or "")) > len(mark.findall(change.old_text or ""))
        for change in files
    )


def _tests(count: int) -> str:
    return "1 test" if count == 1 else f"{count:,} tests"
